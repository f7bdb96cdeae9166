#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "platform_control.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#else
#include <sys/event.h>
#endif

#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/dyld.h>
#endif

int32_t platform_own_process(void) { return getpid(); }

_Noreturn void platform_exit(int status) { exit(status); }

ptrdiff_t platform_own_path(char *path, size_t capacity) {
    if (capacity == 0) return -ENAMETOOLONG;
#ifdef __APPLE__
    uint32_t size = (uint32_t)capacity;
    if (_NSGetExecutablePath(path, &size) != 0) return -ENAMETOOLONG;
    return (ptrdiff_t)strlen(path);
#else
    ptrdiff_t count = readlink("/proc/self/exe", path, capacity - 1);
    if (count < 0) return -errno;
    path[count] = 0;
    return count;
#endif
}

const char *platform_environment(const char *name) { return getenv(name); }

char *const *platform_whole_environment(void) {
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    return environ;
#endif
}

int platform_current_directory(char *path, size_t capacity) {
    return getcwd(path, capacity) == NULL ? -errno : 0;
}

bool platform_is_executable(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/// The signals that a process ignores while a program that it has started uses the terminal.
static const int ignored[] = {SIGINT, SIGQUIT, SIGPIPE};
enum { IGNORED = sizeof ignored / sizeof ignored[0] };

/// Plans the descriptors 0 to 3 of the child, and that all others are closed.
static int plan_descriptors(posix_spawn_file_actions_t *plan, int log, int ready) {
    int result = posix_spawn_file_actions_addopen(plan, 0, "/dev/null", O_RDONLY, 0);
    if (result == 0) result = posix_spawn_file_actions_addopen(plan, 1, "/dev/null", O_WRONLY, 0);
    if (result == 0) result = posix_spawn_file_actions_adddup2(plan, log, 2);
    if (result == 0) result = posix_spawn_file_actions_adddup2(plan, ready, 3);
#ifdef __linux__
    if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(plan, 4);
#endif
    if (result == 0) result = posix_spawn_file_actions_addchdir_np(plan, "/");
    return result;
}

/// Plans that the child leads a session and has no signal blocked or ignored.
static int plan_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
#ifdef __APPLE__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int result = posix_spawnattr_setflags(attributes, flags);
    if (result == 0) result = posix_spawnattr_setsigmask(attributes, &none);
    if (result == 0) result = posix_spawnattr_setsigdefault(attributes, &all);
    return result;
}

int32_t platform_spawn_daemon(
    const char *path, char *const *arguments, char *const *environment, int log, int ready
) {
    posix_spawn_file_actions_t plan;
    int result = posix_spawn_file_actions_init(&plan);
    if (result != 0) return -result;
    posix_spawnattr_t attributes;
    result = posix_spawnattr_init(&attributes);
    if (result != 0) {
        posix_spawn_file_actions_destroy(&plan);
        return -result;
    }
    pid_t process = 0;
    // Numbered above 3, so that no step of the plan overwrites them.
    const int above = fcntl(ready, F_DUPFD_CLOEXEC, 10);
    const int log_above = fcntl(log, F_DUPFD_CLOEXEC, 10);
    result = above < 0 || log_above < 0 ? errno : plan_descriptors(&plan, log_above, above);
    if (result == 0) result = plan_attributes(&attributes);
    if (result == 0) {
        result = posix_spawn(&process, path, &plan, &attributes, arguments, environment);
    }
    if (above >= 0) close(above);
    if (log_above >= 0) close(log_above);
    posix_spawn_file_actions_destroy(&plan);
    posix_spawnattr_destroy(&attributes);
    return result == 0 ? (int32_t)process : -result;
}

int32_t platform_spawn_silent(
    const char *path, char *const *arguments, char *const *environment, int output, int errors
) {
    posix_spawn_file_actions_t plan;
    int result = posix_spawn_file_actions_init(&plan);
    if (result != 0) return -result;
    pid_t process = 0;
    for (int descriptor = 0; result == 0 && descriptor <= 2; descriptor++) {
        result = posix_spawn_file_actions_addopen(&plan, descriptor, "/dev/null", O_RDWR, 0);
    }
    if (result == 0 && output >= 0) result = posix_spawn_file_actions_adddup2(&plan, output, 1);
    if (result == 0 && errors >= 0) result = posix_spawn_file_actions_adddup2(&plan, errors, 2);
    if (result == 0) result = posix_spawn(&process, path, &plan, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&plan);
    return result == 0 ? (int32_t)process : -result;
}

/// Starts a program with `input` as its standard input, and default actions of the signals that
/// `platform_run_with_input` ignores.
static int spawn_reading(
    pid_t *process, const char *path, char *const *arguments, char *const *environment, int input
) {
    posix_spawn_file_actions_t plan;
    int result = posix_spawn_file_actions_init(&plan);
    if (result != 0) return -result;
    posix_spawnattr_t attributes;
    result = posix_spawnattr_init(&attributes);
    if (result == 0) {
        sigset_t usual;
        sigemptyset(&usual);
        for (int i = 0; i < IGNORED; i++) sigaddset(&usual, ignored[i]);
        result = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        if (result == 0) result = posix_spawnattr_setsigdefault(&attributes, &usual);
        if (result == 0) result = posix_spawn_file_actions_adddup2(&plan, input, 0);
        if (result == 0) {
            result = posix_spawn(process, path, &plan, &attributes, arguments, environment);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&plan);
    return -result;
}

int platform_run_with_input(
    const char *path, char *const *arguments, char *const *environment, const void *bytes,
    size_t count
) {
    int ends[2];
    int result = platform_pipe(ends);
    if (result < 0) return result;
    struct sigaction before[IGNORED];
    const struct sigaction none = {.sa_handler = SIG_IGN};
    for (int i = 0; i < IGNORED; i++) sigaction(ignored[i], &none, &before[i]);
    pid_t process = 0;
    result = spawn_reading(&process, path, arguments, environment, ends[0]);
    close(ends[0]);
    // The program may end before it has read everything.
    if (result == 0) (void)platform_write_all(ends[1], bytes, count);
    close(ends[1]);
    int raw = 0;
    while (result == 0 && waitpid(process, &raw, 0) < 0) {
        if (errno != EINTR) result = -errno;
    }
    for (int i = 0; i < IGNORED; i++) sigaction(ignored[i], &before[i], NULL);
    if (result < 0) return result;
    return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

int platform_become(const char *path, char *const *arguments, char *const *environment) {
    execve(path, arguments, environment);
    return -errno;
}

int platform_child_status(int32_t process, int *status) {
    int raw = 0;
    pid_t ended;
    do { ended = waitpid(process, &raw, WNOHANG); } while (ended < 0 && errno == EINTR);
    if (ended < 0) return -errno;
    if (ended == 0) return 0;
    *status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    return 1;
}

int platform_watch_process(int32_t process) {
#ifdef __linux__
    int descriptor = (int)syscall(SYS_pidfd_open, (pid_t)process, 0);
    return descriptor < 0 ? -errno : descriptor;
#else
    int descriptor = kqueue();
    if (descriptor < 0) return -errno;
    struct kevent change;
    EV_SET(&change, process, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
    int result = kevent(descriptor, &change, 1, NULL, 0, NULL) < 0 ? -errno : 0;
    if (result == 0) return descriptor;
    close(descriptor);
    return result;
#endif
}

int platform_signal_process(int descriptor, int32_t process, int number) {
#ifdef __linux__
    (void)process;
    return syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0) < 0 ? -errno : 0;
#else
    // The process id is not reused before this process has waited for the child.
    (void)descriptor;
    return kill(process, number) < 0 ? -errno : 0;
#endif
}

bool platform_is_busy_program(int result) { return result == -ETXTBSY; }
