/// Names of hosts.
#pragma once

#include <stdint.h>

/// Looks up the IPv4 addresses of a host name (or of a dotted address); may block for seconds.
/// Returns the number of addresses written, at most `capacity`, or the negated code for
/// `platform_lookup_error_text`.
int platform_lookup(const char *host, uint32_t *addresses, int capacity);

/// The system's text for a (positive) error code of `platform_lookup`.
const char *platform_lookup_error_text(int code);
