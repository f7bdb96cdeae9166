#include "platform_control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

int platform_notify_service(const char *state) {
    const char *path = getenv("NOTIFY_SOCKET");
    if (path == NULL || *path == '\0') return 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length);
    // An @ stands for the leading zero byte of Linux's abstract namespace.
    if (path[0] == '@') address.sun_path[0] = '\0';
    int descriptor = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (descriptor < 0) return -errno;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(descriptor, state, strlen(state), 0, (struct sockaddr *)&address, size);
    int result = sent < 0 ? -errno : 0;
    close(descriptor);
    return result;
}

int platform_keep_memory_private(void) {
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) < 0) return -errno;
#ifdef __linux__
    // The limit does not apply to a core that is piped to a program (core_pattern).
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
#endif
    return 0;
}

void platform_share_heap(void) {
#ifdef __GLIBC__
    // Cannot fail: every positive number is accepted.
    (void)mallopt(M_ARENA_MAX, 1);
#endif
}

int platform_host_name(char *name, size_t capacity) {
    if (gethostname(name, capacity) != 0) return -errno;
    name[capacity - 1] = '\0';
    char *dot = strchr(name, '.');
    if (dot != NULL) *dot = '\0';
    return 0;
}

int64_t platform_log_bytes(const char *path) {
    struct stat file, output;
    if (lstat(path, &file) < 0 || fstat(STDERR_FILENO, &output) < 0) return -1;
    bool is_same = file.st_dev == output.st_dev && file.st_ino == output.st_ino;
    return is_same && S_ISREG(file.st_mode) ? (int64_t)file.st_size : -1;
}

bool platform_logs_to_journal(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat output;
    if (stream == NULL || sscanf(stream, "%llu:%llu", &device, &inode) != 2) return false;
    if (fstat(STDERR_FILENO, &output) < 0) return false;
    return (unsigned long long)output.st_dev == device &&
           (unsigned long long)output.st_ino == inode;
}

int platform_log_begin(const char *path) {
    int descriptor = platform_open_log(path);
    if (descriptor < 0) return descriptor;
    int result = dup2(descriptor, STDERR_FILENO) < 0 ? -errno : 0;
    close(descriptor);
    return result;
}

int platform_log_rotate(const char *path, const char *aside) {
    if (rename(path, aside) < 0) return -errno;
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
    int descriptor = open(path, flags, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        int error = errno;
        // Restores the old file: a log that is too long is better than none.
        (void)rename(aside, path);
        return -error;
    }
    int result = dup2(descriptor, STDERR_FILENO) < 0 ? -errno : 0;
    close(descriptor);
    return result;
}
