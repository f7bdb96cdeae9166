#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "platform_sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t host_order(const struct sockaddr *name) {
    struct sockaddr_in in;
    memcpy(&in, name, sizeof in);
    return ntohl(in.sin_addr.s_addr);
}

int platform_outgoing_address(uint32_t *address) {
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    if (descriptor < 0) return -errno;
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(9)};
    // An address reserved for documentation (RFC 5737). Connecting a datagram socket sends nothing.
    name.sin_addr.s_addr = htonl(0xC6336401);
    socklen_t length = sizeof name;
    int result = connect(descriptor, (struct sockaddr *)&name, length);
    if (result == 0) result = getsockname(descriptor, (struct sockaddr *)&name, &length);
    if (result < 0) result = -errno;
    else *address = ntohl(name.sin_addr.s_addr);
    close(descriptor);
    return result;
}

int platform_interfaces(struct platform_interface *interfaces, int capacity) {
    struct ifaddrs *first = NULL;
    if (getifaddrs(&first) < 0) return -errno;
    int count = 0;
    for (struct ifaddrs *each = first; each && count < capacity; each = each->ifa_next) {
        if (!each->ifa_addr || !each->ifa_netmask) continue;
        if (each->ifa_addr->sa_family != AF_INET) continue;
        struct platform_interface *found = &interfaces[count++];
        memset(found, 0, sizeof *found);
        snprintf(found->name, sizeof found->name, "%s", each->ifa_name);
        found->index = if_nametoindex(each->ifa_name);
        found->address = host_order(each->ifa_addr);
        found->netmask = host_order(each->ifa_netmask);
        found->is_up = (each->ifa_flags & IFF_UP) && (each->ifa_flags & IFF_RUNNING);
        found->is_loopback = each->ifa_flags & IFF_LOOPBACK;
        found->can_broadcast = each->ifa_flags & IFF_BROADCAST;
    }
    freeifaddrs(first);
    return count;
}

// Error codes of getaddrinfo are negative on some systems and positive on others; callers get
// positive ones on all.
#if EAI_FAIL < 0
#define SIGN (-1)
#else
#define SIGN 1
#endif

int platform_lookup(const char *host, uint32_t *addresses, int capacity) {
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *first = NULL;
    int code = getaddrinfo(host, NULL, &wanted, &first);
    if (code != 0) return -(SIGN * code);
    int count = 0;
    for (struct addrinfo *each = first; each && count < capacity; each = each->ai_next) {
        struct sockaddr_in in;
        memcpy(&in, each->ai_addr, sizeof in);
        addresses[count++] = ntohl(in.sin_addr.s_addr);
    }
    freeaddrinfo(first);
    return count;
}

const char *platform_lookup_error_text(int code) { return gai_strerror(SIGN * code); }

// Netlink reports changes of interfaces on Linux, a routing socket on other systems.

#ifdef __linux__

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

int platform_interface_changes(void) {
    int descriptor =
        socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl name = {
        .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR,
    };
    if (bind(descriptor, (struct sockaddr *)&name, sizeof name) < 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

bool platform_is_interface_change(const void *bytes, size_t count) {
    const char *next = bytes;
    struct nlmsghdr header;
    while (count >= sizeof header) {
        memcpy(&header, next, sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > count) return false;
        switch (header.nlmsg_type) {
        case RTM_NEWLINK: case RTM_DELLINK: case RTM_NEWADDR: case RTM_DELADDR: return true;
        default: break;
        }
        size_t step = NLMSG_ALIGN(header.nlmsg_len);
        if (step > count) return false;
        next += step;
        count -= step;
    }
    return false;
}

#else

#include <net/route.h>

int platform_interface_changes(void) {
    int descriptor = socket(PF_ROUTE, SOCK_RAW, AF_INET);
    if (descriptor < 0) return -errno;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0
        || fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

bool platform_is_interface_change(const void *bytes, size_t count) {
    struct { unsigned short length; unsigned char version, type; } header;
    if (count < sizeof header) return false;
    memcpy(&header, bytes, sizeof header);
    return header.type == RTM_IFINFO || header.type == RTM_NEWADDR || header.type == RTM_DELADDR;
}

#endif

int platform_drain_interface_changes(int descriptor) {
    _Alignas(8) char message[16384];
    int changed = 0;
    for (;;) {
        ssize_t count = recv(descriptor, message, sizeof message, 0);
        if (count > 0) {
            changed |= platform_is_interface_change(message, (size_t)count);
        } else if (count < 0 && errno == ENOBUFS) {
            changed = 1;
        } else if (count == 0 || errno == EAGAIN || errno == EWOULDBLOCK) {
            return changed;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
}
