internal import COpenSSL

/// A key that both sides of a link hold, and the identity by which the dialling side names it.
///
/// There are two kinds: `m:<session>` with the session's own key, for members, and `j:<hint>` with
/// a key derived from a join code, which only serves to obtain the session's key.
package struct PreSharedKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The identity; sent in the clear so that the other side can find the key.
    package let identity: String
    /// The 32-byte key, which must not appear in descriptions and logs.
    let secret: Secret

    /// Creates a key; nil unless the identity is 1–64 bytes of printable ASCII and the key has 32
    /// bytes.
    package init?(identity: String, secret: Secret) {
        guard PreSharedKey.isValid(identity: identity.utf8),
            secret.count == TransportLimits.keyBytes
        else { return nil }
        (self.identity, self.secret) = (identity, secret)
    }

    static func isValid(identity: some Collection<UInt8>) -> Bool {
        (1...TransportLimits.identityBytes).contains(identity.count)
            && identity.allSatisfy { (0x21...0x7E).contains($0) }
    }

    package var description: String { "PreSharedKey(\(identity))" }

    /// A mirror with only the identity, so that no dump of a value prints the key.
    package var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}

/// The reason why a TLS connection failed, as far as users can act on it.
package enum TLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The listening side has no key for this identity: another session, or an invite that is
    /// closed. (OpenSSL then sends the alert `handshake_failure`.)
    case unknownIdentity(String)
    /// The listening side has another key for this identity: a wrong join code. (OpenSSL then sends
    /// the alert `illegal_parameter`.)
    case wrongKey(identity: String)
    /// The peer speaks TLS without a pre-shared key, such as a browser or a web server.
    case noKey
    /// Another alert ended the connection.
    case alert(name: String, byPeer: Bool, reason: String)
    /// The received bytes were not valid TLS, and no alert was exchanged.
    case broken(reason: String)
    case library(CryptoFailure)

    package var description: String {
        switch self {
        case .unknownIdentity(let identity): "the key \(identity) is not held there"
        case .wrongKey(let identity): "the key \(identity) differs between the two ends"
        case .noKey: "the peer has no pre-shared key"
        case .alert(let name, true, _): "the peer ended TLS with the alert \"\(name)\""
        case .alert(let name, false, let reason): "ended TLS with the alert \"\(name)\": \(reason)"
        case .broken(let reason): "not a TLS connection: \(reason)"
        case .library(let failure): "TLS is not available: \(failure)"
        }
    }
}

/// One side of a TLS connection as a state machine without I/O: it turns received bytes into plain
/// bytes, and plain bytes into bytes to send.
///
/// Without sockets it can be tested in memory with bytes that are cut, damaged or delayed. Not
/// thread-safe: only its link uses it. After an error `drainOutput()` may still return the alert
/// that informs the peer of the reason.
@safe package final class TLSMachine {
    package enum Role {
        /// The dialling side, which offers one key.
        case client(PreSharedKey)
        /// The listening side; `lookup` returns the 32-byte key for an identity, nil if there is
        /// none.
        case server(lookup: (_ identity: String) -> Secret?)
    }

    package enum Status: Hashable, Sendable {
        case handshaking
        /// Both sides have proven possession of the key.
        case open
        /// The peer will send no more data (close_notify).
        case peerFinished
        /// An error was thrown; no more data can be read.
        case failed
    }

    package private(set) var status = Status.handshaking
    /// The identity that the client offers, or that the server chose; nil on a server before.
    package private(set) var identity: String?

    private let role: Role
    /// The OpenSSL settings, retained because they contain the callbacks.
    private let context: TLSContext
    private let ssl: OpaquePointer
    /// The two memory BIOs, owned by `ssl`.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// The identity at a fixed address, because OpenSSL uses the pointer after its callback has
    /// returned; freed in `deinit`.
    private let offeredIdentity: UnsafeMutableBufferPointer<UInt8>
    private var unknownIdentity: String?
    private var alert: (code: Int32, byPeer: Bool)?

    /// Starts a connection; the first bytes of a client are then in `drainOutput()`.
    package init(role: Role) throws(TLSFailure) {
        var offer: [UInt8] = []
        if case .client(let key) = role {
            offer = Array(key.identity.utf8)
            identity = key.identity
        }
        let isClient = identity != nil
        do throws(CryptoFailure) {
            context = try (isClient ? TLSContext.client : TLSContext.server).get()
            unsafe (ssl, incoming, outgoing) = try TLSMachine.connection(context)
        } catch { throw .library(error) }
        self.role = role
        unsafe offeredIdentity = .allocate(capacity: offer.count)
        _ = unsafe offeredIdentity.initialize(from: offer)
        unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        if isClient {
            unsafe SSL_set_connect_state(ssl)
            try advanceHandshake()
        } else {
            unsafe SSL_set_accept_state(ssl)
        }
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe offeredIdentity.deallocate()
    }

    /// Processes received bytes, split in any way, and returns the resulting plain bytes.
    ///
    /// Throws each failure once; bytes that arrive later are ignored.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) -> [UInt8] {
        guard status == .handshaking || status == .open else { return [] }
        var rest = unsafe bytes
        while let start = rest.baseAddress, rest.count > 0 {
            let count = unsafe BIO_write(incoming, start, Int32(clamping: rest.count))
            guard count > 0 else { throw failure() }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(count)))
        }
        if status == .handshaking { try advanceHandshake() }
        return status == .open ? try readPlain() : []
    }

    package func receive(_ bytes: [UInt8]) throws(TLSFailure) -> [UInt8] {
        let result = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(TLSFailure) in unsafe try receive(buffer) }
        }
        return try result.get()
    }

    /// Encrypts plain bytes into the output; callers pass at most 64 KiB at a time.
    ///
    /// Allowed while the connection is open, and after the peer has finished: it may still read.
    package func send(_ plain: [UInt8]) throws(TLSFailure) {
        precondition(
            status == .open || status == .peerFinished,
            "a link sends nothing before its handshake or after a failure"
        )
        var start = 0
        while start < plain.count {
            let count = min(plain.count - start, TransportLimits.pieceBytes)
            ERR_clear_error()
            let written = unsafe plain.withUnsafeBytes { buffer in
                unsafe SSL_write(ssl, buffer.baseAddress?.advanced(by: start), Int32(count))
            }
            guard written > 0 else { throw failure() }
            start += Int(written)
        }
    }

    package var hasNoOutput: Bool { unsafe BIO_ctrl_pending(outgoing) == 0 }

    /// Returns and removes the bytes to send.
    package func drainOutput() -> [UInt8] {
        let waiting = unsafe BIO_ctrl_pending(outgoing)
        guard waiting > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
            let read = unsafe BIO_read(outgoing, buffer.baseAddress, Int32(clamping: waiting))
            count = max(0, Int(read))
        }
    }

    /// Tells the peer that no more data will be sent (close_notify), so that it can distinguish the
    /// end from a cut connection.
    package func finish() {
        guard status == .open || status == .peerFinished else { return }
        ERR_clear_error()
        unsafe SSL_shutdown(ssl)
        ERR_clear_error()
    }
}

extension TLSMachine {
    private static func connection(
        _ context: TLSContext
    ) throws(CryptoFailure) -> (OpaquePointer, OpaquePointer, OpaquePointer) {
        ERR_clear_error()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw CryptoFailure("SSL_new") }
        let pair = unsafe (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
        guard let incoming = unsafe pair.0, let outgoing = unsafe pair.1 else {
            unsafe BIO_free(pair.0)
            unsafe BIO_free(pair.1)
            unsafe SSL_free(ssl)
            throw CryptoFailure("BIO_new")
        }
        unsafe shim_BIO_set_mem_eof_return(incoming, -1)
        unsafe shim_BIO_set_mem_eof_return(outgoing, -1)
        unsafe SSL_set_bio(ssl, incoming, outgoing)
        return unsafe (ssl, incoming, outgoing)
    }

    private func advanceHandshake() throws(TLSFailure) {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(ssl)
        guard result == 1 else {
            if unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return }
            throw failure()
        }
        // A server with a certificate that this machine trusts also gets this far.
        guard unsafe SSL_session_reused(ssl) == 1, identity != nil else {
            status = .failed
            throw .noKey
        }
        status = .open
    }

    private func readPlain() throws(TLSFailure) -> [UInt8] {
        var plain: [UInt8] = []
        // A record has at most 16 KiB, and one call reads at most one record.
        let result = unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) {
            buffer -> Int32 in
            while true {
                ERR_clear_error()
                let count = unsafe SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                guard count > 0 else { return unsafe SSL_get_error(ssl, count) }
                unsafe plain.append(contentsOf: buffer[..<Int(count)])
            }
        }
        switch result {
        case SSL_ERROR_WANT_READ: break
        case SSL_ERROR_ZERO_RETURN: status = .peerFinished
        default: throw failure()
        }
        return plain
    }

    /// Classifies a failure by OpenSSL's reason and by the alert that was sent or received.
    private func failure() -> TLSFailure {
        let wasHandshaking = status == .handshaking
        status = .failed
        let error = OpenSSLErrors.removeFirst()
        if wasHandshaking {
            switch role {
            case .client(let key):
                if error.reason == SSL_R_CERTIFICATE_VERIFY_FAILED { return .noKey }
                guard let alert, alert.byPeer else { break }
                switch alert.code {
                case SSL_AD_HANDSHAKE_FAILURE, SSL_AD_UNKNOWN_PSK_IDENTITY:
                    return .unknownIdentity(key.identity)
                case SSL_AD_ILLEGAL_PARAMETER, SSL_AD_DECRYPT_ERROR:
                    return .wrongKey(identity: key.identity)
                default: break
                }
            case .server:
                if error.reason == SSL_R_BINDER_DOES_NOT_VERIFY, let identity {
                    return .wrongKey(identity: identity)
                }
                // Without a key OpenSSL looks for a certificate. The reason that it then reports
                // depends on the peer's hello, but the alert is always this one.
                guard identity == nil, let alert, !alert.byPeer,
                    alert.code == SSL_AD_HANDSHAKE_FAILURE
                else { break }
                return unknownIdentity.map { .unknownIdentity($0) } ?? .noKey
            }
        }
        guard let alert else { return .broken(reason: error.text) }
        let name = unsafe SSL_alert_desc_string_long(alert.code).map { unsafe String(cString: $0) }
        return .alert(name: name ?? "\(alert.code)", byPeer: alert.byPeer, reason: error.text)
    }
}

/// OpenSSL's callbacks during the handshake.
extension TLSMachine {
    /// Returns the client's key; the caller takes ownership of the session.
    func offeredSession() -> (identity: UnsafeMutableBufferPointer<UInt8>, session: OpaquePointer)?
    {
        guard case .client(let key) = role, let session = unsafe session(of: key.secret) else {
            return nil
        }
        return unsafe (offeredIdentity, session)
    }

    /// Returns the server's key for an offered identity; the caller takes ownership of the session.
    func foundSession(identity bytes: [UInt8]) -> OpaquePointer? {
        guard case .server(let lookup) = role, PreSharedKey.isValid(identity: bytes) else {
            return nil
        }
        let name = String(decoding: bytes, as: UTF8.self)
        guard let secret = lookup(name), secret.count == TransportLimits.keyBytes else {
            unknownIdentity = name
            return nil
        }
        identity = name
        return unsafe session(of: secret)
    }

    /// Records the last alert; the lower byte of `value` is its code.
    func recordAlert(value: Int32, byPeer: Bool) { alert = (value & 0xFF, byPeer) }

    /// Returns a session that represents a pre-shared key, in the form that
    /// SSL_CTX_set_psk_use_session_callback(3) requires; OpenSSL zeroes its copy of the key.
    private func session(of secret: Secret) -> OpaquePointer? {
        guard let session = unsafe SSL_SESSION_new() else { return nil }
        let isSet = unsafe secret.read { key in
            let bytes = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe SSL_SESSION_set1_master_key(session, bytes, key.count)
        }
        guard let suite = unsafe shim_aes_128_gcm_sha256(ssl), isSet == 1,
            unsafe SSL_SESSION_set_cipher(session, suite) == 1,
            unsafe SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1
        else {
            unsafe SSL_SESSION_free(session)
            return nil
        }
        return unsafe session
    }
}
