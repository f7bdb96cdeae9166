import ScoreSheets
import SessionCRDT
import SessionStore

/// The search of the journal for the command that undo must revert.
struct UndoSearch: Sendable {
    /// The number of journal lines that are read at once.
    private static let pageLines = 200
    static let maxLines = 20_000

    let session: SessionID
    /// The device whose commands are undone.
    let author: DeviceID
    /// The commands to skip.
    let undone: UndoneCommands
    /// The scoreboard when the search began.
    let board: Scoreboard
    /// The computer players of this device, whose moves answer commands.
    let computers: Set<PlayerID>
    /// The devices that move for the computer players of other laptops, by player.
    let computerDevices: [PlayerID: DeviceID]
    /// The removed players; their scores cannot be changed, so commands for them are skipped.
    let removed: Set<PlayerID>
    /// The options that users choose, as opposed to those that moves record.
    let settings: Set<Symbol>
    /// The player whose phone's submissions are searched; nil for the commands of this device.
    var phone: PlayerID?
    /// The maximum number of lines to read before giving up; the last commit is read completely.
    var maxLines = UndoSearch.maxLines

    struct Found: Sendable {
        /// The commands, the latest first.
        var commands: [[JournalLine]] = []
        /// The moves with which computers of other devices have answered the last command.
        var answers: [JournalLine] = []
        /// The writes that undo skips from now on, by run: all of this device since the last
        /// command or, for a phone, those of the command and its answers.
        fileprivate(set) var skipped: [UndoneCommands.SequenceRange] = []
        /// Whether newer commands of others than the phone were passed over to find the phone's.
        fileprivate(set) var isOlder = false
    }

    /// Returns the last command that a person entered, after the answers that computers have given
    /// to it, the latest first; empty if there is nothing to undo.
    ///
    /// The lines of each command are in the order in which they were written.
    func commands(in store: SessionStore) throws(StoreError) -> Found {
        var found = Found()
        guard let start = try findCommand(in: store, &found) else { return Found() }
        if phone != nil {
            found.skipped = found.commands.reversed().compactMap { lines in
                let ranges = lines.map { UndoneCommands.SequenceRange($0.entry.dot) }
                return ranges.first.map { ranges.reduce($0) { $0.joined(with: $1) } }
            }
        }
        guard !found.isOlder else { return found }
        for (player, device) in computerDevices.sorted(by: { $0.key < $1.key }) {
            let filter = HistoryFilter(.cells(player: player), author: device, after: start)
            let records = try store.history(of: session, filter, limit: UndoSearch.maxLines)
            found.answers += records.map(\.line)
        }
        return found
    }

    /// Searches back to the last command that a person entered; returns the number of its first
    /// line.
    private func findCommand(
        in store: SessionStore,
        _ found: inout Found
    ) throws(StoreError) -> Int64? {
        var filter = HistoryFilter(.anything, author: author)
        var commit: [JournalRecord] = []
        var read = 0
        while true {
            let records = try store.history(of: session, filter, limit: UndoSearch.pageLines)
            for record in records {
                // The lines of a commit are adjacent and have the same stamp.
                if let last = commit.last, last.line.entry.stamp != record.line.entry.stamp {
                    if isCommand(commit, adding: &found) { return last.number }
                    guard read < maxLines else { return nil }
                    commit = []
                }
                read += 1
                commit.append(record)
                let range = UndoneCommands.SequenceRange(record.line.entry.dot)
                if let index = found.skipped.firstIndex(where: { $0.actor == range.actor }) {
                    found.skipped[index] = found.skipped[index].joined(with: range)
                } else {
                    // Prepended, because the journal is read from the end.
                    found.skipped.insert(range, at: 0)
                }
            }
            guard let oldest = records.last?.number, records.count == UndoSearch.pageLines else {
                break
            }
            filter.before = oldest
        }
        return isCommand(commit, adding: &found) ? commit.last?.number : nil
    }

    /// Adds a command or a computer's answer to `found`; returns true for a command of a person.
    private func isCommand(_ commit: [JournalRecord], adding found: inout Found) -> Bool {
        let lines = commit.map(\.line)
        let players = lines.compactMap { line -> PlayerID? in
            guard case .cell(let cell) = line.key else { return nil }
            return cell.player
        }
        // The mark of a phone's undo counts even if this laptop has forgotten the undo. A commit
        // that undid something is skipped if any of its writes is recorded.
        guard !lines.contains(where: { undone.contains($0.entry.dot) || $0.phoneMark == false }),
            players.isEmpty
                ? isChoice(lines)
                : !players.allSatisfy(removed.contains) && lines.contains(where: isLeft)
        else { return false }
        let isAnswer = !players.isEmpty && players.allSatisfy(computers.contains)
        let isOfPhone = lines.contains { line in
            guard case .player(phone, _) = line.key else { return false }
            return line.phoneMark == true
        }
        if phone != nil, !isAnswer, !isOfPhone {
            // The answers of computers belong to this command, which is skipped.
            found.commands = []
            found.isOlder = true
            return false
        }
        found.commands.append(lines.reversed())
        return !isAnswer
    }

    /// Whether a line wrote a cell in which no undo has shown another value since.
    ///
    /// Of two values of this device for one cell, as two phones of a player write them, an undo of
    /// the choice shows only one; then nothing is left to undo of the other.
    private func isLeft(_ line: JournalLine) -> Bool {
        guard case .cell(let cell) = line.key else { return false }
        guard let live = board[cell] else { return true }
        return live.winner.value == line.entry.value || !undone.contains(live.winner.dot)
            || live.losers.contains { $0.dot == line.entry.dot }
    }

    /// Whether a commit only chose options, such as the factions to deal from.
    private func isChoice(_ commit: [JournalLine]) -> Bool {
        commit.allSatisfy { line in
            guard case .session(let field) = line.key, let name = Field.optionName(of: field)
            else { return false }
            return !settings.contains(name)
        }
    }
}

extension JournalLine {
    /// The mark of a phone in a line: true for a submission, false for an undo; nil if it has none.
    fileprivate var phoneMark: Bool? {
        guard case .player(_, let field) = key, Field.isPhone(field) else { return nil }
        return entry.value == .boolean(true) ? true : entry.value == .boolean(false) ? false : nil
    }
}

/// The commands that undo skips: those of this device that were undone, and those that undid them.
///
/// Commands are identified by the dots of their writes, which do not depend on clocks. Undo goes
/// back in the order in which commands were written, so that all skipped writes of a run form one
/// range, however many there are; a command entered later begins after that range.
struct UndoneCommands: Hashable, Sendable {
    /// A range of consecutive writes of one actor.
    struct SequenceRange: Hashable, Sendable {
        let actor: ActorID
        let sequences: ClosedRange<UInt64>

        init(_ dot: Dot) { self.init(dot.actor, dot.sequence...dot.sequence) }

        init(_ actor: ActorID, _ sequences: ClosedRange<UInt64>) {
            (self.actor, self.sequences) = (actor, sequences)
        }

        /// Whether both ranges belong to one actor and no write lies between them.
        func touches(_ other: SequenceRange) -> Bool {
            let upper = min(sequences.upperBound, other.sequences.upperBound)
            let lower = max(sequences.lowerBound, other.sequences.lowerBound)
            return actor == other.actor && (lower <= upper || lower - upper == 1)
        }

        /// Returns the range from the start of the first to the end of the second range of one
        /// actor.
        func joined(with other: SequenceRange) -> SequenceRange {
            let first = min(sequences.lowerBound, other.sequences.lowerBound)
            let last = max(sequences.upperBound, other.sequences.upperBound)
            return SequenceRange(actor, first...last)
        }
    }

    /// The maximum number of ranges; a phone's undo of an entry before other players' entries adds
    /// one.
    static let maxRanges = 500

    /// The ranges in the order of their runs, and those of one run in ascending order; no two of
    /// them are adjacent.
    private(set) var ranges: [SequenceRange] = []

    init() {}

    /// Parses words `actor:first-last`; other words are ignored.
    init(words: String) {
        for word in words.split(separator: " ") {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let actor = ActorID(String(parts[0])) else { continue }
            let ends = parts[1].split(separator: "-").compactMap { UInt64($0) }
            guard ends.count == 2, ends[0] <= ends[1] else { continue }
            insert(SequenceRange(actor, ends[0]...ends[1]))
        }
    }

    var words: String {
        ranges.map { "\($0.actor):\($0.sequences.lowerBound)-\($0.sequences.upperBound)" }
            .joined(separator: " ")
    }

    /// Whether undo skips the command that made this write.
    func contains(_ dot: Dot) -> Bool {
        ranges.contains { $0.actor == dot.actor && $0.sequences.contains(dot.sequence) }
    }

    /// Adds a range; beyond the maximum, the earliest range is dropped.
    ///
    /// Writes between two ranges were not undone, so a user may undo them next.
    mutating func insert(_ range: SequenceRange) {
        let start = ranges.firstIndex { $0.actor == range.actor } ?? ranges.endIndex
        let joined = ranges.filter(range.touches).reduce(range) { $0.joined(with: $1) }
        ranges.removeAll(where: range.touches)
        let index = ranges[start...].firstIndex {
            $0.actor != joined.actor || $0.sequences.lowerBound > joined.sequences.lowerBound
        }
        ranges.insert(joined, at: index ?? ranges.endIndex)
        if ranges.count > UndoneCommands.maxRanges { ranges.removeFirst() }
    }
}
