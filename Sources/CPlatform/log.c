#include "platform_log.h"
#include "platform_control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int64_t platform_log_bytes(const char *path) {
    struct stat file, output;
    if (lstat(path, &file) < 0 || fstat(STDERR_FILENO, &output) < 0) return -1;
    bool is_same = file.st_dev == output.st_dev && file.st_ino == output.st_ino;
    return is_same && S_ISREG(file.st_mode) ? (int64_t)file.st_size : -1;
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
        // A log that is too long is better than none.
        (void)rename(aside, path);
        return -error;
    }
    int result = dup2(descriptor, STDERR_FILENO) < 0 ? -errno : 0;
    close(descriptor);
    return result;
}
