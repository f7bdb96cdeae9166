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

/// The name of this machine, terminated, without its domain.
int platform_host_name(char *name, size_t capacity);
