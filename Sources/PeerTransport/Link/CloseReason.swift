package import SyncProtocol

/// Why a link ended.
package enum CloseReason: Error, Hashable, Sendable {
    /// The owner closed or aborted it.
    case local
    /// The peer said goodbye, between two frames.
    case byPeer
    /// The connection ended without a goodbye or within a frame: a crash, or a cut.
    case cutOff
    /// No connection came about.
    case unreachable(SystemError)
    /// The connection broke.
    case broken(SystemError)
    /// A step took too long.
    case timedOut(Step)
    /// TLS failed.
    case tls(TLSFailure)
    /// More bytes than `TransportLimits.unprovenBytes` came before TLS was finished.
    case tooMuchBeforeTLS
    /// A frame broke the rules, the peer's or one of ours.
    case badFrame(FrameError)
    /// The peer reads more slowly than we write: more than the queue may hold.
    case peerTooSlow
    /// Another connection needed its place before it had proven anything.
    case evicted

    /// The steps that have a time limit.
    package enum Step: String, Hashable, Sendable {
        /// The TCP connection.
        case connecting
        /// TLS.
        case handshaking
    }
}

extension CloseReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .local: "closed here"
        case .byPeer: "closed by the peer"
        case .cutOff: "the connection was cut"
        case .unreachable(let error), .broken(let error): "\(error)"
        case .timedOut(let step): "timed out while \(step.rawValue)"
        case .tls(let failure): "\(failure)"
        case .tooMuchBeforeTLS: "too many bytes before TLS was finished"
        case .badFrame(let error): "\(error)"
        case .peerTooSlow: "the peer reads too slowly"
        case .evicted: "evicted by newer connections"
        }
    }
}
