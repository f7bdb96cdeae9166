/// Why a TLS connection failed, told apart as far as a person can act on it.
package enum TLSFailure: Error, Hashable, Sendable {
    /// Nobody at the listening end holds a key of this identity: another session, or an invite that
    /// is closed. (OpenSSL then answers with the alert `handshake_failure`.)
    case unknownIdentity(String)
    /// The listening end holds this identity with another key: a wrong join code. (OpenSSL then
    /// answers with the alert `illegal_parameter`.)
    case wrongKey(identity: String)
    /// The peer speaks TLS without a pre-shared key: a browser, or a server with a certificate.
    case noKey
    /// Another alert ended the connection, sent by the peer or by this end.
    case alert(name: String, byPeer: Bool, reason: String)
    /// What came was not TLS, or broke its rules, and no alert was exchanged.
    case broken(reason: String)
    /// OpenSSL could not be set up.
    case library(CryptoFailure)
}

extension TLSFailure: CustomStringConvertible {
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
