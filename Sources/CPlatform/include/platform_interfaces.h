/// The network interfaces of this machine, and their changes.
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
    /// The kernel's number for it.
    unsigned index;
    /// The address and the netmask in host byte order.
    uint32_t address;
    uint32_t netmask;
    bool is_up;
    bool is_loopback;
    bool can_broadcast;
};

/// Writes up to `capacity` interfaces and returns their number.
int platform_interfaces(struct platform_interface *interfaces, int capacity);

/// The address, in host byte order, from which this machine would send to other networks; nothing
/// is sent. `-ENETUNREACH` if there is no route.
int platform_outgoing_address(uint32_t *address);

/// Returns a nonblocking descriptor that becomes readable when a link or an IPv4 address changes;
/// needs no privilege.
int platform_interface_changes(void);

/// Reads everything from that descriptor; returns 1 if it reported a change or the kernel had to
/// drop messages, else 0.
int platform_drain_interface_changes(int descriptor);

/// Whether a message of the kernel, as read from that descriptor, reports a change. A malformed
/// length ends the search. (Separate from reading, so that a test can pass any bytes.)
bool platform_is_interface_change(const void *bytes, size_t count);
