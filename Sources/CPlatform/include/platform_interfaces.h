/// The network interfaces of this machine, and the news that they have changed.
///
/// Results follow `platform_sockets.h`: zero or more, or the negated errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One IPv4 address of one interface; an interface with two addresses appears twice.
struct platform_interface {
    /// The name with its terminating zero, such as "wlan0".
    char name[32];
    /// The number by which the kernel knows it.
    unsigned index;
    /// The address and the netmask in host byte order.
    uint32_t address;
    uint32_t netmask;
    bool is_up;
    bool is_loopback;
    bool can_broadcast;
};

/// Writes up to `capacity` interfaces and returns how many were written.
int platform_interfaces(struct platform_interface *interfaces, int capacity);

/// The address, in host byte order, from which this machine would send to networks that it is not
/// in; nothing is sent. `-ENETUNREACH` where no way leads there.
int platform_outgoing_address(uint32_t *address);

/// A nonblocking descriptor that becomes readable when a link or an IPv4 address changes. It needs
/// no privilege.
int platform_interface_changes(void);

/// Reads everything that waits on that descriptor: 1 when some of it told of a change (or when the
/// kernel had to drop some), 0 when none did.
int platform_drain_interface_changes(int descriptor);

/// Whether a message of the kernel, as read from that descriptor, tells of a change. Malformed
/// lengths end the search. (Apart from the reading so that a test can hand it any bytes.)
bool platform_is_interface_change(const void *bytes, size_t count);
