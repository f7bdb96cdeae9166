/// Waiting for many descriptors at once: epoll on Linux, kqueue on macOS.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Where one thread waits for many descriptors, and others can wake it.
struct platform_poller {
    /// What the thread waits at.
    int descriptor;
    /// What wakes it (Linux only).
    int waker;
};

/// News of one descriptor. When its other end is gone, it is both readable and writable.
struct platform_event {
    /// The number under which it is watched.
    uint64_t token;
    bool is_readable;
    bool is_writable;
};

/// Makes a poller that watches nothing.
int platform_poller_open(struct platform_poller *poller);

/// Gives the poller back.
void platform_poller_close(const struct platform_poller *poller);

/// Watches a descriptor under a token for what it is wanted for from now on; neither ends it. It
/// is reported as long as it is so, however often it was reported before. `is_new` tells that it
/// was not watched for anything before.
int platform_poller_watch(
    const struct platform_poller *poller, int descriptor, uint64_t token, bool is_new,
    bool to_read, bool to_write);

/// Waits until something is so, or for so many milliseconds (negative: for ever), or until woken:
/// how many events were written. Signals end it, with none.
int platform_poller_wait(
    const struct platform_poller *poller, struct platform_event *events, int capacity,
    int milliseconds);

/// Ends the wait of another thread, or its next one. Any thread may call it.
void platform_poller_wake(const struct platform_poller *poller);

/// A descriptor that becomes readable every so many milliseconds; those during which the machine
/// sleeps count. It is to be drained by `platform_drain_ticks`.
int platform_ticks(int milliseconds);

/// Takes the news of a descriptor of `platform_ticks`.
void platform_drain_ticks(int descriptor);

// MARK: Threads

/// A lock that nobody holds, or NULL where memory has run out. The language has one, too, which the
/// thread sanitizer takes for none.
void *platform_lock_make(void);

/// Waits until nobody else holds the lock, and holds it.
void platform_lock_take(void *lock);

/// Holds the lock no longer.
void platform_lock_leave(void *lock);

/// Gives the lock back.
void platform_lock_free(void *lock);

/// What the calling thread has been marked with, NULL at first.
const void *platform_thread_mark(void);

/// Marks the calling thread.
void platform_set_thread_mark(const void *mark);
