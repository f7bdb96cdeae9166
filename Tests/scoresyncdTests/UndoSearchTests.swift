import LaptopKit
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncTestKit
import Testing

@testable import scoresyncd

/// The entries that undo finds in a journal, regardless of the clocks of their authors.
@Suite("The search for the command to undo")
struct UndoSearchTests {
    private let session = SessionID(high: 1, low: 1)
    private let ann = PlayerID(high: 2, low: 1)
    private let robo = PlayerID(high: 2, low: 2)
    /// The device that moves for Robo.
    private let rival = DeviceID(high: 3, low: 2)

    /// The lines of a journal as they come, each a commit of its own.
    private struct Journal {
        let directory: ScratchDirectory
        let store: SessionStore
        let session: SessionID
        var sequences: [ActorID: UInt64] = [:]

        init(_ session: SessionID) throws {
            directory = try ScratchDirectory()
            var generator = SeededGenerator(seed: 5)
            store = try SessionStore(directory: directory.path, using: &generator)
            self.session = session
            let key = [UInt8](repeating: 5, count: SessionStore.keyBytes)
            try store.add(SessionRecord(id: session, key: key, joinedAt: 1))
        }

        /// Notes a score that a device wrote when its clock said so many minutes.
        mutating func record(
            _ player: PlayerID,
            round: UInt32,
            by author: DeviceID,
            at minutes: UInt64
        ) throws -> Dot {
            let row = try #require(Symbol("round"))
            let key = Key.cell(Cell(player: player, row: row, round: round))
            return try record(key, .integer(Int64(round)), by: author, at: minutes)
        }

        /// Notes what a device wrote under a key.
        mutating func record(
            _ key: Key,
            _ value: Value,
            by author: DeviceID,
            at minutes: UInt64
        ) throws -> Dot {
            let actor = ActorID(high: author.high, low: author.low)
            sequences[actor, default: 0] += 1
            let entry = Entry(
                dot: Dot(actor: actor, sequence: sequences[actor, default: 0]),
                stamp: Stamp(milliseconds: 1_700_000_000_000 + minutes * 60_000),
                author: author,
                value: value
            )
            let batch = Batch(
                removed: [],
                inserted: [KeyedEntry(key: key, entry: entry)],
                advanced: [entry.dot],
                journal: [JournalLine(key: key, entry: entry, replaced: [])]
            )
            try store.commit([(session, batch)], at: 1)
            return entry.dot
        }
    }

    private func found(
        in journal: Journal,
        besides undone: UndoneCommands = UndoneCommands(),
        without removed: Set<PlayerID> = [],
        ofPhone phone: PlayerID? = nil,
        maxLines: Int = UndoSearch.maxLines
    ) throws -> UndoSearch.Found {
        let search = UndoSearch(
            session: session,
            author: journal.store.device,
            undone: undone,
            board: Scoreboard(LiveSets()) { _ throws(SheetError) in
                try SheetLibrary.builtIn.sheet(named: "rounds")
            },
            computers: [],
            computerDevices: [robo: rival],
            removed: removed,
            settings: [],
            phone: phone,
            maxLines: maxLines
        )
        return try search.commands(in: journal.store)
    }

    @Test("A computer's answer is what came after the command, though its clock is far ahead")
    func clockAhead() throws {
        var journal = try Journal(session)
        for round in 1...3 as ClosedRange<UInt32> {
            _ = try journal.record(robo, round: round, by: rival, at: 5 + UInt64(round))
        }
        let command = try journal.record(ann, round: 1, by: journal.store.device, at: 1)
        let answer = try journal.record(robo, round: 4, by: rival, at: 6)
        let found = try found(in: journal)
        #expect(found.commands.map { $0.map(\.entry.dot) } == [[command]])
        #expect(found.answers.map(\.entry.dot) == [answer])
    }

    @Test("A clock that is behind hides no answer")
    func clockBehind() throws {
        var journal = try Journal(session)
        _ = try journal.record(ann, round: 1, by: journal.store.device, at: 60)
        let answer = try journal.record(robo, round: 1, by: rival, at: 1)
        #expect(try found(in: journal).answers.map(\.entry.dot) == [answer])
    }

    @Test("After this laptop's clock was set back, what is undone is what was written")
    func clockSetBack() throws {
        var journal = try Journal(session)
        let device = journal.store.device
        let first = try journal.record(ann, round: 1, by: device, at: 60)
        let second = try journal.record(ann, round: 2, by: device, at: 0)
        var undone = UndoneCommands()
        for expected in [second, first] {
            let found = try found(in: journal, besides: undone)
            #expect(found.commands.map { $0.map(\.entry.dot) } == [[expected]])
            for stretch in found.skipped { undone.insert(stretch) }
            let undoing = try journal.record(ann, round: 3, by: device, at: 1)
            undone.insert(UndoneCommands.SequenceRange(undoing))
        }
        // Entered within the hour that the clock has for the second time.
        let third = try journal.record(ann, round: 4, by: device, at: 30)
        let found = try found(in: journal, besides: undone)
        #expect(found.commands.map { $0.map(\.entry.dot) } == [[third]])
    }

    @Test("A search for the entries of a phone ends at its limit of lines")
    func bounded() throws {
        var journal = try Journal(session)
        let device = journal.store.device
        let mark = try #require(Field.phone("0000000000000001"))
        let entry = [
            try journal.record(ann, round: 700, by: device, at: 0),
            try journal.record(.player(ann, mark), .boolean(true), by: device, at: 0),
        ]
        for round in 1...600 as ClosedRange<UInt32> {
            _ = try journal.record(ann, round: round, by: device, at: UInt64(round))
        }
        let all = try found(in: journal, ofPhone: ann, maxLines: 601)
        #expect(all.commands.map { $0.map(\.entry.dot) } == [entry])
        #expect(all.isOlder)
        #expect(try found(in: journal, ofPhone: ann, maxLines: 250).commands.isEmpty)
        #expect(try found(in: journal, ofPhone: ann, maxLines: 600).commands.isEmpty)
    }

    @Test("Scores of a removed player do not block the undo of earlier ones")
    func removedPlayer() throws {
        var journal = try Journal(session)
        let device = journal.store.device
        let bob = PlayerID(high: 2, low: 3)
        let first = try journal.record(ann, round: 1, by: device, at: 1)
        let second = try journal.record(bob, round: 1, by: device, at: 2)
        #expect(try found(in: journal).commands.map { $0.map(\.entry.dot) } == [[second]])
        let found = try found(in: journal, without: [bob])
        #expect(found.commands.map { $0.map(\.entry.dot) } == [[first]])
    }
}
