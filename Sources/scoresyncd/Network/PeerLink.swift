import PeerTransport
import SyncEngine
import SyncProtocol

/// One link with a member: frames on one side, messages on the other.
///
/// Used on the daemon's queue only.
final class PeerLink {
    private let transport: TransportLink
    private var decoder = PeerMessageDecoder()

    init(_ transport: TransportLink) {
        self.transport = transport
    }

    /// How many bytes of a delta have come that is not complete.
    var unfinishedBytes: Int { decoder.unfinishedBytes }

    /// Says something to the peer; a long delta is cut into parts while the socket drains.
    func send(_ message: PeerMessage) {
        switch message {
        case .delta: transport.send(stream: MessageSource(message))
        case .hello, .ack, .need, .ping, .pong, .clock, .addresses, .links, .reached, .bye,
            .error, .welcome:
            let source = MessageSource(message)
            while let payload = source.nextFrame() { transport.send(payload) }
        }
    }

    /// Closes once everything said is on its way.
    func close() { transport.close() }

    /// What a frame of the peer means to the engine; nil while a delta's parts are still coming.
    func read(_ payload: [UInt8], from link: LinkID) -> Input {
        do throws(PeerMessageError) {
            guard let message = try decoder.receive(payload) else { return .partReceived(link) }
            // The last word about what somebody wrote.
            if case .reached = message { transport.expectNoAnswer() }
            return .received(link, message)
        } catch {
            guard let answer = error.answer else { return .heard(link) }
            return .unreadable(link, answer, isFatal: error.isFatal)
        }
    }
}

/// A message as the frames that it takes, made as they are asked for.
final class MessageSource: FrameSource {
    private var payloads: PeerMessageEncoder

    init(_ message: PeerMessage) {
        payloads = PeerMessageEncoder(message)
    }

    func nextFrame() -> [UInt8]? { payloads.next() }
}

extension PeerMessageError {
    /// Whether the link cannot go on: only a message of a later version can be passed over, and a
    /// delta that is too long.
    fileprivate var isFatal: Bool {
        switch self {
        case .unknownType, .longDelta: false
        case .notJSON, .badMessage, .badDelta: true
        }
    }
}
