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
/// The path must be shorter than `platform_unix_path_bytes()`, else ENAMETOOLONG.
int platform_unix_bind(int descriptor, const char *path);

/// Connects to the socket file at a path. EAGAIN: its backlog is full.
int platform_unix_connect(int descriptor, const char *path);

/// The maximum length of the path of a socket file.
size_t platform_unix_path_bytes(void);

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

/// Returns zero, or the negated pending error of the socket, and clears it (SO_ERROR).
int platform_socket_error(int descriptor);

/// The local address and port of the socket.
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
