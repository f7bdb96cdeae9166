#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "platform_interfaces.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static uint32_t host_order(const struct sockaddr *name) {
    struct sockaddr_in in;
    memcpy(&in, name, sizeof in);
    return ntohl(in.sin_addr.s_addr);
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
