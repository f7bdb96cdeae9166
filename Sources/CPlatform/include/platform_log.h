#pragma once

#include <stdbool.h>
#include <stdint.h>

/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.

/// Returns the length of the file at the path if standard error is open on that file, else -1.
int64_t platform_log_bytes(const char *path);

/// Redirects standard error to the end of the file at the path, which is created if missing (0600).
int platform_log_begin(const char *path);

/// Renames the file at the path to `aside`, and redirects standard error to a new file in its
/// place.
int platform_log_rotate(const char *path, const char *aside);
