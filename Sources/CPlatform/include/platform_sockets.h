/// Sockets, created nonblocking and close-on-exec, with errors as return values.
///
/// Every function that can fail returns a value of zero or more, or the *negated* errno: Swift may
/// overwrite `errno` before a caller can read it. Every function repeats a call that a signal
/// interrupted (EINTR), except `platform_close`. IPv4 addresses and ports are in host byte order.
/// No call raises SIGPIPE.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Creating sockets

/// Creates a nonblocking TCP socket for IPv4 with TCP_NODELAY, so that a score is sent at once.
int platform_tcp_socket(void);

/// Creates a nonblocking UDP socket for IPv4 that may broadcast, and may share its port with other
/// sockets of this machine, each of which then receives every broadcast.
int platform_udp_socket(void);

/// Creates a nonblocking Unix domain stream socket.
int platform_unix_socket(void);

/// Allows a listening TCP socket to use a port that was just released (SO_REUSEADDR).
int platform_reuse_address(int descriptor);

/// Sets the sizes of the kernel's send and receive buffers in bytes; zero leaves one unchanged.
int platform_set_buffers(int descriptor, int send_bytes, int receive_bytes);

// MARK: Addresses and connections

/// Binds a socket to a local address and port; port 0 lets the system choose a free one.
int platform_bind(int descriptor, uint32_t address, uint16_t port);

int platform_listen(int descriptor, int backlog);

/// Binds a Unix domain socket to a path; the socket file gets mode 0600. ENAMETOOLONG: the path has
/// more than 103 bytes, on Linux more than 107.
int platform_unix_bind(int descriptor, const char *path);

/// Connects to the socket file at a path. EAGAIN: its backlog is full.
int platform_unix_connect(int descriptor, const char *path);

/// Starts to connect; usually returns `-EINPROGRESS`. When the socket becomes writable,
/// `platform_socket_error` returns the result.
int platform_connect(int descriptor, uint32_t address, uint16_t port);

/// Accepts the next connection, nonblocking and close-on-exec, or returns `-EAGAIN`. Skips
/// connections that failed before they were accepted (such as ECONNABORTED). `address` and `port`
/// receive the peer's address, and may be null, as for Unix domain sockets.
int platform_accept(int descriptor, uint32_t *address, uint16_t *port);

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

int platform_local_address(int descriptor, uint32_t *address, uint16_t *port);

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
    int descriptor, void *bytes, size_t capacity, uint32_t *address, uint16_t *port);

/// Sends one datagram from a local address and through the interface with the given index; 0 lets
/// the system choose. With two interfaces in one network the routing table would use only one.
ptrdiff_t platform_send_to(
    int descriptor, const void *bytes, size_t count, uint32_t address, uint16_t port,
    uint32_t source, unsigned interface_index);

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

/// An IPv4 address of an interface; an interface with two addresses is listed twice.
struct platform_interface {
    /// The zero-terminated name, such as "wlan0".
    char name[32];
    /// The kernel's number of the interface.
    unsigned index;
    /// The address and its netmask, in host byte order.
    uint32_t address;
    uint32_t netmask;
    bool is_up;
    bool is_loopback;
    bool can_broadcast;
};

/// Writes up to `capacity` interfaces and returns their number.
int platform_interfaces(struct platform_interface *interfaces, int capacity);

/// Finds the address, in host byte order, from which this machine would send to other networks,
/// without sending anything. `-ENETUNREACH` if there is no route.
int platform_outgoing_address(uint32_t *address);

/// Returns a nonblocking descriptor that becomes readable when an interface or an IPv4 address
/// changes; needs no privilege.
int platform_interface_changes(void);

/// Reads everything from a descriptor of `platform_interface_changes`; returns 1 if it reported a
/// change or the kernel had to drop messages, else 0.
int platform_drain_interface_changes(int descriptor);

/// Whether a kernel message, as read from such a descriptor, reports a change; parsing stops at an
/// invalid length. Separate from reading, so that tests can pass any bytes.
bool platform_is_interface_change(const void *bytes, size_t count);

// MARK: Host names

/// Looks up the IPv4 addresses of a host name or a dotted address; may block for seconds. Returns
/// the number of addresses written, at most `capacity`, or a negated error code for
/// `platform_lookup_error_text`.
int platform_lookup(const char *host, uint32_t *addresses, int capacity);

/// Returns the system's message for a (positive) error code of `platform_lookup`.
const char *platform_lookup_error_text(int code);
