import SessionCRDT
import SyncEngine
import SyncProtocol

/// What happens, in a few words for a trace.
enum Brief {
    /// An input in a few words, for a trace.
    static func of(_ input: Input) -> String {
        switch input {
        case .opened(let session, let opened):
            "opened \(start(session)) \(name(opened.replica.vector))"
        case .received(let link, let message): "received \(link.number) \(of(message))"
        case .linked(let link, _, let remote, let origin):
            "linked \(link.number) \(remote) \(origin)"
        case .dialFailed(_, let endpoint, let failure): "dialFailed \(endpoint) \(failure)"
        case .announced(let announcement, let source):
            "announced \(start(announcement.device)) \(start(announcement.instance)) \(source)"
        case .write(let request, _, let mutations):
            "write \(request.number) \(mutations.map { "\($0.key)=\($0.value)" })"
        case .unlinked(let link): "unlinked \(link.number)"
        case .heard(let link): "heard \(link.number)"
        case .unreadable(let link, _, _): "unreadable \(link.number)"
        case .persisted(let batch): "persisted \(batch.number)"
        case .persistFailed(let batch, let reason): "persistFailed \(batch.number) \(reason)"
        case .unloadable, .left, .inviteChanged, .listening, .addressTyped, .addressRemoved,
            .networkChanged, .woke, .offline, .stopping, .timePassed:
            "\(input)"
        }
    }

    /// An effect in a few words, for a trace.
    static func of(_ effect: Effect) -> String {
        switch effect {
        case .persist(let id, let session, let batch):
            "persist \(id.number) \(start(session)) \(batch.advanced.map(name))"
        case .send(let link, let message): "send \(link.number) \(of(message))"
        case .close(let link): "close \(link.number)"
        case .reply(let request, let outcome): "reply \(request.number) \(outcome)"
        case .dial(_, let endpoint): "dial \(endpoint)"
        case .announce: "announce"
        case .acknowledged(_, let vector): "acknowledged \(name(vector))"
        case .log(_, let text): "log \(text)"
        case .changed(let session), .peersChanged(let session), .load(let session):
            "\(String(describing: effect).prefix(12)) \(start(session))"
        case .remember(_, let endpoint, let device): "remember \(endpoint) \(start(device))"
        case .wake(let time): "wake \(time)"
        case .alarm: "\(effect)"
        }
    }

    private static func of(_ message: PeerMessage) -> String {
        switch message {
        case .hello(let hello):
            "hello \(start(hello.device)) \(start(hello.instance)) \(name(hello.vector))"
        case .delta(let delta):
            "delta\(delta.isUnion ? " (union)" : "") \(name(delta.base)) to \(name(delta.upto)), "
                + "\(delta.changes.count) keys"
        case .ack(let acknowledgement):
            "ack \(name(acknowledgement.vector)) \(acknowledgement.digest.description.prefix(4))"
        case .need(let vector): "need \(name(vector))"
        case .addresses(let endpoints): "addresses \(endpoints.map(\.description))"
        case .ping, .pong, .bye, .error, .welcome: "\(message)"
        }
    }

    private static func start<Tag>(_ id: ID<Tag>) -> String { String(id.description.prefix(4)) }
}
