// Changes of interfaces are reported by netlink on Linux, by a routing socket elsewhere.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "platform_interfaces.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

int platform_interface_changes(void) {
    int descriptor =
        socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl name;
    memset(&name, 0, sizeof name);
    name.nl_family = AF_NETLINK;
    name.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR;
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
