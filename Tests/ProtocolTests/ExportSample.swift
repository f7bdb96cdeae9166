import SessionCRDT
import SyncProtocol

/// A file with everything that a session can have.
enum ExportSample {
    private static let actor = ActorID(high: 0xAC, low: 1)
    private static let other = ActorID(high: 0xAC, low: 2)
    private static let device = DeviceID(high: 0xDE, low: 1)
    private static let cell = Key.cell(
        Cell(player: PlayerID(high: 0xFA, low: 1), row: Symbol(known: "round"), round: 3)
    )

    /// An entry of the first actor.
    static func entry(_ sequence: UInt64, _ value: Value, by actor: ActorID = actor) -> Entry {
        Entry(
            dot: Dot(actor: actor, sequence: sequence),
            stamp: Stamp(milliseconds: 1_795_201_445_123 + sequence, counter: 7),
            author: device,
            value: value
        )
    }

    private static let values: [(Key, [Entry])] = [
        (.session(Field.title), [entry(1, .text("Friday “1”\n"))]),
        (cell, [entry(4, .integer(-5)), entry(1, .integer(6), by: other)]),
        (.membership(PlayerID(high: 0xFA, low: 1)), [entry(3, .boolean(true))]),
        (Key("later/x"), [entry(5, .foreign(kind: ExactText("r"), text: ExactText("1/3")))]),
    ]

    /// The live entries.
    static let changes = values.compactMap { key, entries in
        LiveSet(entries).map { KeyedLiveSet(key: key, live: $0) }
    }

    /// The number of live entries.
    static let count = 5

    /// The version vector.
    static let vector = VersionVector([actor: 6, other: 1])

    /// The journal.
    static let journal = [
        ImportedLine(
            recordedAt: 1_795_201_445_200,
            line: JournalLine(key: cell, entry: entry(2, .integer(4)), replaced: [])
        ),
        ImportedLine(
            recordedAt: 1_795_201_445_300,
            line: JournalLine(
                key: cell,
                entry: entry(4, .integer(-5)),
                replaced: [entry(2, .integer(4)), entry(6, .null)]
            )
        ),
    ]

    /// The line of a session.
    static func facts(_ number: UInt64) -> ExportedSession {
        ExportedSession(
            id: SessionID(high: 0x5E, low: number),
            title: "Friday",
            joinedAt: 1_795_201_445_000,
            isCurrent: number == 0,
            key: number == 0 ? [UInt8](repeating: 7, count: 32) : nil,
            vector: vector,
            count: count
        )
    }

    /// The lines of a session.
    static func lines(of number: UInt64) -> [String] {
        var entries = ExportRows(.entries)
        var tally = Tally()
        for change in changes {
            for entry in change.live { entries.add(entry, under: change.key) }
            tally.change(change.key, from: nil, to: change.live)
        }
        var journal = ExportRows(.journal)
        for told in Self.journal {
            journal.add(told.line.entry, under: told.line.key, recordedAt: told.recordedAt)
            for entry in told.line.replaced { journal.add(replaced: entry) }
        }
        let lines = [facts(number).line, entries.line, journal.line]
        var hash = SipHash()
        for line in lines { hash.add(line + [0x0A]) }
        let end = ExportEnd(
            id: facts(number).id,
            entries: count,
            journal: Self.journal.count,
            digest: tally.digest,
            check: hash
        )
        return (lines + [end.line]).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The lines of a file.
    static func file(sessions: Int) -> [String] {
        let header = ExportHeader(
            program: "0.1.0",
            at: Timestamp(milliseconds: 1_795_201_445_123),
            device: device.description,
            name: "ann-laptop"
        )
        return [String(decoding: header.line, as: UTF8.self)]
            + (0..<UInt64(sessions)).flatMap(lines)
            + [String(decoding: ExportEnd.line(ofFileWith: sessions), as: UTF8.self)]
    }
}
