internal import COpenSSL

/// OpenSSL's settings for one side of all connections, created once per process.
///
/// They allow only one kind of connection: TLS 1.3 with a pre-shared key and an ephemeral key
/// exchange (`psk_dhe_ke`), AES-128-GCM with SHA-256; no certificates, tickets or early data.
///
/// Invariant for `@unchecked Sendable`: `pointer` is not written after `init`, and an SSL_CTX may
/// be used by all threads after its setup (its reference count is atomic).
@safe final class TLSContext: @unchecked Sendable {
    static let client = Result { () throws(CryptoFailure) in try TLSContext(isClient: true) }
    static let server = Result { () throws(CryptoFailure) in try TLSContext(isClient: false) }

    let pointer: OpaquePointer

    private init(isClient: Bool) throws(CryptoFailure) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(isClient ? TLS_client_method() : TLS_server_method())
        else { throw CryptoFailure("SSL_CTX_new") }
        unsafe pointer = context
        for (setting, result) in unsafe [
            ("protocol version", shim_SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)),
            ("protocol version", shim_SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION)),
            ("cipher suite", SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256")),
            ("key exchange", shim_SSL_CTX_set1_groups_list(context, "X25519:P-256")),
            ("tickets", SSL_CTX_set_num_tickets(context, 0)),
        ] where result != 1 { throw CryptoFailure("setting the \(setting)") }
        unsafe shim_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
        unsafe shim_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        unsafe SSL_CTX_set_info_callback(context, recordAlert)
        if isClient {
            // Without this setting a client would accept any server with a certificate. On a server
            // it would disable pre-shared keys.
            unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            unsafe SSL_CTX_set_psk_use_session_callback(context, offerKey)
        } else {
            unsafe SSL_CTX_set_psk_find_session_callback(context, findKey)
        }
    }

    deinit { unsafe SSL_CTX_free(pointer) }
}

/// Returns the machine that owns an SSL object; it is alive whenever OpenSSL calls back.
private func machine(of ssl: OpaquePointer?) -> TLSMachine? {
    guard let ssl = unsafe ssl, let pointer = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<TLSMachine>.fromOpaque(pointer).takeUnretainedValue()
}

/// Returns the key that the dialling side offers (SSL_CTX_set_psk_use_session_callback(3)).
private func offerKey(
    ssl: OpaquePointer?,
    digest: OpaquePointer?,
    identity: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    identityCount: UnsafeMutablePointer<Int>?,
    session: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let offer = unsafe machine(of: ssl)?.offeredSession() else { return 0 }
    unsafe identity?.pointee = unsafe UnsafePointer(offer.identity.baseAddress)
    unsafe identityCount?.pointee = offer.identity.count
    unsafe session?.pointee = unsafe offer.session
    return 1
}

/// Returns the listening side's key for an identity (SSL_CTX_set_psk_find_session_callback(3)).
///
/// The result 1 without a session means "unknown": OpenSSL tries the next offered identity, and
/// fails if there is none.
private func findKey(
    ssl: OpaquePointer?,
    identity: UnsafePointer<UInt8>?,
    identityCount: Int,
    session: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let machine = unsafe machine(of: ssl) else { return 0 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: identity, count: identityCount))
    unsafe session?.pointee = unsafe machine.foundSession(identity: bytes)
    return 1
}

/// Records the alert of a handshake; other events of OpenSSL are ignored.
private func recordAlert(ssl: OpaquePointer?, event: Int32, value: Int32) {
    guard event & SSL_CB_ALERT != 0 else { return }
    unsafe machine(of: ssl)?.recordAlert(value: value, byPeer: event & SSL_CB_READ != 0)
}
