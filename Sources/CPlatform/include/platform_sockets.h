/// Sockets: made nonblocking and close-on-exec from birth, with errors as return values.
///
/// Every function that can fail returns a value of zero or more, or the *negated* errno. So no
/// caller reads `errno`, which Swift may have overwritten by the time it looks. Every function
/// repeats what a signal interrupted (EINTR), except `platform_close`. IPv4 addresses and ports
/// are in host byte order. No call raises SIGPIPE.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Making sockets

/// A nonblocking TCP socket for IPv4, with TCP_NODELAY: a score waits for no other.
int platform_tcp_socket(void);

/// A nonblocking UDP socket for IPv4 that may broadcast, and whose port other sockets of this
/// machine may share: every one of them then receives each broadcast.
int platform_udp_socket(void);

/// A nonblocking stream socket in the file system.
int platform_unix_socket(void);

/// Lets a listening TCP socket take a port whose last owner has just gone (SO_REUSEADDR).
int platform_reuse_address(int descriptor);

/// Sets the sizes of the kernel's send and receive buffers in bytes; zero leaves one alone.
int platform_set_buffers(int descriptor, int send_bytes, int receive_bytes);

// MARK: Naming and joining

/// Gives the socket a local address and port; port 0 takes any free one.
int platform_bind(int descriptor, uint32_t address, uint16_t port);

/// Makes a bound socket accept connections.
int platform_listen(int descriptor, int backlog);

/// Binds to a path of the file system and makes the socket file, mode 0600 from its birth.
/// The path must be shorter than `platform_unix_path_bytes()`, else ENAMETOOLONG.
int platform_unix_bind(int descriptor, const char *path);

/// Connects to the socket file at a path. EAGAIN: its backlog is full at the moment.
int platform_unix_connect(int descriptor, const char *path);

/// The most bytes that the path of a socket file may have.
size_t platform_unix_path_bytes(void);

/// Begins to connect; `-EINPROGRESS` is the usual answer, the socket then becomes writable and
/// `platform_socket_error` tells what came of it.
int platform_connect(int descriptor, uint32_t address, uint16_t port);

/// The next waiting connection, nonblocking and close-on-exec, or `-EAGAIN`. What went wrong with
/// that one connection only (ECONNABORTED and its like) is skipped.
/// `address` and `port` receive the other end and may be null (as for socket files).
int platform_accept(int descriptor, uint32_t *address, uint16_t *port);

/// Turns TCP_NODELAY on: an accepted socket inherits it on some systems only.
int platform_no_delay(int descriptor);

/// Acknowledges what has come, since no answer will carry that, and lets what comes next wait for
/// its answer. Does nothing where the kernel cannot be told (TCP_QUICKACK is Linux').
int platform_acknowledge(int descriptor);

/// Zero, or the negated error that the socket has met since it was last asked (SO_ERROR).
int platform_socket_error(int descriptor);

/// The address and port that the socket has on this machine.
int platform_local_address(int descriptor, uint32_t *address, uint16_t *port);

/// The address and port of the other end of a connected socket.
int platform_remote_address(int descriptor, uint32_t *address, uint16_t *port);

/// The user id of the process at the other end of a socket file (SO_PEERCRED or getpeereid).
int platform_peer_user(int descriptor, uint32_t *user);

/// The user id that this process acts as.
uint32_t platform_own_user(void);

// MARK: Moving bytes

/// Reads what has arrived: the number of bytes, 0 at the end of the stream, or `-EAGAIN`.
ptrdiff_t platform_receive(int descriptor, void *bytes, size_t capacity);

/// Writes as much as the socket takes now: the number of bytes, or `-EAGAIN`.
ptrdiff_t platform_send(int descriptor, const void *bytes, size_t count);

/// Reads one datagram and where it came from; one longer than `capacity` is cut to it.
ptrdiff_t platform_receive_from(
    int descriptor, void *bytes, size_t capacity, uint32_t *address, uint16_t *port);

/// Sends one datagram from an address of this machine (0: the system chooses) out through the
/// interface with the given index (the same). Two interfaces may lie in the same network; the
/// routing table would then serve only one.
ptrdiff_t platform_send_to(
    int descriptor, const void *bytes, size_t count, uint32_t address, uint16_t port,
    uint32_t source, unsigned interface_index);

/// Says that nothing more will be written; the other end reads an end of stream.
int platform_finish_writing(int descriptor);

/// Closes a descriptor. Never repeated: after EINTR it is closed already.
int platform_close(int descriptor);

// MARK: Errors

/// Whether a (negated) result says only that nothing can be moved at the moment.
bool platform_would_block(ptrdiff_t result);

/// Writes the system's text for an errno into `text`, always terminated.
void platform_error_text(int code, char *text, size_t capacity);
