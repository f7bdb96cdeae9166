#include "platform_poller.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local const void *thread_mark = NULL;

const void *platform_thread_mark(void) { return thread_mark; }

void platform_set_thread_mark(const void *mark) { thread_mark = mark; }

struct lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

void *platform_lock_make(void) {
    struct lock *lock = malloc(sizeof *lock);
    if (lock == NULL) return NULL;
    if (pthread_mutex_init(&lock->mutex, NULL) == 0) {
        if (pthread_cond_init(&lock->changed, NULL) == 0) return lock;
        pthread_mutex_destroy(&lock->mutex);
    }
    free(lock);
    return NULL;
}

void platform_lock_acquire(void *lock) { pthread_mutex_lock(&((struct lock *)lock)->mutex); }
void platform_lock_release(void *lock) { pthread_mutex_unlock(&((struct lock *)lock)->mutex); }

void platform_lock_wait(void *opaque) {
    struct lock *lock = opaque;
    pthread_cond_wait(&lock->changed, &lock->mutex);
}

void platform_lock_notify(void *lock) { pthread_cond_signal(&((struct lock *)lock)->changed); }

void platform_lock_free(void *opaque) {
    struct lock *lock = opaque;
    pthread_cond_destroy(&lock->changed);
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

int platform_thread_start(void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0) return -result;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    result = pthread_create(&thread, &attributes, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return -result;
}

/// The maximum number of events that one wait returns; the next wait returns the remaining ones.
enum { MAX_EVENTS = 64 };

#ifdef __linux__

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

/// The token of the waker, which no watched descriptor has.
static const uint64_t waker_token = UINT64_MAX;

int platform_poller_open(struct platform_poller *poller) {
    poller->descriptor = epoll_create1(EPOLL_CLOEXEC);
    if (poller->descriptor < 0) return -errno;
    poller->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // Edge-triggered: each write causes one event, so nothing needs to be read.
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET, .data.u64 = waker_token};
    if (poller->waker >= 0
        && epoll_ctl(poller->descriptor, EPOLL_CTL_ADD, poller->waker, &wanted) == 0) {
        return 0;
    }
    int error = errno;
    if (poller->waker >= 0) close(poller->waker);
    close(poller->descriptor);
    return -error;
}

void platform_poller_close(const struct platform_poller *poller) {
    close(poller->waker);
    close(poller->descriptor);
}

int platform_poller_watch(
    const struct platform_poller *poller, int descriptor, uint64_t token, bool is_new,
    bool to_read, bool to_write) {
    struct epoll_event wanted = {
        .events = (to_read ? EPOLLIN : 0) | (to_write ? EPOLLOUT : 0),
        .data.u64 = token,
    };
    // epoll reports a hang-up even if no events are requested, so the descriptor is then removed.
    int change = !to_read && !to_write ? EPOLL_CTL_DEL : is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    return epoll_ctl(poller->descriptor, change, descriptor, &wanted) < 0 ? -errno : 0;
}

int platform_poller_wait(
    const struct platform_poller *poller, struct platform_event *events, int capacity,
    int milliseconds) {
    struct epoll_event found[MAX_EVENTS];
    if (capacity > MAX_EVENTS) capacity = MAX_EVENTS;
    int count = epoll_wait(poller->descriptor, found, capacity, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (found[i].data.u64 == waker_token) continue;
        const uint32_t end = EPOLLERR | EPOLLHUP;
        events[used++] = (struct platform_event){
            .token = found[i].data.u64,
            .is_readable = found[i].events & (EPOLLIN | end),
            .is_writable = found[i].events & (EPOLLOUT | end),
        };
    }
    return used;
}

void platform_poller_wake(const struct platform_poller *poller) {
    const uint64_t one = 1;
    ssize_t ignored = write(poller->waker, &one, sizeof one);
    (void)ignored;
}

int platform_ticks(int milliseconds) {
    int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer < 0) return -errno;
    struct timespec pause = {
        .tv_sec = milliseconds / 1000,
        .tv_nsec = milliseconds % 1000 * 1000000L,
    };
    struct itimerspec times = {.it_interval = pause, .it_value = pause};
    if (timerfd_settime(timer, 0, &times, NULL) == 0) return timer;
    int error = errno;
    close(timer);
    return -error;
}

void platform_drain_ticks(int descriptor) {
    uint64_t count;
    ssize_t ignored = read(descriptor, &count, sizeof count);
    (void)ignored;
}

#else

#include <sys/event.h>
#include <time.h>

int platform_poller_open(struct platform_poller *poller) {
    poller->waker = -1;
    poller->descriptor = kqueue();
    if (poller->descriptor < 0) return -errno;
    struct kevent waker;
    EV_SET(&waker, 0, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    if (kevent(poller->descriptor, &waker, 1, NULL, 0, NULL) == 0) return 0;
    int error = errno;
    close(poller->descriptor);
    return -error;
}

void platform_poller_close(const struct platform_poller *poller) { close(poller->descriptor); }

int platform_poller_watch(
    const struct platform_poller *poller, int descriptor, uint64_t token, bool is_new,
    bool to_read, bool to_write) {
    (void)is_new;
    const struct { int filter; bool is_wanted; } filters[2] = {
        {EVFILT_READ, to_read},
        {EVFILT_WRITE, to_write},
    };
    for (int i = 0; i < 2; i++) {
        struct kevent change;
        EV_SET(
            &change, descriptor, filters[i].filter, filters[i].is_wanted ? EV_ADD : EV_DELETE, 0, 0,
            (void *)(uintptr_t)token);
        if (kevent(poller->descriptor, &change, 1, NULL, 0, NULL) == 0) continue;
        // Removing a filter that was not set is not an error.
        if (filters[i].is_wanted || errno != ENOENT) return -errno;
    }
    return 0;
}

int platform_poller_wait(
    const struct platform_poller *poller, struct platform_event *events, int capacity,
    int milliseconds) {
    struct kevent found[MAX_EVENTS];
    if (capacity > MAX_EVENTS) capacity = MAX_EVENTS;
    struct timespec limit = {
        .tv_sec = milliseconds / 1000,
        .tv_nsec = milliseconds % 1000 * 1000000L,
    };
    int count = kevent(
        poller->descriptor, NULL, 0, found, capacity, milliseconds < 0 ? NULL : &limit);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (found[i].filter == EVFILT_USER) continue;
        const bool is_over = found[i].flags & (EV_EOF | EV_ERROR);
        events[used++] = (struct platform_event){
            .token = (uint64_t)(uintptr_t)found[i].udata,
            .is_readable = found[i].filter == EVFILT_READ || is_over,
            .is_writable = found[i].filter == EVFILT_WRITE || is_over,
        };
    }
    return used;
}

void platform_poller_wake(const struct platform_poller *poller) {
    struct kevent waker;
    EV_SET(&waker, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(poller->descriptor, &waker, 1, NULL, 0, NULL);
}

/// Uses a kqueue, because a kqueue is itself a descriptor that can be watched.
int platform_ticks(int milliseconds) {
    int timer = kqueue();
    if (timer < 0) return -errno;
    struct kevent ticks;
    EV_SET(&ticks, 1, EVFILT_TIMER, EV_ADD, NOTE_MACH_CONTINUOUS_TIME, milliseconds, NULL);
    if (kevent(timer, &ticks, 1, NULL, 0, NULL) == 0) return timer;
    int error = errno;
    close(timer);
    return -error;
}

void platform_drain_ticks(int descriptor) {
    struct kevent tick;
    const struct timespec none = {0, 0};
    kevent(descriptor, NULL, 0, &tick, 1, &none);
}

#endif
