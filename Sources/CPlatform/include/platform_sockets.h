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

/// A nonblocking TCP socket for IPv4, with TCP_NODELAY: no score waits for the next.
int platform_tcp_socket(void);

/// A nonblocking UDP socket for IPv4 that may broadcast and share its port with other sockets of
/// this machine, all of which then receive each broadcast.
int platform_udp_socket(void);

/// A nonblocking stream socket in the file system.
int platform_unix_socket(void);

/// Allows a listening TCP socket to use a port that was just released (SO_REUSEADDR).
int platform_reuse_address(int descriptor);

/// Sets the sizes of the kernel's send and receive buffers in bytes; zero leaves one unchanged.
int platform_set_buffers(int descriptor, int send_bytes, int receive_bytes);

// MARK: Addresses and connections

/// Binds the socket to a local address and port; port 0 stands for any free one.
int platform_bind(int descriptor, uint32_t address, uint16_t port);

int platform_listen(int descriptor, int backlog);

/// Binds to a path of the file system and creates the socket file with mode 0600.
/// ENAMETOOLONG: the path has more than 103 bytes, on Linux more than 107.
int platform_unix_bind(int descriptor, const char *path);

/// Connects to the socket file at a path. EAGAIN: its backlog is full.
int platform_unix_connect(int descriptor, const char *path);

/// Starts to connect; usually returns `-EINPROGRESS`. The socket then becomes writable, and
/// `platform_socket_error` gives the result.
int platform_connect(int descriptor, uint32_t address, uint16_t port);

/// Accepts the next connection, nonblocking and close-on-exec, or returns `-EAGAIN`. Connections
/// that have failed by themselves (ECONNABORTED and the like) are skipped. `address` and `port`
/// receive the other end and may be null (as for socket files).
int platform_accept(int descriptor, uint32_t *address, uint16_t *port);

/// Enables TCP_NODELAY, which accepted sockets inherit on some systems only.
int platform_no_delay(int descriptor);

/// Acknowledges what has arrived, because no answer follows that could carry the acknowledgement;
/// the next one waits for an answer again. Only on Linux (TCP_QUICKACK).
int platform_acknowledge(int descriptor);

/// Limits the packets of connections that start later, sent and received, to 576 bytes, the size
/// that every network carries (TCP_MAXSEG); on a listening socket for those that it accepts.
int platform_limit_segments(int descriptor, int is_limited);

/// Returns how often the oldest unacknowledged segment has been sent again; 0 where that is not known.
int platform_retransmissions(int descriptor);

/// Returns zero, or the negated pending error of the socket, and clears it (SO_ERROR).
int platform_socket_error(int descriptor);

int platform_local_address(int descriptor, uint32_t *address, uint16_t *port);

/// The user id of the process at the other end of a socket file (SO_PEERCRED or getpeereid).
int platform_peer_user(int descriptor, uint32_t *user);

/// The effective user id of this process.
uint32_t platform_own_user(void);

// MARK: Reading and writing

/// Reads what has arrived; returns the number of bytes, 0 at the end of the stream, or `-EAGAIN`.
ptrdiff_t platform_receive(int descriptor, void *bytes, size_t capacity);

/// Writes as much as the socket accepts now; returns the number of bytes, or `-EAGAIN`.
ptrdiff_t platform_send(int descriptor, const void *bytes, size_t count);

/// Reads one datagram and its source; one longer than `capacity` is truncated.
ptrdiff_t platform_receive_from(
    int descriptor, void *bytes, size_t capacity, uint32_t *address, uint16_t *port);

/// Sends one datagram from an address of this machine (0: the system chooses) through the interface
/// with the given index (likewise). If two interfaces are in the same network, the routing table
/// would use only one.
ptrdiff_t platform_send_to(
    int descriptor, const void *bytes, size_t count, uint32_t address, uint16_t port,
    uint32_t source, unsigned interface_index);

/// Shuts down writing; the other end reads an end of stream.
int platform_finish_writing(int descriptor);

/// Closes a descriptor; not repeated after EINTR, when it is closed already.
int platform_close(int descriptor);

// MARK: Errors

/// Whether a result means that the call would block.
bool platform_would_block(ptrdiff_t result);

/// Writes the system's text for an errno, always terminated.
void platform_error_text(int code, char *text, size_t capacity);

// MARK: The network interfaces of this machine

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

// MARK: Names of hosts

/// Looks up the IPv4 addresses of a host name (or of a dotted address); may block for seconds.
/// Returns the number of addresses written, at most `capacity`, or the negated code for
/// `platform_lookup_error_text`.
int platform_lookup(const char *host, uint32_t *addresses, int capacity);

/// The system's text for a (positive) error code of `platform_lookup`.
const char *platform_lookup_error_text(int code);
