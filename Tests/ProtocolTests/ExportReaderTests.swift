import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@Suite("A file of exported sessions")
struct ExportReaderTests {
    private let file = ExportSample.file(sessions: 2)

    private func read(_ lines: some Sequence<String>) throws(ExportError) -> [ImportedSession] {
        var reader = ExportReader()
        var sessions: [ImportedSession] = []
        for line in lines {
            if case .session(let session) = try reader.read(Array(line.utf8)) {
                sessions.append(session)
            }
        }
        try reader.finish()
        return sessions
    }

    private func refusal(_ lines: some Sequence<String>) -> ExportError? {
        do throws(ExportError) {
            _ = try read(lines)
            return nil
        } catch { return error }
    }

    private func reason(_ lines: some Sequence<String>) -> String {
        refusal(lines).map { "\($0)" } ?? "nothing"
    }

    @Test("is read as it was written, with conflicts, journal and keys")
    func roundTrip() throws {
        let sessions = try read(file)
        #expect(sessions.map(\.facts) == [ExportSample.facts(0), ExportSample.facts(1)])
        for session in sessions {
            #expect(session.delta.changes == ExportSample.changes)
            #expect(session.delta.upto == ExportSample.vector)
            #expect(session.journal == ExportSample.journal)
            #expect(session.entries.count == ExportSample.count)
        }
    }

    @Test("that ends early after any line is reported as incomplete")
    func cut() {
        for count in 1..<file.count {
            #expect(refusal(file.prefix(count)) == .cut(lines: count))
        }
        #expect(refusal([String]()) == .foreign)
    }

    @Test("with any changed byte is rejected, or has another header")
    func damaged() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            var lines = file
            let line = Int.random(in: 1..<lines.count, using: &random)
            var bytes = Array(lines[line].utf8)
            let place = bytes.indices.randomElement(using: &random) ?? 0
            bytes[place] = UInt8.random(in: 32..<127, using: &random)
            lines[line] = String(decoding: bytes, as: UTF8.self)
            guard lines != file else { continue }
            #expect(refusal(lines) != nil, "line \(line), byte \(place): \(lines[line])")
        }
    }

    @Test("of another program or a later version is reported as such")
    func foreign() {
        for line in ["", "{}", "[]", "a,b", #"{"format":"scoresync-export"}"#, #"{"about":1}"#] {
            #expect(refusal([line] + file.dropFirst()) == .foreign, "\(line)")
        }
        let newer = file[0].replacing("\"version\":1", with: "\"version\":2")
        #expect(refusal([newer]) == .newer(version: 2, program: "0.1.0"))
        #expect(reason([newer]).contains("later ScoreSync"))
    }

    @Test("has lines of limited length and the nesting of messages")
    func bounds() {
        let long = String(repeating: "1", count: ExportFormat.longestLine + 1)
        let tooLong = "longer than \(ExportFormat.longestLine) bytes"
        #expect(refusal([file[0], long]) == .damaged(line: 2, reason: tooLong))
        let deep = String(repeating: "[", count: 600)
        #expect(refusal([deep]) == .foreign)
        #expect(reason([file[0], deep]).contains("nested too deeply"))
    }

    @Test("has each session once, nothing after its end, and lines in order")
    func order() {
        let one = ExportSample.lines(of: 0)
        let end = String(decoding: ExportEnd.line(ofFileWith: 2), as: UTF8.self)
        #expect(reason([file[0]] + one + one + [end]).contains("duplicate session"))
        #expect(reason(file + [end]).contains("text after the end"))
        #expect(reason([file[0]] + one + [end]).contains("number of sessions"))
        #expect(reason([file[0], one[1]]).contains("unexpected line of type “entries”"))
        #expect(reason([file[0], one[0], end]).contains("unexpected line of type “end”"))
        #expect(reason([file[0], one[0], one[2], one[1]]).contains("entries after the journal"))
    }

    @Test(
        "without keys contains the ids of next sessions, in entries that lose against the originals"
    )
    func withoutKeys() throws {
        let key = Key.session(Field.next)
        let next = try #require(
            Successor(session: SessionID(high: 1, low: 2), key: [UInt8](repeating: 9, count: 32))
        )
        for (value, left) in [
            (Value.text(next.text), Value.text(next.session.description)),
            (.text(next.session.description), .text(next.session.description)),
            (.text("09090909"), .text("")), (.null, .null),
            (.foreign(kind: ExactText("k"), text: ExactText("09")), .text("")),
        ] {
            let entry = ExportSample.entry(1, value)
            let other = entry.withoutKeys(under: key)
            #expect(other.value == left && other.dot == entry.dot && other.stamp == entry.stamp)
            #expect(entry.withoutKeys(under: .session(Field.title)) == entry)
            let bytes = (entry.canonicalBytes(under: key), other.canonicalBytes(under: key))
            #expect(bytes.0 == bytes.1 || bytes.1.lexicographicallyPrecedes(bytes.0))
        }
    }
}
