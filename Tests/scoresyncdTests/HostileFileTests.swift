import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

/// Files of others: damaged exports, sheets and backups.
@Suite(.timeLimit(.minutes(10)))
struct HostileFileTests {
    private let laptop: Laptop
    private let scratch: ScratchDirectory

    init() throws {
        (laptop, scratch) = (try Laptop("ann-laptop"), try ScratchDirectory())
        try laptop.start("--no-discovery", "--log-level", "error")
        try laptop.run("session", "new", "rounds", "--title", "Own", "--player", "Ann")
        try laptop.run("score", "Ann", "round.1=7")
    }

    private func file(_ bytes: some Sequence<UInt8>) throws -> String {
        let path = scratch.path + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// The lines of an export of another laptop, without keys.
    private static func export() throws -> [String] {
        let other = try Laptop("bob-laptop")
        try other.start("--no-discovery")
        try other.run("session", "new", "rounds", "--title", "Other", "--player", "Bob")
        for round in 1...3 { try other.run("score", "Bob", "round.\(round)=\(round)") }
        try other.run("score", "Bob", "round.3=33")
        return try other.run("export", "-").split(separator: "\n").map(String.init)
    }

    /// Lets the check of the only session match its lines.
    private static func sealed(_ lines: [String]) -> [String] {
        guard let end = lines.firstIndex(where: { $0.contains(#""type":"session-end""#) }),
            let start = lines.firstIndex(where: { $0.contains(#""type":"session""#) }),
            let check = lines[end].firstRange(of: #""check":""#), start < end
        else { return lines }
        var hash = SipHash()
        for line in lines[start..<end] { hash.add(Array(line.utf8) + [0x0A]) }
        var digest = Digest()
        digest.add(hash.result)
        var lines = lines
        let rest = lines[end][check.upperBound...].drop { $0 != "\"" }
        lines[end] = lines[end][..<check.upperBound] + "\(digest)" + rest
        return lines
    }

    @Test("Damaged exports are refused or imported whole, even with a right check")
    func exports() throws {
        let seed: UInt64 = 24
        var random = SeededGenerator(seed: seed)
        let lines = try Self.export()
        let before = try laptop.run("show", "--json")
        var outcomes = (refused: 0, imported: 0)
        for number in 0..<60 {
            var damaged = lines
            let index = random.index(below: lines.count)
            // Numbers and keys rather than any bytes, so that some of them remain JSON.
            let digits = Array(damaged[index].utf8).enumerated()
                .filter { (48...57).contains($0.element) }.map(\.offset)
            if random.happens(70), let place = random.pick(digits) {
                let numbers = ["-1", "0", "9007199254740991", "9007199254740992", "1.5", "null"]
                var bytes = Array(damaged[index].utf8)
                bytes.replaceSubrange(place...place, with: (random.pick(numbers) ?? "").utf8)
                damaged[index] = String(decoding: bytes, as: UTF8.self)
            } else {
                let bytes = random.damaged(Array(damaged[index].utf8))
                damaged[index] = String(decoding: bytes, as: UTF8.self)
            }
            let text = Self.sealed(damaged).joined(separator: "\n") + "\n"
            let outcome = try laptop.attempt("import", file(text.utf8))
            let place = Comment(rawValue: "seed \(seed), file \(number): \(outcome)")
            if outcome.status == 0 { outcomes.imported += 1 } else { outcomes.refused += 1 }
            #expect([0, 1].contains(outcome.status), place)
            // What was imported is a session as any other.
            for session in try laptop.sessions where session.title != "Own" {
                #expect(try laptop.attempt("show", session.id).status < 2, place)
                try laptop.run("session", "leave", session.id, "--yes")
            }
            try laptop.run("session", "use", "Own")
            #expect(try laptop.run("show", "--json") == before, place)
        }
        #expect(outcomes.refused > 30, "\(outcomes)")
        #expect(try laptop.run("import", file(lines.joined(separator: "\n").utf8)).contains("new"))
    }

    @Test("An import names the line that is too long or not UTF-8, and what is wrong")
    func lines() throws {
        let lines = try Self.export()
        let long = "{" + String(repeating: "x", count: ExportFormat.longestLine)
        let start = Array((lines[0] + "\n" + lines[1] + "\n").utf8)
        for (rest, reason) in [
            (Array(long.utf8), "line 3: longer"), (Array((long + "\n").utf8), "line 3: longer"),
            ([0x7B, 0xFF, 0x7D, 0x0A], "line 3: not valid UTF-8"),
        ] {
            let outcome = try laptop.attempt("import", file(start + rest))
            #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome)")
        }
        for bytes in [Array(long.utf8), Array((long + "\n").utf8), [0x7B, 0xFF, 0x7D, 0x0A]] {
            let outcome = try laptop.attempt("import", file(bytes))
            #expect(outcome.errors.contains("not a ScoreSync export"), "\(outcome)")
        }
    }

    @Test("Damaged sheets are refused with a place, or played")
    func sheets() throws {
        let seed: UInt64 = 49
        var random = SeededGenerator(seed: seed)
        let texts = try ["yahtzee", "wizard", "cricket", "azul"].map {
            try laptop.run("games", "export", $0)
        }
        for number in 0..<50 {
            let bytes = random.damaged(Array((random.pick(texts) ?? "").utf8))
            let outcome = try laptop.attempt("games", "add", file(bytes))
            let place = Comment(rawValue: "seed \(seed), sheet \(number): \(outcome)")
            #expect([0, 1, 2, 5].contains(outcome.status), place)
            #expect(laptop.isRunning, place)
            if outcome.status != 0 { #expect(!outcome.errors.isEmpty, place) }
        }
        #expect(try laptop.run("show").contains("Own"))
    }

    @Test("Random files are refused as backups, and the store stays")
    func backups() throws {
        let seed: UInt64 = 87
        var random = SeededGenerator(seed: seed)
        let copy = scratch.path + "/copy.db"
        try laptop.run("backup", copy)
        let bytes = try scratch.bytes(of: "copy.db")
        let before = try laptop.run("show", "--json")
        try laptop.stop()
        let pages = (0..<bytes.count / 4_096).map { bytes[$0 * 4_096..<($0 + 1) * 4_096] }
        for number in 0..<24 {
            let noise = (0..<random.index(below: 9_000)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let shuffled = Array(pages.shuffled(using: &random).joined().dropFirst(100))
            let cut = bytes.prefix(random.index(below: bytes.count))
            let files: [[UInt8]] = [
                noise, Array(bytes[..<100]) + shuffled, Array(cut), random.damaged(bytes),
            ]
            let hostile = files[number % files.count]
            // Without a checksum it is a backup of an earlier version.
            guard !hostile.starts(with: bytes[..<(pages.count * 4_096)]) else { continue }
            let outcome = try laptop.attempt("restore", file(hostile), "--yes")
            #expect(outcome.status != 0, "seed \(seed), file \(number): \(outcome)")
        }
        try laptop.start("--no-discovery")
        #expect(try laptop.run("show", "--json") == before)
        try laptop.stop()
        try laptop.run("restore", copy, "--yes")
        try laptop.start("--no-discovery")
        #expect(try laptop.run("show", "--json") == before)
    }
}
