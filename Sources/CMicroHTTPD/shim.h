#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

// Swift cannot call variadic functions and does not see macros of more than a literal.

struct shim_limits {
    unsigned int connections;
    // 0 for no limit.
    unsigned int connections_per_address;
    unsigned int idle_seconds;
    size_t bytes_per_connection;
};

// All run on the server's thread with the same context.
struct shim_callbacks {
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
};

// Discards the library's messages: the input of strangers must not fill a log.
static inline void shim_discard_log(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

static inline struct MHD_Daemon *shim_start_at(const struct sockaddr *address, uint16_t port,
    enum MHD_FLAG flags, struct shim_limits limits, struct shim_callbacks callbacks, void *context)
{
    return MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | flags, port,
        0, 0,
        callbacks.request, context, MHD_OPTION_EXTERNAL_LOGGER, shim_discard_log, (void *)0,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context, MHD_OPTION_NOTIFY_CONNECTION,
        callbacks.connection, context, MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        limits.connections_per_address, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.bytes_per_connection,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// Starts a server with its own thread at a port of 127.0.0.1 or, if it is shared, of all addresses
// of this machine; null if the port is not available.
static inline struct MHD_Daemon *shim_start(bool is_shared, uint16_t port,
    struct shim_limits limits, struct shim_callbacks callbacks, void *context)
{
    if (is_shared) {
        struct sockaddr_in6 both = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
        struct MHD_Daemon *server = shim_start_at((const struct sockaddr *)&both, port,
            MHD_USE_DUAL_STACK, limits, callbacks, context);
        // Without IPv6 there is only IPv4.
        if (server) return server;
    }
    struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    ipv4.sin_addr.s_addr = htonl(is_shared ? INADDR_ANY : INADDR_LOOPBACK);
    return shim_start_at(
        (const struct sockaddr *)&ipv4, port, MHD_NO_FLAG, limits, callbacks, context);
}

struct shim_header {
    const char *name;
    // The first value; null if the header is absent.
    const char *value;
    unsigned int count;
};

static inline enum MHD_Result shim_find(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct shim_header *header = context;
    (void)kind;
    if (strcasecmp(name, header->name) != 0) return MHD_YES;
    if (header->count++ == 0) header->value = value;
    return MHD_YES;
}

// A header of the request.
static inline struct shim_header shim_header(struct MHD_Connection *connection, const char *name)
{
    struct shim_header header = {name, 0, 0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, shim_find, &header);
    return header;
}

// The descriptor of a connection, which no other has until the end was reported.
static inline int shim_descriptor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Closes a connection from any thread: the server's next read reports its end.
static inline void shim_cut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

// A response with a copy of these bytes.
static inline struct MHD_Response *shim_copy(const void *bytes, size_t count)
{
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// A response of unknown length, whose bytes the reader supplies.
static inline struct MHD_Response *shim_stream(
    MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32 << 10, reader, context, release);
}

static inline ssize_t shim_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
