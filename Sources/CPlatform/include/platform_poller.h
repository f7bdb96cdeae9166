/// Waiting for many descriptors at once: epoll on Linux, kqueue on macOS.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// One thread waits on it for many descriptors, and others can wake that thread.
struct platform_poller {
    /// The descriptor of the epoll instance or kqueue.
    int descriptor;
    /// The descriptor that wakes it (Linux only).
    int waker;
};

/// An event of one descriptor. If its other end is gone, it is both readable and writable.
struct platform_event {
    /// The number given to `platform_poller_watch`.
    uint64_t token;
    bool is_readable;
    bool is_writable;
};

/// Opens a poller that watches nothing.
int platform_poller_open(struct platform_poller *poller);

void platform_poller_close(const struct platform_poller *poller);

/// Sets the events for which a descriptor is watched; with neither reading nor writing it is no
/// longer watched. Level-triggered: an event is reported as long as it is true. `is_new` is true if
/// the descriptor is not watched yet.
int platform_poller_watch(
    const struct platform_poller *poller, int descriptor, uint64_t token, bool is_new,
    bool to_read, bool to_write);

/// Waits for events, at most for so many milliseconds (negative: no limit) or until woken, and
/// returns the number of events. A signal ends the wait with 0.
int platform_poller_wait(
    const struct platform_poller *poller, struct platform_event *events, int capacity,
    int milliseconds);

/// Ends the current or next wait of another thread; callable from any thread.
void platform_poller_wake(const struct platform_poller *poller);

/// Returns a descriptor that becomes readable at an interval in milliseconds, on a clock that goes
/// on while the machine sleeps; read it with `platform_drain_ticks`.
int platform_ticks(int milliseconds);

/// Reads the ticks of a descriptor of `platform_ticks`.
void platform_drain_ticks(int descriptor);

// MARK: Threads

/// Creates a lock; NULL if memory has run out. The thread sanitizer does not recognize Swift's own
/// lock.
void *platform_lock_make(void);

void platform_lock_acquire(void *lock);
void platform_lock_release(void *lock);
void platform_lock_free(void *lock);

/// The mark of the calling thread; NULL at first.
const void *platform_thread_mark(void);

void platform_set_thread_mark(const void *mark);
