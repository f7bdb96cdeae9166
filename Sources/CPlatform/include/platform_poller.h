/// Waiting for events of many descriptors at once: epoll on Linux, kqueue on macOS.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A set of descriptors on whose events one thread waits; other threads can wake that thread.
struct platform_poller {
    /// The descriptor of the epoll instance or kqueue.
    int descriptor;
    /// The descriptor that ends a wait (Linux only).
    int waker;
};

/// The event of one descriptor; if its other end is closed, it is both readable and writable.
struct platform_event {
    /// The number given to `platform_poller_watch`.
    uint64_t token;
    bool is_readable;
    bool is_writable;
};

/// Opens a poller that watches nothing.
int platform_poller_open(struct platform_poller *poller);

void platform_poller_close(const struct platform_poller *poller);

/// Sets the events for which a descriptor is watched; with neither reading nor writing it is not
/// watched any more. Level-triggered: an event is reported as long as its condition holds. `is_new`
/// must be true if the descriptor is not watched yet.
int platform_poller_watch(
    const struct platform_poller *poller, int descriptor, uint64_t token, bool is_new,
    bool to_read, bool to_write);

/// Waits for events, up to a timeout in milliseconds (negative: none) or until woken; returns the
/// number of events. A signal ends the wait with 0.
int platform_poller_wait(
    const struct platform_poller *poller, struct platform_event *events, int capacity,
    int milliseconds);

/// Ends the current wait of another thread, or its next one; callable from any thread.
void platform_poller_wake(const struct platform_poller *poller);

/// Returns a descriptor that becomes readable at an interval in milliseconds, on a clock that also
/// runs while the machine sleeps; read it with `platform_drain_ticks`.
int platform_ticks(int milliseconds);

/// Reads the ticks of a descriptor from `platform_ticks`.
void platform_drain_ticks(int descriptor);

// MARK: Threads

/// Creates a lock; NULL if there is no memory. Exists because the thread sanitizer does not
/// recognize Swift's own lock.
void *platform_lock_make(void);

void platform_lock_acquire(void *lock);
void platform_lock_release(void *lock);

/// Waits for a notification, and releases the lock meanwhile. May also return without one.
void platform_lock_wait(void *lock);

/// Wakes one thread that waits.
void platform_lock_notify(void *lock);

void platform_lock_free(void *lock);

/// Starts a thread that runs `body` with the argument, and receives no signals. Returns 0, or a
/// negated errno: EAGAIN if the system allows no more threads.
int platform_thread_start(void *(*body)(void *), void *argument);

/// Returns the pointer that the calling thread has set as its mark; NULL if it has set none.
const void *platform_thread_mark(void);

void platform_set_thread_mark(const void *mark);
