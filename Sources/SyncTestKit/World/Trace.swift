import SessionCRDT
import SyncEngine
import SyncProtocol

/// The last lines of a simulation's log, to find the cause of a failure.
///
/// Off by default, when it costs nothing: a failing seed is simulated again with it.
struct Trace: Sendable {
    private static let maxLines = 40_000

    private let isOn: Bool
    private var ring: [String] = []
    private var start = 0

    init(isOn: Bool) { self.isOn = isOn }

    var lines: [String] { Array(ring[start...] + ring[..<start]) }

    mutating func log(_ time: UInt64, _ line: @autoclosure () -> String) {
        guard isOn else { return }
        let text = "\(time) \(line())"
        if ring.count < Trace.maxLines {
            ring.append(text)
        } else {
            ring[start] = text
            start = (start + 1) % Trace.maxLines
        }
    }
}

enum Brief {
    static func text(_ input: Input) -> String {
        switch input {
        case .opened(let session, let opened):
            "opened \(name(session)) \(name(opened.replica.vector))"
        case .received(let link, let message): "received \(link) \(text(message))"
        case .linked(let link, _, let remote, let side):
            "linked \(link) \(remote) \(side)"
        case .dialFailed(_, let endpoint, let failure): "dialFailed \(endpoint) \(failure)"
        case .announced(let announcement, let source):
            "announced \(name(announcement.device)) \(name(announcement.instance)) \(source)"
        case .write(let request, _, let mutations):
            "write \(request) \(mutations.map { "\($0.key)=\($0.value)" })"
        case .imported(let request, _, let delta, _):
            "imported \(request) \(name(delta.upto))"
        case .unlinked, .bytesReceived, .partReceived, .messageRejected, .persisted, .persistFailed,
            .loadFailed, .left, .peerCheckRequested, .inviteChanged, .knocksChanged, .knockAnswered,
            .listening, .addressTyped, .addressRemoved, .networkChanged, .resumed, .renamed,
            .offline, .stopping, .timePassed:
            "\(input)"
        }
    }

    static func text(_ effect: Effect) -> String {
        switch effect {
        case .persist(let id, let session, let batch):
            "persist \(id) \(name(session)) \(batch.advanced.map { name($0) })"
        case .send(let link, let message): "send \(link) \(text(message))"
        case .dial(_, let endpoint): "dial \(endpoint)"
        case .announce: "announce"
        case .acknowledged(_, let vector): "acknowledged \(name(vector))"
        case .loaded(let session), .changed(let session, _), .peersChanged(let session),
            .load(let session):
            "\(String(describing: effect).prefix(12)) \(name(session))"
        case .rememberAddress(_, let endpoint, let device):
            "rememberAddress \(endpoint) \(name(device))"
        case .wake, .alarm, .close, .reply, .answerKnock, .log: "\(effect)"
        }
    }

    private static func text(_ message: PeerMessage) -> String {
        switch message {
        case .hello(let hello):
            "hello \(name(hello.device)) \(name(hello.instance)) \(name(hello.vector))"
        case .delta(let delta):
            "delta\(delta.isUnion ? " (union)" : "") \(name(delta.base)) to \(name(delta.upto)), "
                + "\(delta.changes.count) keys"
        case .ack(let acknowledgement):
            "ack \(name(acknowledgement.vector)) \(acknowledgement.digest.description.prefix(4))"
        case .need(let vector): "need \(name(vector))"
        case .links(let instances): "links \(instances.count)"
        case .reached(let reach): "reached \(reach.instances.count) \(name(reach.vector))"
        case .addresses(let endpoints): "addresses \(endpoints.map(\.description))"
        case .ping, .pong, .clock, .storage, .knocks, .admit, .bye, .error, .welcome, .guest:
            "\(message)"
        }
    }

    static func name(_ dot: Dot) -> String { "\(dot.actor.description.prefix(4)):\(dot.sequence)" }

    static func name(_ vector: VersionVector) -> String {
        "{" + vector.sorted.map { name($0) }.joined(separator: " ") + "}"
    }

    static func name<Tag>(_ id: ID<Tag>) -> String { String(id.description.prefix(4)) }

    static func name(_ key: Key, _ live: LiveSet) -> String {
        "\(key): " + live.map { "\(name($0.dot)) \($0.value)" }.joined(separator: ", ")
    }
}
