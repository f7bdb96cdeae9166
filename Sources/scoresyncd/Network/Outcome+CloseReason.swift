import CPlatform
import PeerTransport
import SyncProtocol

extension Diagnosis.Outcome {
    /// What the end of a connection that did not become a link says.
    init(_ reason: CloseReason) {
        switch reason {
        case .tls(.unknownIdentity): self = .unknownSession
        case .tls(.wrongKey): self = .wrongKey
        case .unreachable(let error): self.init(errno: error.code)
        case .timedOut(.connecting): self = .silent
        case .tls, .local, .byPeer, .cutOff, .broken, .timedOut, .tooMuchBeforeTLS, .badFrame,
            .peerTooSlow, .evicted:
            self = .failed
        }
    }

    /// What the errno of an attempt to connect says.
    init(errno code: Int32) {
        self =
            switch code {
            case ECONNREFUSED: .refused
            case ETIMEDOUT: .silent
            case EHOSTUNREACH, EHOSTDOWN: .absent
            case ENETUNREACH, ENETDOWN, EINVAL: .noWay
            default: .failed
            }
    }
}
