#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "checked.h"
#include "platform_control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/// Converts `status` if the call that filled it succeeded; returns the result of the call.
static int converted(int result, const struct stat *status, struct platform_file *file) {
    if (result < 0) return result;
#ifdef __APPLE__
    const struct timespec changed = status->st_mtimespec;
#else
    const struct timespec changed = status->st_mtim;
#endif
    file->mode = status->st_mode & 07777;
    file->owner = status->st_uid;
    file->bytes = status->st_size;
    file->changed = (int64_t)changed.tv_sec * 1000000000 + changed.tv_nsec;
    file->device = (uint64_t)status->st_dev;
    file->number = status->st_ino;
    file->is_directory = S_ISDIR(status->st_mode);
    file->is_regular = S_ISREG(status->st_mode);
    file->is_socket = S_ISSOCK(status->st_mode);
    return 0;
}

int platform_file_status(const char *path, struct platform_file *file) {
    struct stat status;
    return converted(CHECKED(lstat(path, &status)), &status, file);
}

int platform_target_status(const char *path, struct platform_file *file) {
    struct stat status;
    return converted(CHECKED(stat(path, &status)), &status, file);
}

int platform_descriptor_status(int descriptor, struct platform_file *file) {
    struct stat status;
    return converted(CHECKED(fstat(descriptor, &status)), &status, file);
}

int platform_disk_status(const char *path, struct platform_disk *disk) {
    struct statvfs status;
    int result = CHECKED(statvfs(path, &status));
    if (result < 0) return result;
    disk->free_bytes = (int64_t)status.f_bavail * (int64_t)status.f_frsize;
    disk->is_read_only = status.f_flag & ST_RDONLY;
    return 0;
}

int platform_may_write(const char *path) { return CHECKED(access(path, W_OK)); }

int platform_make_directory(const char *path) { return CHECKED(mkdir(path, S_IRWXU)); }

/// Returns 0 if an open directory is empty.
static int check_empty(int descriptor) {
    int copy = CHECKED(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (copy < 0) return copy;
    DIR *names = fdopendir(copy);
    if (names == NULL) {
        close(copy);
        return -ENOMEM;
    }
    int count = 0;
    while (readdir(names) != NULL) count++;
    closedir(names);
    // Every directory contains itself and its parent.
    return count > 2 ? -ENOTEMPTY : 0;
}

int platform_close_to_others(const char *path) {
    int descriptor = CHECKED(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (descriptor < 0) return descriptor;
    struct stat status;
    int result = CHECKED(fstat(descriptor, &status));
    if (result >= 0 && status.st_uid != geteuid()) result = -EPERM;
    if (result >= 0) result = check_empty(descriptor);
    if (result >= 0) result = CHECKED(fchmod(descriptor, S_IRWXU));
    // Others may have put something there until now: then it stays open, and is refused.
    if (result >= 0 && (result = check_empty(descriptor)) < 0) {
        (void)CHECKED(fchmod(descriptor, status.st_mode & 07777));
    }
    close(descriptor);
    return result;
}

int platform_unlink(const char *path) { return CHECKED(unlink(path)); }

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path) < 0 ? -errno : 0;
}

int platform_remove_tree(const char *path) {
    // Removes the content of a directory before the directory; links are not followed.
    int result = nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return result == -1 ? -errno : result;
}

int platform_rename(const char *from, const char *to) { return CHECKED(rename(from, to)); }

int platform_link(const char *from, const char *to) { return CHECKED(link(from, to)); }

ptrdiff_t platform_read_file(const char *path, int64_t offset, void *bytes, size_t capacity) {
    // Nonblocking, so that a named pipe at this path cannot block the caller.
    int descriptor = CHECKED(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor < 0) return descriptor;
    ptrdiff_t count = CHECKED(pread(descriptor, bytes, capacity, offset));
    close(descriptor);
    return count;
}

int platform_create_file(const char *path, bool is_private) {
    const mode_t owner = S_IRUSR | S_IWUSR;
    const mode_t others = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    return CHECKED(open(
        path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
        is_private ? owner : owner | others));
}

int platform_sync(int descriptor) { return CHECKED(fsync(descriptor)); }

int platform_sync_path(const char *path) {
    int descriptor = CHECKED(open(path, O_RDONLY | O_CLOEXEC));
    if (descriptor < 0) return descriptor;
    int synced = CHECKED(fsync(descriptor));
    close(descriptor);
    return synced;
}

int platform_write_file(const char *path, const void *bytes, size_t count) {
    const mode_t readable = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    int descriptor = CHECKED(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readable));
    if (descriptor < 0) return descriptor;
    int written = platform_write_all(descriptor, bytes, count);
    int closed = CHECKED(close(descriptor));
    return written < 0 ? written : closed;
}

int platform_open_log(const char *path) {
    // Nonblocking, so that a named pipe at this path cannot block the caller.
    int descriptor = CHECKED(open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR));
    if (descriptor < 0) return descriptor;
    struct stat status;
    int result = CHECKED(fstat(descriptor, &status));
    if (result >= 0 && !S_ISREG(status.st_mode)) result = -ENXIO;
    if (result >= 0) return descriptor;
    close(descriptor);
    return result;
}

int platform_write_whole(int descriptor, const void *bytes, size_t count) {
    int result = CHECKED(ftruncate(descriptor, 0));
    if (result < 0) return result;
    ptrdiff_t written = CHECKED(pwrite(descriptor, bytes, count, 0));
    if (written < 0) return (int)written;
    return (size_t)written == count ? 0 : -EIO;
}

/// Returns the process that the system reports as holder of the record lock; 0 if there is none, or
/// if it is this process.
static int32_t named_holder(int descriptor) {
    struct flock named = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = CHECKED(fcntl(descriptor, F_GETLK, &named));
    return result < 0 || named.l_type == F_UNLCK || named.l_pid < 0 ? 0 : named.l_pid;
}

int platform_lock_file(const char *path) {
    int descriptor = CHECKED(
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (descriptor < 0) return descriptor;
    int result = CHECKED(flock(descriptor, LOCK_EX | LOCK_NB));
    // The flock may be held for a moment by a process that only checks it (platform_lock_is_held).
    for (int left = 50; result == -EWOULDBLOCK && left > 0; left--) {
        if (named_holder(descriptor) != 0) break;
        (void)poll(NULL, 0, 1);
        result = CHECKED(flock(descriptor, LOCK_EX | LOCK_NB));
    }
    if (result < 0) {
        close(descriptor);
        return result;
    }
    // The system reports the holder only of this second lock; its failure costs only that report.
    struct flock named = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    (void)CHECKED(fcntl(descriptor, F_SETLK, &named));
    return descriptor;
}

int32_t platform_lock_holder(const char *path) {
    int descriptor = CHECKED(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (descriptor < 0) return 0;
    int32_t holder = named_holder(descriptor);
    close(descriptor);
    return holder;
}

bool platform_lock_is_held(const char *path) {
    int descriptor = CHECKED(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (descriptor < 0) return false;
    int result = CHECKED(flock(descriptor, LOCK_SH | LOCK_NB));
    close(descriptor);
    return result == -EWOULDBLOCK;
}

/// Polls until an event or the timeout; a signal does not end the wait.
static int poll_for(struct pollfd *waited, int count, int milliseconds) {
    const int64_t end = platform_steady_milliseconds() + milliseconds;
    for (int left = milliseconds;;) {
        int result = poll(waited, (nfds_t)count, left);
        if (result >= 0) return result;
        if (errno != EINTR) return -errno;
        if (milliseconds < 0) continue;
        int64_t rest = end - platform_steady_milliseconds();
        left = rest < 0 ? 0 : (int)rest;
    }
}

int platform_wait(int descriptor, bool to_write, int second, int milliseconds) {
    struct pollfd waited[2] = {
        {.fd = descriptor, .events = to_write ? POLLOUT : POLLIN},
        {.fd = second, .events = POLLIN},
    };
    int result = poll_for(waited, 2, milliseconds);
    return result > 0 ? (waited[1].revents ? 2 : 1) : result;
}

int platform_wait_any(const int *descriptors, int count, int milliseconds) {
    struct pollfd waited[8];
    if (count > 8) return -EINVAL;
    for (int i = 0; i < count; i++) {
        waited[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
    }
    int result = poll_for(waited, count, milliseconds);
    for (int i = 0; result > 0 && i < count; i++) {
        if (waited[i].revents) return i + 1;
    }
    return result;
}

ptrdiff_t platform_read(int descriptor, void *bytes, size_t capacity) {
    return CHECKED(read(descriptor, bytes, capacity));
}

int platform_write_all(int descriptor, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ptrdiff_t written = CHECKED(write(descriptor, next, count));
        if (written == -EAGAIN) {
            int result = platform_wait(descriptor, true, -1, -1);
            if (result < 0) return result;
            continue;
        }
        if (written < 0) return (int)written;
        next += written;
        count -= (size_t)written;
    }
    return 0;
}

int platform_pipe(int ends[2]) {
#ifdef __linux__
    return CHECKED(pipe2(ends, O_CLOEXEC));
#else
    int result = CHECKED(pipe(ends));
    if (result < 0) return result;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

void platform_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

/// The writing end of the pipe that the signal handler uses; set before the handler is installed.
static int signal_pipe_end = -1;

static void record_signal(int number) {
    const int before = errno;
    const unsigned char byte = (unsigned char)number;
    // If the pipe is full, enough signals are waiting in it.
    ptrdiff_t ignored = write(signal_pipe_end, &byte, 1);
    (void)ignored;
    errno = before;
}

int platform_signal_pipe(const int *signals, int count) {
    int ends[2];
    int result = platform_pipe(ends);
    if (result < 0) return result;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
    }
    signal_pipe_end = ends[1];
    struct sigaction action = {.sa_handler = record_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < count; i++) {
        struct sigaction before;
        // A signal that was ignored when this process started (nohup) stays ignored.
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        if (sigaction(signals[i], &action, NULL) < 0) return -errno;
    }
    // The signals may have been blocked when this process started.
    sigset_t ours;
    sigemptyset(&ours);
    for (int i = 0; i < count; i++) sigaddset(&ours, signals[i]);
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
    return ends[0];
}

void platform_hold_signal(int number) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, number);
    pthread_sigmask(SIG_BLOCK, &held, NULL);
}

void platform_end_by_signal(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

/// The signals that end a process by default and are handled here.
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
enum { COUNT = sizeof ends / sizeof ends[0] };

/// The file to remove on a signal; empty if none. Not written while the handler is installed.
static char passing_file[PATH_MAX];
/// The previous actions of the signals, to be restored.
static struct sigaction usual[COUNT];

/// Handles a signal; calls only async-signal-safe functions (POSIX, "General Information", 2.4.3).
static void remove_and_end(int number) {
    unlink(passing_file);
    platform_end_by_signal(number);
}

static void forget_file(void) {
    if (passing_file[0] == 0) return;
    for (int i = 0; i < COUNT; i++) sigaction(ends[i], &usual[i], NULL);
    passing_file[0] = 0;
}

int platform_remove_on_signal(const char *path) {
    forget_file();
    if (path == NULL) return 0;
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof passing_file) return -ENAMETOOLONG;
    memcpy(passing_file, path, length + 1);
    struct sigaction action = {.sa_handler = remove_and_end};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < COUNT; i++) {
        sigaction(ends[i], NULL, &usual[i]);
        // A signal that was ignored when this process started (nohup) stays ignored.
        if (usual[i].sa_handler != SIG_IGN) sigaction(ends[i], &action, NULL);
    }
    return 0;
}

bool platform_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int platform_terminal_size(int descriptor, int *columns, int *rows) {
    struct winsize size = {0};
    int result = CHECKED(ioctl(descriptor, TIOCGWINSZ, &size));
    *columns = size.ws_col;
    *rows = size.ws_row;
    return result;
}

/// The terminal that is in raw mode, negative if none, and its previous settings.
static int taken_terminal = -1;
static struct termios usual_terminal;

int platform_enter_raw_mode(int descriptor) {
    struct termios usual;
    int result = CHECKED(tcgetattr(descriptor, &usual));
    if (result < 0) return result;
    struct termios taken = usual;
    taken.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
    taken.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
    taken.c_cc[VMIN] = 1;
    taken.c_cc[VTIME] = 0;
    result = CHECKED(tcsetattr(descriptor, TCSADRAIN, &taken));
    if (result < 0) return result;
    taken_terminal = descriptor;
    usual_terminal = usual;
    return 0;
}

void platform_leave_raw_mode(void) {
    if (taken_terminal < 0) return;
    // Another foreground process may have changed the settings, and a call from the background
    // would stop this process.
    if (tcgetpgrp(taken_terminal) == getpgrp()) {
        (void)CHECKED(tcsetattr(taken_terminal, TCSADRAIN, &usual_terminal));
    }
    taken_terminal = -1;
}

void platform_stop_process(void) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigaction(SIGTSTP, &usual, &before);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
}

static int64_t milliseconds_of(clockid_t clock) {
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t platform_wall_milliseconds(void) { return milliseconds_of(CLOCK_REALTIME); }
int64_t platform_steady_milliseconds(void) { return milliseconds_of(CLOCK_MONOTONIC); }

void platform_time_text(int64_t milliseconds, bool is_local, const char *format, char *text) {
    time_t seconds = (time_t)(milliseconds / 1000);
    struct tm parts = {0};
    if (is_local) localtime_r(&seconds, &parts);
    else gmtime_r(&seconds, &parts);
    if (strftime(text, 32, format, &parts) == 0) text[0] = 0;
}

int platform_signal_interrupt(void) { return SIGINT; }
int platform_signal_terminate(void) { return SIGTERM; }
int platform_signal_hang_up(void) { return SIGHUP; }
int platform_signal_quit(void) { return SIGQUIT; }
int platform_signal_resize(void) { return SIGWINCH; }
int platform_signal_stop(void) { return SIGTSTP; }
int platform_signal_user(void) { return SIGUSR1; }
