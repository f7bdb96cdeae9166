#pragma once

#include <errno.h>

/// Repeats a call that a signal interrupted, and returns its failure as a negated errno.
#define CHECKED(call) \
    ({ \
        __typeof__(call) result_; \
        do { result_ = (call); } while (result_ < 0 && errno == EINTR); \
        result_ < 0 ? -(__typeof__(call))errno : result_; \
    })
