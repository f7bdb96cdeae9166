import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

/// The stores of earlier releases, and what was asked about them then, on today's daemon.
@Suite(.timeLimit(.minutes(10)))
struct RecordedReleaseTests {
    private static var folder: URL {
        URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Releases")
    }

    /// The recorded releases.
    static var releases: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// A call as it was sent, and what was answered.
    private struct Line: Decodable {
        let call: RecordedJSON
        let answer: RecordedJSON
    }

    /// The fields that differ from run to run or with the current links, and sentences for people.
    private static let passing: Set = [
        "version", "build", "online", "synced", "peersOnline", "inviteExpires", "lastSeen",
        "clockSkewMs", "address", "candidates", "me", "current", "peers", "alarms", "port", "notes",
    ]

    @Test(
        "A release's store is read, and its calls are answered with all that was answered then",
        arguments: releases
    )
    func answers(release: String) throws {
        let from = Self.folder.appendingPathComponent(release)
        let laptop = try Laptop("ann-laptop")
        try FileManager.default.copyItem(
            atPath: from.appendingPathComponent("scoresync.db").path,
            toPath: laptop.home + "/scoresync.db"
        )
        try laptop.start("--no-discovery")
        let text = try String(
            contentsOf: from.appendingPathComponent("control.jsonl"),
            encoding: .utf8
        )
        let lines = try text.split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
        #expect(lines.count > 30)
        let client = try RawControl(laptop.home + "/control.sock")
        for line in lines {
            let answer = try client.answer(to: line.call)
            let missing = line.answer.missing(in: answer, besides: Self.passing)
            #expect(missing == [], "\(release): \(line.call)")
        }
        let alarms = try laptop.read(StatusReply.self, "status").alarms
        #expect(alarms == [])
    }

    @Test("The answers of a release are read by this version's command line", arguments: releases)
    func reads(release: String) throws {
        let from = Self.folder.appendingPathComponent(release)
        let text = try String(
            contentsOf: from.appendingPathComponent("control.jsonl"),
            encoding: .utf8
        )
        var read: Set<String> = []
        for line in text.split(separator: "\n") {
            let recorded = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            guard case .object(let call) = recorded.call, case .text(let method)? = call["method"],
                case .object(let answer) = recorded.answer, let result = answer["result"]
            else { throw Failure("no call: \(line.prefix(200))") }
            let bytes = Array(try JSONEncoder().encode(result))
            func decode<Parameters, Reply>(_ known: Method<Parameters, Reply>) throws {
                guard known.name == method else { return }
                _ = try ControlJSON.decode(Reply.self, from: bytes)
                read.insert(method)
            }
            try decode(.negotiate)
            try decode(.sessions)
            try decode(.session)
            try decode(.people)
            try decode(.games)
            try decode(.game)
            try decode(.results)
            try decode(.leaders)
            try decode(.statistics)
            try decode(.peers)
            try decode(.players)
            try decode(.conflicts)
            try decode(.show)
            try decode(.history)
            try decode(.chart)
            #expect(read.contains(method), "nothing reads \(method)")
        }
        #expect(read.count > 12)
    }
}
