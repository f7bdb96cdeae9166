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
#include <unistd.h>

static uint32_t host_order(const struct sockaddr *name) {
    struct sockaddr_in in;
    memcpy(&in, name, sizeof in);
    return ntohl(in.sin_addr.s_addr);
}

int platform_outgoing_address(uint32_t *address) {
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    if (descriptor < 0) return -errno;
    struct sockaddr_in name;
    memset(&name, 0, sizeof name);
    name.sin_family = AF_INET;
    name.sin_port = htons(9);
    // An address for documentation (RFC 5737): connecting a datagram socket sends nothing.
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
