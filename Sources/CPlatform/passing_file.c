#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "platform_control.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/// The signals that end a process by default.
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
enum { COUNT = sizeof ends / sizeof ends[0] };

/// The file to remove; empty if none. Written only while no handler is installed that reads it.
static char passing_file[PATH_MAX];
/// The previous actions of the signals.
static struct sigaction usual[COUNT];

/// Calls only async-signal-safe functions (POSIX, "General Information", 2.4.3).
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
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remove_and_end;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < COUNT; i++) {
        sigaction(ends[i], NULL, &usual[i]);
        // A signal that the parent has set to be ignored (nohup) stays ignored.
        if (usual[i].sa_handler != SIG_IGN) sigaction(ends[i], &action, NULL);
    }
    return 0;
}
