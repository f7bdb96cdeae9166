internal import COpenSSL

/// An ephemeral key pair for X25519 (RFC 7748), computed by OpenSSL.
@safe
package final class AgreementKey {
    private let pointer: OpaquePointer
    /// The public key, 32 bytes.
    package let publicKey: [UInt8]

    /// Creates a random pair.
    package init() throws(CryptoFailure) {
        ERR_clear_error()
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_X25519, nil) else {
            throw CryptoFailure("X25519")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var created: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_keygen(context, &created) == 1, let key = unsafe created
        else { throw CryptoFailure("X25519") }
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else {
            unsafe EVP_PKEY_free(key)
            throw CryptoFailure("X25519")
        }
        (unsafe pointer, publicKey) = unsafe (key, bytes)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Returns the secret that is shared with the owner of another public key.
    ///
    /// Throws for a key that would make the secret predictable (RFC 7748, section 6.1).
    package func secret(with other: [UInt8]) throws(CryptoFailure) -> Secret {
        ERR_clear_error()
        guard other.count == 32,
            let peer = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, other, 32)
        else { throw CryptoFailure("X25519") }
        defer { unsafe EVP_PKEY_free(peer) }
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else {
            throw CryptoFailure("X25519")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe try Secret(count: 32) { buffer throws(CryptoFailure) in
            var count = 32
            let bytes = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard unsafe EVP_PKEY_derive_init(context) == 1,
                unsafe EVP_PKEY_derive_set_peer(context, peer) == 1,
                unsafe EVP_PKEY_derive(context, bytes, &count) == 1, count == 32
            else { throw CryptoFailure("X25519") }
        }
    }
}

/// The key derivation function HKDF with SHA-256 (RFC 5869), computed by OpenSSL.
package enum HKDF {
    package static func derive(
        from secrets: [Secret],
        salt: [UInt8],
        info: String,
        length: Int = 32
    ) throws(CryptoFailure) -> Secret {
        let material = Secret(secrets.flatMap(\.bytes))
        let info = Array(info.utf8)
        ERR_clear_error()
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
            throw CryptoFailure("HKDF")
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        return unsafe try Secret(count: length) { buffer throws(CryptoFailure) in
            var count = length
            let key = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let isKeySet = unsafe material.read { bytes in
                unsafe EVP_PKEY_derive_init(context) == 1
                    && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
                    && EVP_PKEY_CTX_set1_hkdf_key(
                        context,
                        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        Int32(clamping: bytes.count)
                    ) == 1
            }
            guard isKeySet,
                unsafe EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(clamping: salt.count)) == 1,
                unsafe EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(clamping: info.count)) == 1,
                unsafe EVP_PKEY_derive(context, key, &count) == 1, count == length
            else { throw CryptoFailure("HKDF") }
        }
    }
}
