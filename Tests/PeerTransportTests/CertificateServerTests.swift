import COpenSSL
import Testing

@testable import PeerTransport

@Suite("A peer that proves itself by a certificate")
struct CertificateServerTests {
    @Test("is refused by the dialling end")
    func serverIsRefused() throws {
        let server = try CertificateServer()
        let client = try TLSMachine(role: .client(Keys.key()))
        var failure: TLSFailure?
        for _ in 0..<4 where failure == nil {
            server.receive(client.drainOutput())
            do throws(TLSFailure) { _ = try client.receive(server.drainOutput()) } catch {
                failure = error
            }
        }
        #expect(failure == .noKey)
        #expect(client.status == .failed)
    }

    @Test("is refused by the listening end when it offers no key")
    func clientIsRefused() throws {
        let server = try TLSMachine(role: .server(lookup: { _ in Secret(Keys.secret) }))
        let browser = try CertificateServer(isClient: true)
        browser.receive([])
        #expect(throws: TLSFailure.noKey) { try server.receive(browser.drainOutput()) }
    }
}

/// Ordinary TLS 1.3 as the rest of the world speaks it: a self-signed certificate, no key.
private final class CertificateServer {
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    init(isClient: Bool = false) throws {
        context = try #require(SSL_CTX_new(isClient ? TLS_client_method() : TLS_server_method()))
        if !isClient { try Self.certify(context) }
        ssl = try #require(SSL_new(context))
        incoming = try #require(BIO_new(BIO_s_mem()))
        outgoing = try #require(BIO_new(BIO_s_mem()))
        shim_BIO_set_mem_eof_return(incoming, -1)
        SSL_set_bio(ssl, incoming, outgoing)
        if isClient { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    func receive(_ bytes: [UInt8]) {
        if !bytes.isEmpty { BIO_write(incoming, bytes, Int32(bytes.count)) }
        SSL_do_handshake(ssl)
        ERR_clear_error()
    }

    func drainOutput() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
        guard !bytes.isEmpty else { return [] }
        BIO_read(outgoing, &bytes, Int32(bytes.count))
        return bytes
    }

    private static func certify(_ context: OpaquePointer) throws {
        let generator = try #require(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil))
        defer { EVP_PKEY_CTX_free(generator) }
        var key: OpaquePointer?
        try #require(EVP_PKEY_keygen_init(generator) == 1)
        try #require(EVP_PKEY_keygen(generator, &key) == 1)
        defer { EVP_PKEY_free(key) }
        let certificate = try #require(X509_new())
        defer { X509_free(certificate) }
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        try #require(X509_set_pubkey(certificate, key) == 1)
        try #require(X509_sign(certificate, key, nil) > 0)
        try #require(SSL_CTX_use_certificate(context, certificate) == 1)
        try #require(SSL_CTX_use_PrivateKey(context, key) == 1)
    }
}
