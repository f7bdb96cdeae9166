/// What Swift sees of OpenSSL. The library's function-like macros are invisible to Swift; each one
/// that is used has a function here, with the name of the macro behind `shim_`.
#pragma once

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

static inline int shim_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int shim_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline int shim_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

static inline void shim_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

static inline void shim_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

/// Makes an empty memory BIO say "try again" (-1) and not "end of stream" (0).
static inline void shim_BIO_set_mem_eof_return(BIO *bio, int value) {
    BIO_set_mem_eof_return(bio, value);
}

static inline int shim_ERR_GET_REASON(unsigned long code) {
    return ERR_GET_REASON(code);
}

/// Both bytes of the cipher suite that this protocol uses, as on the wire (RFC 8446, B.4).
static inline const SSL_CIPHER *shim_aes_128_gcm_sha256(SSL *ssl) {
    static const unsigned char suite[2] = {0x13, 0x01};
    return SSL_CIPHER_find(ssl, suite);
}
