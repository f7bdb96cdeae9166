#ifdef __linux__
#define _GNU_SOURCE
#endif
#ifdef __APPLE__
#define __APPLE_USE_RFC_3542
#endif

#include "checked.h"
#include "platform_sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef MSG_NOSIGNAL
static const int send_flags = MSG_NOSIGNAL;
#else
static const int send_flags = 0;
#endif

static int switch_on(int descriptor, int level, int option) {
    const int on = 1;
    return CHECKED(setsockopt(descriptor, level, option, &on, sizeof on));
}

#ifndef __linux__
static int prepare(int descriptor) {
    int flags = CHECKED(fcntl(descriptor, F_GETFL));
    if (flags < 0) return flags;
    int result = CHECKED(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK));
    if (result < 0) return result;
    result = CHECKED(fcntl(descriptor, F_SETFD, FD_CLOEXEC));
#ifdef SO_NOSIGPIPE
    if (result >= 0) result = switch_on(descriptor, SOL_SOCKET, SO_NOSIGPIPE);
#endif
    return result;
}
#endif

/// Returns the descriptor if the result is a success; else closes it and returns the result.
static int kept_unless(int descriptor, int result) {
    if (result >= 0) return descriptor;
    close(descriptor);
    return result;
}

static int new_socket(int domain, int type) {
#ifdef __linux__
    return CHECKED(socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
#else
    int descriptor = CHECKED(socket(domain, type, 0));
    return descriptor < 0 ? descriptor : kept_unless(descriptor, prepare(descriptor));
#endif
}

// The first 96 bits of an IPv4-mapped address.
static const uint64_t ipv4_mark = 0xFFFFULL << 32;

struct platform_endpoint platform_ipv4(uint32_t address, uint16_t port) {
    return (struct platform_endpoint){.low = ipv4_mark | address, .port = port};
}

bool platform_is_ipv4(struct platform_endpoint endpoint) {
    return endpoint.high == 0 && endpoint.low >> 32 == ipv4_mark >> 32;
}

static struct in6_addr ipv6_address(uint64_t high, uint64_t low) {
    struct in6_addr address;
    for (int index = 0; index < 8; index++) {
        address.s6_addr[index] = (uint8_t)(high >> (56 - 8 * index));
        address.s6_addr[index + 8] = (uint8_t)(low >> (56 - 8 * index));
    }
    return address;
}

/// The address of an endpoint as the system takes it.
struct socket_name {
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    };
    socklen_t length;
};

/// Returns -ENODEV if the interface of the address does not exist.
static int socket_name(struct socket_name *name, struct platform_endpoint endpoint) {
    memset(name, 0, sizeof *name);
    if (platform_is_ipv4(endpoint)) {
        name->length = sizeof name->ipv4;
        name->ipv4.sin_family = AF_INET;
        name->ipv4.sin_port = htons(endpoint.port);
        name->ipv4.sin_addr.s_addr = htonl((uint32_t)endpoint.low);
    } else {
        name->length = sizeof name->ipv6;
        name->ipv6.sin6_family = AF_INET6;
        name->ipv6.sin6_port = htons(endpoint.port);
        name->ipv6.sin6_addr = ipv6_address(endpoint.high, endpoint.low);
        if (endpoint.zone[0]) {
            name->ipv6.sin6_scope_id = if_nametoindex(endpoint.zone);
            if (name->ipv6.sin6_scope_id == 0) return -ENODEV;
        }
    }
#ifdef __APPLE__
    name->any.sa_len = (uint8_t)name->length;
#endif
    return 0;
}

struct platform_endpoint platform_read_endpoint(const void *name) {
    const struct sockaddr *any = name;
    if (any->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, name, sizeof in);
        return platform_ipv4(ntohl(in.sin_addr.s_addr), ntohs(in.sin_port));
    }
    struct platform_endpoint endpoint = {0};
    if (any->sa_family != AF_INET6) return endpoint;
    struct sockaddr_in6 in;
    memcpy(&in, name, sizeof in);
#ifdef __APPLE__
    // The addresses of interfaces have the number of the interface in their second group.
    if (IN6_IS_ADDR_LINKLOCAL(&in.sin6_addr)) {
        uint8_t *group = &in.sin6_addr.s6_addr[2];
        if (in.sin6_scope_id == 0) in.sin6_scope_id = (uint32_t)group[0] << 8 | group[1];
        group[0] = group[1] = 0;
    }
#endif
    for (int index = 0; index < 8; index++) {
        endpoint.high = endpoint.high << 8 | in.sin6_addr.s6_addr[index];
        endpoint.low = endpoint.low << 8 | in.sin6_addr.s6_addr[index + 8];
    }
    endpoint.port = ntohs(in.sin6_port);
    char zone[IF_NAMESIZE] = "";
    if (in.sin6_scope_id != 0 && if_indextoname(in.sin6_scope_id, zone)) {
        snprintf(endpoint.zone, sizeof endpoint.zone, "%s", zone);
    }
    return endpoint;
}

int platform_tcp_socket(struct platform_endpoint towards) {
    const bool is_ipv4 = platform_is_ipv4(towards);
    int descriptor = new_socket(is_ipv4 ? AF_INET : AF_INET6, SOCK_STREAM);
    if (descriptor < 0) return descriptor;
    int result = platform_no_delay(descriptor);
    if (result >= 0 && !is_ipv4) {
        const int off = 0;
        result = CHECKED(
            setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off));
    }
    return kept_unless(descriptor, result);
}

int platform_tcp_socket_at(uint16_t port) {
    const struct platform_endpoint everywhere[] = {{.port = port}, platform_ipv4(0, port)};
    int result = -EAFNOSUPPORT;
    for (int index = 0; index < 2; index++) {
        int descriptor = platform_tcp_socket(everywhere[index]);
        result = descriptor;
        if (descriptor >= 0) {
            result = platform_reuse_address(descriptor);
            if (result >= 0) result = platform_bind(descriptor, everywhere[index]);
            if (result >= 0) return descriptor;
            close(descriptor);
        }
        // A system without IPv6, or with IPv6 switched off.
        if (result != -EAFNOSUPPORT && result != -EADDRNOTAVAIL) break;
    }
    return result;
}

int platform_udp_socket(bool is_ipv6) {
    int descriptor = new_socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM);
    if (descriptor < 0) return descriptor;
    int result = switch_on(descriptor, SOL_SOCKET, SO_REUSEADDR);
#ifdef __APPLE__
    // On these systems SO_REUSEADDR alone does not share the port. On Linux SO_REUSEPORT would
    // distribute the datagrams among the sockets.
    if (result >= 0) result = switch_on(descriptor, SOL_SOCKET, SO_REUSEPORT);
#endif
    if (result >= 0 && is_ipv6) result = switch_on(descriptor, IPPROTO_IPV6, IPV6_V6ONLY);
    if (result >= 0 && !is_ipv6) result = switch_on(descriptor, SOL_SOCKET, SO_BROADCAST);
    return kept_unless(descriptor, result);
}

int platform_join_all_nodes(int descriptor, unsigned interface_index) {
    const struct ipv6_mreq request = {
        .ipv6mr_multiaddr = ipv6_address(0xFF02ULL << 48, 1), .ipv6mr_interface = interface_index,
    };
    int result = CHECKED(
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request));
    return result == -EADDRINUSE ? 0 : result;
}

int platform_unix_socket(void) { return new_socket(AF_UNIX, SOCK_STREAM); }

int platform_reuse_address(int descriptor) {
    return switch_on(descriptor, SOL_SOCKET, SO_REUSEADDR);
}

int platform_no_delay(int descriptor) { return switch_on(descriptor, IPPROTO_TCP, TCP_NODELAY); }

int platform_acknowledge(int descriptor) {
#ifdef __linux__
    // Enabling the option sends the pending acknowledgement. Disabling it makes later ones wait for
    // an answer again, which the kernel stops doing after a wait without an answer.
    int result = switch_on(descriptor, IPPROTO_TCP, TCP_QUICKACK);
    const int off = 0;
    if (result < 0) return result;
    return CHECKED(setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof off));
#else
    (void)descriptor;
    return 0;
#endif
}

int platform_limit_segments(int descriptor, bool is_limited) {
    // 576 bytes without the headers of IP and TCP; zero removes the limit.
    const int bytes = is_limited ? 536 : 0;
    return CHECKED(setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, &bytes, sizeof bytes));
}

int platform_retransmissions(int descriptor) {
#ifdef __linux__
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return 0;
    return info.tcpi_retransmits;
#else
    (void)descriptor;
    return 0;
#endif
}

int platform_set_buffers(int descriptor, int send_bytes, int receive_bytes) {
    int result = 0;
    if (send_bytes > 0) {
        result = CHECKED(
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes));
    }
    if (result >= 0 && receive_bytes > 0) {
        result = CHECKED(
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes));
    }
    return result;
}

int platform_bind(int descriptor, struct platform_endpoint endpoint) {
    struct socket_name name;
    int result = socket_name(&name, endpoint);
    return result < 0 ? result : CHECKED(bind(descriptor, &name.any, name.length));
}

int platform_listen(int descriptor, int backlog) { return CHECKED(listen(descriptor, backlog)); }

static int unix_name(struct sockaddr_un *name, const char *path) {
    if (strlen(path) >= sizeof name->sun_path) return -ENAMETOOLONG;
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
#ifdef __APPLE__
    name->sun_len = sizeof *name;
#endif
    strcpy(name->sun_path, path);
    return 0;
}

int platform_unix_bind(int descriptor, const char *path) {
    struct sockaddr_un name;
    int result = unix_name(&name, path);
    if (result < 0) return result;
#ifdef __linux__
    // The socket file gets the mode of the unbound socket, minus the umask.
    result = CHECKED(fchmod(descriptor, S_IRUSR | S_IWUSR));
    if (result < 0) return result;
    return CHECKED(bind(descriptor, (struct sockaddr *)&name, sizeof name));
#else
    mode_t before = umask(S_IXUSR | S_IRWXG | S_IRWXO);
    result = CHECKED(bind(descriptor, (struct sockaddr *)&name, sizeof name));
    umask(before);
    return result;
#endif
}

int platform_unix_connect(int descriptor, const char *path) {
    struct sockaddr_un name;
    int result = unix_name(&name, path);
    if (result < 0) return result;
    return CHECKED(connect(descriptor, (struct sockaddr *)&name, sizeof name));
}

int platform_connect(int descriptor, struct platform_endpoint endpoint) {
    struct socket_name name;
    int result = socket_name(&name, endpoint);
    if (result < 0) return result;
    // Not called again after EINTR: the attempt goes on, and a second call would return EALREADY.
    if (connect(descriptor, &name.any, name.length) == 0) return 0;
    return errno == EINTR ? -EINPROGRESS : -errno;
}

/// Whether an error of accept concerns only one connection (accept(2), "Error handling").
static bool concerns_one_connection(int code) {
    switch (code) {
    case ECONNABORTED: case EPROTO: case ENETDOWN: case ENOPROTOOPT: case EHOSTDOWN:
    case EHOSTUNREACH: case EOPNOTSUPP: case ENETUNREACH: case EPERM:
#ifdef ENONET
    case ENONET:
#endif
        return true;
    default: return false;
    }
}

int platform_accept(int descriptor, struct platform_endpoint *peer) {
    // Bounded, because some of these errors can also concern the listening socket itself.
    for (int attempt = 0; attempt < 64; attempt++) {
        struct sockaddr_storage name = {0};
        socklen_t length = sizeof name;
#ifdef __linux__
        int accepted = CHECKED(accept4(
            descriptor, (struct sockaddr *)&name, &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
#else
        int accepted = CHECKED(accept(descriptor, (struct sockaddr *)&name, &length));
        if (accepted >= 0) accepted = kept_unless(accepted, prepare(accepted));
#endif
        if (accepted < 0 && concerns_one_connection(-accepted)) continue;
        if (accepted >= 0 && peer) *peer = platform_read_endpoint(&name);
        return accepted;
    }
    return -EAGAIN;
}

int platform_socket_error(int descriptor) {
    int code = 0;
    socklen_t length = sizeof code;
    int result = CHECKED(getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length));
    return result < 0 ? result : -code;
}

int platform_local_address(int descriptor, struct platform_endpoint *endpoint) {
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    int result = CHECKED(getsockname(descriptor, (struct sockaddr *)&name, &length));
    if (result >= 0) *endpoint = platform_read_endpoint(&name);
    return result;
}

int platform_peer_user(int descriptor, uint32_t *user) {
#ifdef __linux__
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    int result = CHECKED(
        getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length));
    if (result >= 0) *user = credentials.uid;
#else
    uid_t peer = 0;
    gid_t group = 0;
    int result = CHECKED(getpeereid(descriptor, &peer, &group));
    if (result >= 0) *user = peer;
#endif
    return result;
}

uint32_t platform_own_user(void) { return geteuid(); }

ptrdiff_t platform_receive(int descriptor, void *bytes, size_t capacity) {
    return CHECKED(recv(descriptor, bytes, capacity, 0));
}

ptrdiff_t platform_send(int descriptor, const void *bytes, size_t count) {
    return CHECKED(send(descriptor, bytes, count, send_flags));
}

ptrdiff_t platform_receive_from(
    int descriptor, void *bytes, size_t capacity, struct platform_endpoint *source) {
    struct sockaddr_storage name = {0};
    socklen_t length = sizeof name;
    ptrdiff_t count = CHECKED(
        recvfrom(descriptor, bytes, capacity, 0, (struct sockaddr *)&name, &length));
    if (count >= 0) *source = platform_read_endpoint(&name);
    return count;
}

ptrdiff_t platform_send_to(
    int descriptor, const void *bytes, size_t count, struct platform_endpoint target,
    struct platform_endpoint source, unsigned interface_index) {
    struct socket_name name;
    int result = socket_name(&name, target);
    if (result < 0) return result;
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = &name.any, .msg_namelen = name.length, .msg_iov = &piece, .msg_iovlen = 1,
    };
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in6_pktinfo))] = {0};
    if (interface_index == 0) return CHECKED(sendmsg(descriptor, &message, send_flags));
    message.msg_control = control;
    if (platform_is_ipv4(target)) {
        struct in_pktinfo info = {.ipi_ifindex = interface_index};
        info.ipi_spec_dst.s_addr = htonl((uint32_t)source.low);
        message.msg_controllen = CMSG_SPACE(sizeof info);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_level = IPPROTO_IP, .cmsg_type = IP_PKTINFO, .cmsg_len = CMSG_LEN(sizeof info),
        };
        memcpy(CMSG_DATA(header), &info, sizeof info);
    } else {
        struct in6_pktinfo info = {
            .ipi6_addr = ipv6_address(source.high, source.low), .ipi6_ifindex = interface_index,
        };
        message.msg_controllen = CMSG_SPACE(sizeof info);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_level = IPPROTO_IPV6, .cmsg_type = IPV6_PKTINFO,
            .cmsg_len = CMSG_LEN(sizeof info),
        };
        memcpy(CMSG_DATA(header), &info, sizeof info);
    }
    return CHECKED(sendmsg(descriptor, &message, send_flags));
}

int platform_finish_writing(int descriptor) { return CHECKED(shutdown(descriptor, SHUT_WR)); }

int platform_close(int descriptor) { return close(descriptor) < 0 ? -errno : 0; }

bool platform_would_block(ptrdiff_t result) {
    return result == -EAGAIN || result == -EWOULDBLOCK;
}

void platform_error_text(int code, char *text, size_t capacity) {
    if (capacity == 0) return;
#ifdef __GLIBC__
    // A separate buffer, because the source and the target of the copy must not overlap.
    char buffer[128];
    snprintf(text, capacity, "%s", strerror_r(code, buffer, sizeof buffer));
#else
    if (strerror_r(code, text, capacity) != 0) snprintf(text, capacity, "error %d", code);
#endif
}
