/// The calls of the operating system that Swift cannot see, or that differ between systems.
///
/// Everything that depends on the system (`__linux__`, `__APPLE__`) stays in this target, so that
/// the Swift above reads the same everywhere.
#pragma once

#include "platform_control.h"
#include "platform_interfaces.h"
#include "platform_log.h"
#include "platform_names.h"
#include "platform_poller.h"
#include "platform_service.h"
#include "platform_sockets.h"
