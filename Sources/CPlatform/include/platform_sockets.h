/// Sockets, created nonblocking and close-on-exec, with errors as return values.
///
/// Every function that can fail returns a value of zero or more, or the *negated* errno: Swift may
/// overwrite `errno` before a caller can read it. Every function repeats a call that a signal
/// interrupted (EINTR), except `platform_close`. No call raises SIGPIPE.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Addresses

/// An IPv6 address, or an IPv4 one in its IPv4-mapped form (::ffff:a.b.c.d; RFC 4291, section
/// 2.5.5.2), and a port; the numbers are in host byte order. All zeros stand for all addresses of
/// this machine and any port.
struct platform_endpoint {
    uint64_t high;
    uint64_t low;
    uint16_t port;
    /// The zero-terminated name of the interface to which a link-local IPv6 address belongs;
    /// empty for other addresses.
    char zone[16];
};

struct platform_endpoint platform_ipv4(uint32_t address, uint16_t port);

bool platform_is_ipv4(struct platform_endpoint endpoint);

/// Reads a `sockaddr` of any length, also with an address of neither kind.
struct platform_endpoint platform_read_endpoint(const void *name);

// MARK: Creating sockets

/// Creates a nonblocking TCP socket for the family of an address, with TCP_NODELAY, so that a score
/// is sent at once.
int platform_tcp_socket(struct platform_endpoint towards);

/// Creates such a socket bound to a port of all addresses of this machine, IPv6 and IPv4; of IPv4
/// only where IPv6 is not available.
int platform_tcp_socket_at(uint16_t port);

/// Creates a nonblocking UDP socket for IPv6, or for IPv4 with the right to broadcast. It may share
/// its port with other sockets of this machine, each of which then receives every broadcast and
/// multicast.
int platform_udp_socket(bool is_ipv6);

/// Makes a UDP socket for IPv6 receive what is sent to all nodes (ff02::1) through an interface;
/// Linux does so by itself.
int platform_join_all_nodes(int descriptor, unsigned interface_index);

/// Creates a nonblocking Unix domain stream socket.
int platform_unix_socket(void);

/// Allows a listening TCP socket to use a port that was just released (SO_REUSEADDR).
int platform_reuse_address(int descriptor);

/// Sets the sizes of the kernel's send and receive buffers in bytes; zero leaves one unchanged.
int platform_set_buffers(int descriptor, int send_bytes, int receive_bytes);

// MARK: Connections

/// Binds a socket to a local address and port; port 0 lets the system choose a free one.
int platform_bind(int descriptor, struct platform_endpoint endpoint);

int platform_listen(int descriptor, int backlog);

/// Binds a Unix domain socket to a path; the socket file gets mode 0600. ENAMETOOLONG: the path has
/// more than 103 bytes, on Linux more than 107.
int platform_unix_bind(int descriptor, const char *path);

/// Connects to the socket file at a path. EAGAIN: its backlog is full.
int platform_unix_connect(int descriptor, const char *path);

/// Starts to connect; usually returns `-EINPROGRESS`. When the socket becomes writable,
/// `platform_socket_error` returns the result. `-ENODEV`: the interface of the address is gone.
int platform_connect(int descriptor, struct platform_endpoint endpoint);

/// Accepts the next connection, nonblocking and close-on-exec, or returns `-EAGAIN`. Skips
/// connections that failed before they were accepted (such as ECONNABORTED). `peer` receives the
/// peer's address, and may be null, as for Unix domain sockets.
int platform_accept(int descriptor, struct platform_endpoint *peer);

/// Enables TCP_NODELAY, which accepted sockets inherit only on some systems.
int platform_no_delay(int descriptor);

/// Sends the pending acknowledgement at once, for data that gets no answer to carry it; later
/// acknowledgements wait for an answer again. Only on Linux (TCP_QUICKACK).
int platform_acknowledge(int descriptor);

/// Limits the packets of connections that start later, in both directions, to 576 bytes, the size
/// that every network carries (TCP_MAXSEG); a listening socket passes the limit on to its
/// connections.
int platform_limit_segments(int descriptor, bool is_limited);

/// Returns how many times the oldest unacknowledged segment was retransmitted; 0 if unknown.
int platform_retransmissions(int descriptor);

/// Returns zero or the negated pending error of a socket, and clears the error (SO_ERROR).
int platform_socket_error(int descriptor);

int platform_local_address(int descriptor, struct platform_endpoint *endpoint);

/// Reads the user id of the process at the other end of a Unix domain socket (SO_PEERCRED or
/// getpeereid).
int platform_peer_user(int descriptor, uint32_t *user);

/// Returns the effective user id of this process.
uint32_t platform_own_user(void);

// MARK: Reading and writing

/// Reads the bytes that have arrived; returns their number, 0 at the end of the stream, or
/// `-EAGAIN`.
ptrdiff_t platform_receive(int descriptor, void *bytes, size_t capacity);

/// Writes as many bytes as the socket accepts now; returns their number, or `-EAGAIN`.
ptrdiff_t platform_send(int descriptor, const void *bytes, size_t count);

/// Reads one datagram and its source; a datagram longer than `capacity` is truncated.
ptrdiff_t platform_receive_from(
    int descriptor, void *bytes, size_t capacity, struct platform_endpoint *source);

/// Sends one datagram from a local address and through the interface with the given index; 0 lets
/// the system choose both. With two interfaces in one network the routing table would use only one.
ptrdiff_t platform_send_to(
    int descriptor, const void *bytes, size_t count, struct platform_endpoint target,
    struct platform_endpoint source, unsigned interface_index);

/// Shuts down writing; the other end then reads the end of the stream.
int platform_finish_writing(int descriptor);

/// Closes a descriptor; not called again after EINTR, because the descriptor is closed then.
int platform_close(int descriptor);

// MARK: Errors

/// Whether a result means that the call would block.
bool platform_would_block(ptrdiff_t result);

/// Writes the system's message for an errno, always zero-terminated.
void platform_error_text(int code, char *text, size_t capacity);

// MARK: The network interfaces of this machine

/// An address of an interface; an interface with two addresses is listed twice.
struct platform_interface {
    /// The zero-terminated name, such as "wlan0".
    char name[32];
    /// The kernel's number of the interface.
    unsigned index;
    /// The address, as in `platform_endpoint`.
    uint64_t high;
    uint64_t low;
    /// The length of its network's prefix: up to 32 for IPv4, up to 128 for IPv6.
    int prefix_length;
    bool is_up;
    bool is_loopback;
    bool can_broadcast;
    bool can_multicast;
};

/// Writes up to `capacity` addresses of interfaces that can be used, and returns their number.
int platform_interfaces(struct platform_interface *interfaces, int capacity);

/// Returns zero if this machine has a route to an address, else an error such as `-ENETUNREACH`;
/// sends nothing.
int platform_route(struct platform_endpoint target);

/// Returns a nonblocking descriptor that becomes readable when an interface or an address
/// changes; needs no privilege.
int platform_interface_changes(void);

/// Reads everything from a descriptor of `platform_interface_changes`; returns 1 if it reported a
/// change or the kernel had to drop messages, else 0.
int platform_drain_interface_changes(int descriptor);

/// Whether a kernel message, as read from such a descriptor, reports a change, and not only that an
/// IPv6 address stays valid for longer; parsing stops at an invalid length. Separate from reading, so that tests can pass any bytes.
bool platform_is_interface_change(const void *bytes, size_t count);

// MARK: Host names

/// Looks up the addresses of a host name, with port 0; may block for seconds. Returns the number of
/// addresses written, at most `capacity`, or a negated error code for `platform_lookup_error_text`.
int platform_lookup(const char *host, struct platform_endpoint *addresses, int capacity);

/// Returns the system's message for a (positive) error code of `platform_lookup`.
const char *platform_lookup_error_text(int code);
