#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "platform_names.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

// The error codes of getaddrinfo are negative on some systems and positive on others; callers get
// positive ones.
#if EAI_FAIL < 0
#define SIGN (-1)
#else
#define SIGN 1
#endif

int platform_lookup(const char *host, uint32_t *addresses, int capacity) {
    struct addrinfo wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    struct addrinfo *first = NULL;
    int code = getaddrinfo(host, NULL, &wanted, &first);
    if (code != 0) return -(SIGN * code);
    int count = 0;
    for (struct addrinfo *each = first; each && count < capacity; each = each->ai_next) {
        struct sockaddr_in in;
        memcpy(&in, each->ai_addr, sizeof in);
        addresses[count++] = ntohl(in.sin_addr.s_addr);
    }
    freeaddrinfo(first);
    return count;
}

const char *platform_lookup_error_text(int code) { return gai_strerror(SIGN * code); }
