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

int platform_route(struct platform_endpoint target) {
    int descriptor = platform_udp_socket(!platform_is_ipv4(target));
    if (descriptor < 0) return descriptor;
    // Connecting a datagram socket sends nothing.
    int result = platform_connect(descriptor, target);
    close(descriptor);
    return result;
}

static int prefix_length(const struct sockaddr *netmask) {
    const struct platform_endpoint mask = platform_read_endpoint(netmask);
    // An IPv4 netmask is read as an IPv4-mapped address.
    if (platform_is_ipv4(mask)) return __builtin_popcountll(mask.low & UINT32_MAX);
    return __builtin_popcountll(mask.high) + __builtin_popcountll(mask.low);
}

#ifdef __linux__
/// Removes the IPv6 addresses that cannot be used: the system still checks whether another machine
/// has them, or one does (RFC 4862, section 5.4).
static int without_tentative(struct platform_interface *interfaces, int count) {
    FILE *file = fopen("/proc/net/if_inet6", "re");
    if (!file) return count;
    unsigned long long high, low;
    unsigned index, flags;
    while (fscanf(file, "%16llx%16llx %x %*x %*x %x %*s", &high, &low, &index, &flags) == 4) {
        // IFA_F_DADFAILED and IFA_F_TENTATIVE.
        if (!(flags & 0x48)) continue;
        int kept = 0;
        for (int each = 0; each < count; each++) {
            const struct platform_interface *found = &interfaces[each];
            if (found->index == index && found->high == high && found->low == low) continue;
            interfaces[kept++] = *found;
        }
        count = kept;
    }
    fclose(file);
    return count;
}
#else
static int without_tentative(struct platform_interface *interfaces, int count) {
    (void)interfaces;
    return count;
}
#endif

int platform_interfaces(struct platform_interface *interfaces, int capacity) {
    struct ifaddrs *first = NULL;
    if (getifaddrs(&first) < 0) return -errno;
    int count = 0;
    for (struct ifaddrs *each = first; each && count < capacity; each = each->ifa_next) {
        if (!each->ifa_addr || !each->ifa_netmask) continue;
        const int family = each->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6) continue;
        const struct platform_endpoint address = platform_read_endpoint(each->ifa_addr);
        // Some systems leave the family of a netmask out.
        struct sockaddr_storage netmask = {0};
        const size_t bytes =
            family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
        memcpy(&netmask, each->ifa_netmask, bytes);
        netmask.ss_family = (sa_family_t)family;
        struct platform_interface *found = &interfaces[count++];
        memset(found, 0, sizeof *found);
        snprintf(found->name, sizeof found->name, "%s", each->ifa_name);
        found->index = if_nametoindex(each->ifa_name);
        found->high = address.high;
        found->low = address.low;
        found->prefix_length = prefix_length((struct sockaddr *)&netmask);
        found->is_up = (each->ifa_flags & IFF_UP) && (each->ifa_flags & IFF_RUNNING);
        found->is_loopback = each->ifa_flags & IFF_LOOPBACK;
        found->can_broadcast = each->ifa_flags & IFF_BROADCAST;
        found->can_multicast = each->ifa_flags & IFF_MULTICAST;
    }
    freeifaddrs(first);
    return without_tentative(interfaces, count);
}

// Error codes of getaddrinfo are negative on some systems and positive on others; callers get
// positive ones on all.
#if EAI_FAIL < 0
#define SIGN (-1)
#else
#define SIGN 1
#endif

int platform_lookup(const char *host, struct platform_endpoint *addresses, int capacity) {
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *first = NULL;
    int code = getaddrinfo(host, NULL, &wanted, &first);
    if (code != 0) return -(SIGN * code);
    int count = 0;
    for (struct addrinfo *each = first; each && count < capacity; each = each->ai_next) {
        if (each->ai_family != AF_INET && each->ai_family != AF_INET6) continue;
        addresses[count++] = platform_read_endpoint(each->ai_addr);
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
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
    };
    if (bind(descriptor, (struct sockaddr *)&name, sizeof name) < 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

/// Whether the message only prolongs the life of an IPv6 address, as each advertisement of a router
/// does: the address was changed later than it was created.
static bool is_renewal(const char *message, size_t count) {
    struct ifaddrmsg address;
    size_t offset = NLMSG_HDRLEN;
    if (count < offset + sizeof address) return false;
    memcpy(&address, message + offset, sizeof address);
    if (address.ifa_family != AF_INET6) return false;
    offset += NLMSG_ALIGN(sizeof address);
    struct rtattr attribute;
    struct ifa_cacheinfo times;
    while (count >= offset + sizeof attribute) {
        memcpy(&attribute, message + offset, sizeof attribute);
        if (attribute.rta_len < sizeof attribute || attribute.rta_len > count - offset) break;
        if (attribute.rta_type == IFA_CACHEINFO && attribute.rta_len >= RTA_LENGTH(sizeof times)) {
            memcpy(&times, message + offset + RTA_LENGTH(0), sizeof times);
            // In hundredths of a second; creating an address may take one.
            // A temporary address counts its time of change from the one that it follows.
            return (int32_t)(times.tstamp - times.cstamp) > 1;
        }
        offset += RTA_ALIGN(attribute.rta_len);
    }
    return false;
}

bool platform_is_interface_change(const void *bytes, size_t count) {
    const char *next = bytes;
    struct nlmsghdr header;
    while (count >= sizeof header) {
        memcpy(&header, next, sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > count) return false;
        switch (header.nlmsg_type) {
        case RTM_NEWADDR:
            if (is_renewal(next, header.nlmsg_len)) break;
            return true;
        case RTM_NEWLINK: case RTM_DELLINK: case RTM_DELADDR: return true;
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
    int descriptor = socket(PF_ROUTE, SOCK_RAW, AF_UNSPEC);
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
