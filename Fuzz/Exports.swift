import SessionCRDT
import SyncProtocol

/// An imported file: an accepted session must be sound, complete and within the limits.
///
/// The input is lines. A fuzzer cannot guess checksums, so a line that begins with `=` stands for
/// the correct end of the session before it.
func fuzzExports(_ input: [UInt8]) {
    var reader = ExportReader()
    var hash = SipHash()
    var ends = Ends()
    for line in input.split(separator: UInt8(ascii: "\n")).map(Array.init) {
        var line = line
        if line.first == UInt8(ascii: "=") {
            line = ends.line(hash)
        } else if ends.begin(line) {
            hash = SipHash()
        }
        hash.add(line)
        hash.add([0x0A])
        guard let step = try? reader.read(line) else { return }
        if case .session(let session) = step { check(session) }
    }
    try? reader.finish()
}

/// The correct end of the last session, as far as the lines determine it.
private struct Ends {
    private var session = "00000000000000010000000000000001"

    /// Returns whether a line begins a session, and stores the session's id.
    mutating func begin(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        guard text.contains("\"session\"") else { return false }
        if let id = text.split(separator: "\"").first(where: { SessionID($0) != nil }) {
            session = String(id)
        }
        return true
    }

    /// Returns the end line of a session without entries.
    func line(_ hash: SipHash) -> [UInt8] {
        guard let id = SessionID(session) else { return [] }
        return ExportEnd(id: id, entries: 0, journal: 0, digest: Digest(), check: hash).line
    }
}

private func check(_ session: ImportedSession) {
    precondition(session.entries.count == session.facts.count, "another number of entries")
    for stored in session.entries {
        precondition(session.facts.vector.covers(stored.entry.dot), "past the vector")
        precondition(EntryLimits.violation(stored.key, stored.entry.value) == nil, "past a limit")
    }
    var map = StagedMap(CausalMap())
    precondition(map.merge(session.delta, journal: session.journal.map(\.line)), "does not fit")
    _ = map.seal()
    map.settle()
    precondition(map.committed.vector == session.facts.vector, "another vector")
}
