/// For a program that runs in the background.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stddef.h>

/// Reports a state to the service manager of `NOTIFY_SOCKET`, as sd_notify(3) does; returns 0 also
/// if there is none.
int platform_notify_service(const char *state);

/// Keeps the memory of this process, which holds keys, out of core files and from other processes
/// of the same user.
int platform_keep_memory_private(void);

/// Has all threads share one heap, because heaps per thread grow by memory that other threads free.
/// For a program with one busy thread; call it before a second one starts. Does nothing if the heap
/// has no such option.
void platform_share_heap(void);

/// Writes the host name of this machine, terminated, without its domain.
int platform_host_name(char *name, size_t capacity);
