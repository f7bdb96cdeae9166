/// System calls that Swift cannot import or that differ between systems.
///
/// All code that depends on the system (`__linux__`, `__APPLE__`) belongs in this target.
#pragma once

#include "platform_control.h"
#include "platform_poller.h"
#include "platform_sockets.h"
