import FoundationEssentials
import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

/// The recorded messages of earlier releases, read by this one.
struct RecordedPeersTests {
    /// A payload as it was sent, and who sent it.
    struct Line: Codable {
        let from: String
        let text: String
    }

    private static var releases: URL {
        URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Releases")
    }

    /// The recorded conversations of all releases.
    static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: releases.path)) ?? []
        return names.sorted().map { "\(releases.path)/\($0)/peers.jsonl" }
    }

    /// Two engines that meet, catch up and write in turns: every kind of message between them.
    private static func conversation() -> (lines: [Line], digest: Digest?) {
        var pair = Pair(.ready(device(2)), .ready(device(1)))
        let id = PlayerID(high: 2, low: 2)
        pair.give(
            .write(RequestID(1), session, Mutation.add(ann, name: "Ann")),
            toLeft: true,
            at: ms(3_000)
        )
        pair.give(
            .write(RequestID(2), session, [.title("Friday \"é\" 🎲")]),
            toLeft: true,
            at: ms(3_001)
        )
        pair.give(.write(RequestID(3), session, score(12)), toLeft: true, at: ms(3_002))
        pair.give(.write(RequestID(4), session, score(15)), toLeft: false, at: ms(3_003))
        pair.meet(at: ms(4_000))
        pair.give(.write(RequestID(5), session, score(-3, round: 2)), toLeft: true, at: ms(4_100))
        pair.give(
            .write(RequestID(6), session, Mutation.add(id, name: "Bob")),
            toLeft: false,
            at: ms(4_200)
        )
        pair.give(.write(RequestID(7), session, [.finished(true)]), toLeft: true, at: ms(4_300))
        pair.give(.stopping, toLeft: true, at: ms(5_000))
        var lines: [Line] = []
        for (isLeft, message) in pair.said {
            for payload in PeerMessageEncoder(message) {
                let text = String(decoding: payload, as: UTF8.self)
                lines.append(Line(from: isLeft ? "left" : "right", text: text))
            }
        }
        return (lines, pair.left.replicas[session]?.committed.tally.digest)
    }

    private static let recording = ProcessInfo.processInfo.environment["SCORESYNC_RECORD"]

    @Test("Records a conversation, for Scripts/record-release", .enabled(if: recording != nil))
    func record() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try Self.conversation().lines.map { line in
            String(decoding: try encoder.encode(line), as: UTF8.self) + "\n"
        }
        let path = try #require(Self.recording)
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test("The messages of earlier releases are understood and raise no alarm", arguments: files)
    func hears(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = try text.split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
        #expect(Set(lines.map(\.from)) == ["left", "right"])
        var last: Digest?
        var told: [Key: Value] = [:]
        for side in ["left", "right"] {
            // A device that is neither of them and has nothing yet.
            var engine = SyncEngine.ready(device(9))
            var decoder = PeerMessageDecoder()
            let link = LinkID(1)
            var effects = engine.handle(.linked(link, session, address(2), .dialled), at: ms(4_000))
            var kinds: Set<String> = []
            for line in lines where line.from == side {
                guard let message = try decoder.receive(Array(line.text.utf8)) else { continue }
                kinds.insert(message.kind)
                if case .ack(let ack) = message { last = ack.digest }
                if case .delta(let delta) = message {
                    for change in delta.changes { told[change.key] = change.live.winner.value }
                }
                effects += engine.handle(.received(link, message), at: ms(4_000))
                while let place = effects.firstIndex(where: \.isBatch) {
                    guard case .persist(let batch, _, _) = effects.remove(at: place) else { break }
                    effects += engine.handle(.persisted(batch), at: ms(4_000))
                }
            }
            #expect(kinds.isSuperset(of: ["hello", "delta", "ack"]), "\(side) \(kinds)")
            let alarms = effects.filter { if case .alarm = $0 { true } else { false } }
            #expect(alarms == [], "\(side)")
        }
        #expect(last != nil)
        #expect(told[.session(Field.title)] == .text("Friday \"é\" 🎲"))
        let cell = Cell(player: ann, row: Symbol(known: "round"), round: 2)
        #expect(told[.cell(cell)] == .integer(-3))
    }

    @Test("Two engines of this version end up equal, and send everything that is recorded")
    func now() throws {
        let (lines, digest) = Self.conversation()
        #expect(digest != nil)
        #expect(lines.count > 6)
    }
}

extension PeerMessage {
    /// The type by which it travels, of those that matter here.
    fileprivate var kind: String {
        switch self {
        case .hello: "hello"
        case .delta: "delta"
        case .ack: "ack"
        default: "other"
        }
    }
}

extension Effect {
    fileprivate var isBatch: Bool { if case .persist = self { true } else { false } }
}
