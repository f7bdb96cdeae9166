#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// Swift does not call variadic functions, and does not see macros of more than a literal.

// What a server may take of strangers.
struct shim_bounds {
    unsigned int connections;
    // 0 for no bound of its own.
    unsigned int connections_of_one_address;
    unsigned int idle_seconds;
    size_t bytes_of_one_connection;
};

// Who is told of what; all are called on the server's thread with the same context.
struct shim_listeners {
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
};

// What the library says of itself is for its developers: what a stranger sends must not fill a log.
static inline void shim_say_nothing(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

// Starts a server with a thread of its own at an IPv4 address in host byte order; null where nobody
// can listen there.
static inline struct MHD_Daemon *shim_start(uint32_t address, uint16_t port,
    struct shim_bounds bounds, struct shim_listeners listeners, void *context)
{
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(address);
    place.sin_port = htons(port);
    return MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, port, 0, 0,
        listeners.request, context, MHD_OPTION_EXTERNAL_LOGGER, shim_say_nothing, (void *)0,
        MHD_OPTION_NOTIFY_COMPLETED, listeners.completed, context, MHD_OPTION_NOTIFY_CONNECTION,
        listeners.connection, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&place,
        MHD_OPTION_CONNECTION_LIMIT, bounds.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        bounds.connections_of_one_address, MHD_OPTION_CONNECTION_TIMEOUT, bounds.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, bounds.bytes_of_one_connection,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

// The value of a header of the request; null where it has none.
static inline const char *shim_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// The descriptor of a connection, which is its own until its end was told.
static inline int shim_descriptor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Ends a connection from any thread: the server finds it ended.
static inline void shim_cut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

// An answer with a copy of these bytes.
static inline struct MHD_Response *shim_copy(const void *bytes, size_t count)
{
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// An answer without an end, which a reader gives bytes.
static inline struct MHD_Response *shim_stream(
    MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32 << 10, reader, context, release);
}

static inline ssize_t shim_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
