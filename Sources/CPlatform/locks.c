#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "checked.h"
#include "platform_control.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/// The process that is recorded as the holder of a lock file; 0 if none is, or this one.
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
    // A process that only checks (platform_lock_is_held) holds it for a moment.
    for (int left = 50; result == -EWOULDBLOCK && left > 0; left--) {
        if (named_holder(descriptor) != 0) break;
        (void)poll(NULL, 0, 1);
        result = CHECKED(flock(descriptor, LOCK_EX | LOCK_NB));
    }
    if (result < 0) {
        close(descriptor);
        return result;
    }
    // For this second lock the system reports the holder. Without it only that is missing.
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
