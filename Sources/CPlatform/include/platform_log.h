#pragma once

#include <stdbool.h>
#include <stdint.h>

/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.

/// The length of the file at the path if standard error leads to that very file, else -1.
int64_t platform_log_bytes(const char *path);

/// Lets standard error lead to the end of the file at the path, which is made when missing (0600).
int platform_log_begin(const char *path);

/// Puts the file at the path aside as `aside`, and lets standard error lead to a new one in its
/// place.
int platform_log_rotate(const char *path, const char *aside);
