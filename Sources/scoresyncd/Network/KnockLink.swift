import Descriptors
import PeerTransport
import SessionCRDT
import SyncProtocol

/// A link for one exchange between two laptops without a common key.
@EventLoop
final class KnockLink {
    /// The time limit of an exchange, which takes a few milliseconds.
    static let limit = Duration.seconds(3)

    private let transport: TransportLink
    private var received: [KnockMessage] = []
    private var waiter: CheckedContinuation<KnockMessage?, Never>?
    private var isOpen = true

    /// Takes over an accepted connection.
    init(_ transport: TransportLink, on queue: EventQueue) {
        self.transport = transport
        transport.onEvent = { [weak self] in self?.handle($0) }
        end(after: KnockLink.limit, on: queue)
    }

    /// Dials a laptop that has an open invite to a session.
    init(
        to endpoint: Endpoint,
        of session: SessionID,
        within limit: Duration = KnockLink.limit,
        on queue: EventQueue
    ) {
        let identity = LinkIdentity.knock(session).description
        guard let key = PreSharedKey(identity: identity, secret: Secret(LinkIdentity.knockKey))
        else { preconditionFailure("the public key of knocks is valid") }
        let durations = LinkDurations(connect: .seconds(1), handshake: .seconds(1))
        transport = .dial(to: endpoint, key: key, on: queue, durations: durations) { _ in }
        transport.onEvent = { [weak self] in self?.handle($0) }
        end(after: limit, on: queue)
    }

    var remote: Endpoint { transport.remote }

    private func end(after limit: Duration, on queue: EventQueue) {
        queue.async(after: limit) { [weak self] in self?.transport.abort() }
    }

    private func handle(_ event: LinkEvent) {
        switch event {
        case .frame(let payload):
            guard let message = KnockMessage(payload), received.count < 2 else {
                return transport.abort()
            }
            received.append(message)
            deliver()
        case .closed:
            isOpen = false
            deliver()
        case .opened, .heard, .drained: break
        }
    }

    private func deliver() {
        guard let waiter, !received.isEmpty || !isOpen else { return }
        self.waiter = nil
        waiter.resume(returning: received.isEmpty ? nil : received.removeFirst())
    }

    /// Returns the next message; nil if the link has ended.
    func next() async -> KnockMessage? {
        await withCheckedContinuation { continuation in
            waiter = continuation
            deliver()
        }
    }

    func send(_ message: KnockMessage) { transport.send(message.payload) }

    /// Closes the link after everything that is queued for it was sent.
    func close() { transport.close() }
}
