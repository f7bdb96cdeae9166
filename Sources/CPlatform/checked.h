#pragma once

#include <errno.h>

/// Evaluates a call again while a signal interrupts it; its value is the result or the negated
/// errno.
#define CHECKED(call) \
    ({ \
        __typeof__(call) result_; \
        do { result_ = (call); } while (result_ < 0 && errno == EINTR); \
        result_ < 0 ? -(__typeof__(call))errno : result_; \
    })
