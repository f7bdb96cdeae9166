#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "checked.h"
#include "platform_sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
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

static struct sockaddr_in ipv4(uint32_t address, uint16_t port) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port)};
#ifdef __APPLE__
    name.sin_len = sizeof name;
#endif
    name.sin_addr.s_addr = htonl(address);
    return name;
}

static void read_ipv4(const struct sockaddr_storage *name, uint32_t *address, uint16_t *port) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)name;
    const bool is_ipv4 = name->ss_family == AF_INET;
    if (address) *address = is_ipv4 ? ntohl(in->sin_addr.s_addr) : 0;
    if (port) *port = is_ipv4 ? ntohs(in->sin_port) : 0;
}

int platform_tcp_socket(void) {
    int descriptor = new_socket(AF_INET, SOCK_STREAM);
    return descriptor < 0 ? descriptor : kept_unless(descriptor, platform_no_delay(descriptor));
}

int platform_udp_socket(void) {
    int descriptor = new_socket(AF_INET, SOCK_DGRAM);
    if (descriptor < 0) return descriptor;
    int result = switch_on(descriptor, SOL_SOCKET, SO_REUSEADDR);
#ifdef __APPLE__
    // On these systems SO_REUSEADDR alone does not share the port. On Linux SO_REUSEPORT would
    // distribute the datagrams among the sockets.
    if (result >= 0) result = switch_on(descriptor, SOL_SOCKET, SO_REUSEPORT);
#endif
    if (result >= 0) result = switch_on(descriptor, SOL_SOCKET, SO_BROADCAST);
    return kept_unless(descriptor, result);
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

int platform_bind(int descriptor, uint32_t address, uint16_t port) {
    struct sockaddr_in name = ipv4(address, port);
    return CHECKED(bind(descriptor, (struct sockaddr *)&name, sizeof name));
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

int platform_connect(int descriptor, uint32_t address, uint16_t port) {
    struct sockaddr_in name = ipv4(address, port);
    // Not called again after EINTR: the attempt goes on, and a second call would return EALREADY.
    if (connect(descriptor, (struct sockaddr *)&name, sizeof name) == 0) return 0;
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

int platform_accept(int descriptor, uint32_t *address, uint16_t *port) {
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
        if (accepted >= 0) read_ipv4(&name, address, port);
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

int platform_local_address(int descriptor, uint32_t *address, uint16_t *port) {
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    int result = CHECKED(getsockname(descriptor, (struct sockaddr *)&name, &length));
    if (result >= 0) read_ipv4(&name, address, port);
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
    int descriptor, void *bytes, size_t capacity, uint32_t *address, uint16_t *port) {
    struct sockaddr_storage name = {0};
    socklen_t length = sizeof name;
    ptrdiff_t count = CHECKED(
        recvfrom(descriptor, bytes, capacity, 0, (struct sockaddr *)&name, &length));
    if (count >= 0) read_ipv4(&name, address, port);
    return count;
}

ptrdiff_t platform_send_to(
    int descriptor, const void *bytes, size_t count, uint32_t address, uint16_t port,
    uint32_t source, unsigned interface_index) {
    struct sockaddr_in name = ipv4(address, port);
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_name = &name, .msg_namelen = sizeof name, .msg_iov = &piece, .msg_iovlen = 1,
    };
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in_pktinfo))] = {0};
    if (interface_index != 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_IP;
        header->cmsg_type = IP_PKTINFO;
        header->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
        struct in_pktinfo info = {.ipi_ifindex = interface_index};
        info.ipi_spec_dst.s_addr = htonl(source);
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
