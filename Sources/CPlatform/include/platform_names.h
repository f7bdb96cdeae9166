/// Names of hosts.
#pragma once

#include <stdint.h>

/// Asks the system for the IPv4 addresses of a host name (or of a dotted address). It may block for
/// seconds. Returns how many of at most `capacity` were written, or a negative number, the negated
/// code that `platform_lookup_error_text` explains.
int platform_lookup(const char *host, uint32_t *addresses, int capacity);

/// The system's text for a (positive) code of `platform_lookup`.
const char *platform_lookup_error_text(int code);
