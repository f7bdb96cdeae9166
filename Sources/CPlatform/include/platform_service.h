/// What a program that runs in the background needs from the system.
///
/// As in `platform_sockets.h`, a function that can fail returns zero or more, or the *negated*
/// errno.
#pragma once

#include <stddef.h>

/// Tells the service manager that `NOTIFY_SOCKET` names a state, as sd_notify(3) does; 0 also when
/// there is none.
int platform_notify_service(const char *state);

/// Lets nothing of this process's memory reach a core file, or another process of the same user:
/// it holds keys.
int platform_keep_memory_private(void);

/// Lets all threads take memory from one heap, and give it back there: one that each thread has for
/// itself grows by what it once lent to others. For a program of which one thread does nearly all;
/// to be called before there is a second one. Does nothing where the heap has no such switch.
void platform_share_heap(void);

/// The name of this machine, terminated, without its domain.
int platform_host_name(char *name, size_t capacity);
