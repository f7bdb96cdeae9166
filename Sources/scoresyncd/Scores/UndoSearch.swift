import SessionCRDT
import SessionStore

/// Looks in the journal for the command that undo takes back.
struct UndoSearch: Sendable {
    /// The lines of the journal that are read at once, and at most before a command is found.
    private static let page = 200
    static let most = 20_000

    let session: SessionID
    /// The device whose commands are searched.
    let author: DeviceID
    /// The commands that are passed over.
    let undone: UndoneCommands
    /// Local computer players, whose moves answer commands.
    let computers: Set<PlayerID>
    /// The devices that move for a computer of others, by player.
    let rivals: [PlayerID: DeviceID]
    /// Removed players, whose scores cannot be changed and are passed over.
    let removed: Set<PlayerID>
    /// The options that are set, and not played.
    let settings: Set<Symbol>
    /// The player whose phone's submissions alone are taken back; nil takes back whatever it was.
    var phone: PlayerID?
    /// The limit of lines before a command is found, without the rest of the last commit.
    var most = UndoSearch.most

    struct Found: Sendable {
        /// The commands, the latest first.
        var commands: [[JournalLine]] = []
        /// The moves of other devices' computers since the last command, as this device
        /// heard of it.
        var answers: [JournalLine] = []
        /// The writes that undo passes over from now on, run by run: all of this device from the
        /// last command on, or for a phone those of the command and its answers.
        private(set) var walked: [UndoneCommands.SequenceRange] = []
        /// Whether somebody else's command was passed over to find a phone's.
        private(set) var isOlder = false

        /// Notes that a line was read.
        fileprivate mutating func note(_ line: JournalLine) {
            let stretch = UndoneCommands.SequenceRange(line.entry.dot)
            if let place = walked.firstIndex(where: { $0.actor == stretch.actor }) {
                walked[place].join(stretch.sequences)
            } else {
                // The journal is read from the latest to the earliest.
                walked.insert(stretch, at: 0)
            }
        }

        /// Passes over somebody else's command, and what computers answered to it.
        fileprivate mutating func passOver() {
            commands = []
            isOlder = true
        }

        /// Notes the commands alone, and nothing between them.
        fileprivate mutating func noteCommands() {
            walked = commands.reversed().compactMap { lines in
                guard let first = lines.first?.entry.dot else { return nil }
                var stretch = UndoneCommands.SequenceRange(first)
                for line in lines {
                    stretch.join(line.entry.dot.sequence...line.entry.dot.sequence)
                }
                return stretch
            }
        }
    }

    /// The last command that somebody entered, and before it the answers that computers have given
    /// since, the latest first; empty when nothing is left.
    ///
    /// The lines of a command stand in the order in which they were written.
    func commands(in store: SessionStore) throws(StoreError) -> Found {
        var found = Found()
        guard let start = try findCommand(in: store, &found) else { return Found() }
        if phone != nil { found.noteCommands() }
        guard !found.isOlder else { return found }
        for (player, device) in rivals.sorted(by: { $0.key < $1.key }) {
            let filter = HistoryFilter(.cells(player: player), author: device, after: start)
            let records = try store.history(of: session, filter, limit: UndoSearch.most)
            found.answers += records.map(\.line)
        }
        return found
    }

    /// Walks back to the last command that somebody entered; the number of its first line.
    private func findCommand(
        in store: SessionStore,
        _ found: inout Found
    ) throws(StoreError) -> Int64? {
        var filter = HistoryFilter(.anything, author: author)
        var commit: [JournalRecord] = []
        var read = 0
        while true {
            let records = try store.history(of: session, filter, limit: UndoSearch.page)
            for record in records {
                // All that one commit wrote has one stamp and stands together.
                if let last = commit.last, last.line.entry.stamp != record.line.entry.stamp {
                    if take(commit, into: &found) { return last.number }
                    guard read < most else { return nil }
                    commit = []
                }
                read += 1
                found.note(record.line)
                commit.append(record)
            }
            guard let oldest = records.last?.number, records.count == UndoSearch.page else {
                break
            }
            filter.before = oldest
        }
        return take(commit, into: &found) ? commit.last?.number : nil
    }

    /// Takes a commit if it is to be undone; whether it is a command of somebody.
    private func take(_ commit: [JournalRecord], into found: inout Found) -> Bool {
        let lines = commit.map(\.line)
        let players = lines.compactMap { line -> PlayerID? in
            guard case .cell(let cell) = line.key else { return nil }
            return cell.player
        }
        // What a phone took back says so itself, should it be forgotten here. Of a commit that
        // undid something one write may be known alone.
        guard !lines.contains(where: { undone.contains($0.entry.dot) || $0.isUndoByPhone }),
            players.isEmpty ? isChoice(lines) : !players.allSatisfy(removed.contains)
        else { return false }
        let isAnswer = !players.isEmpty && players.allSatisfy(computers.contains)
        if let phone, !isAnswer, !lines.contains(where: { $0.isEntry(byPhoneOf: phone) }) {
            found.passOver()
            return false
        }
        found.commands.append(lines.reversed())
        return !isAnswer
    }

    /// Whether a commit is a move that only chose something, such as the factions to deal from.
    private func isChoice(_ commit: [JournalLine]) -> Bool {
        commit.allSatisfy { line in
            guard case .session(let field) = line.key, let name = Field.optionName(of: field)
            else { return false }
            return !settings.contains(name)
        }
    }
}

extension JournalLine {
    /// Whether it is the mark of what the phone of a player entered, and did not take back.
    fileprivate func isEntry(byPhoneOf player: PlayerID) -> Bool {
        guard case .player(player, let field) = key else { return false }
        return Field.isPhone(field) && entry.value == .boolean(true)
    }

    /// Whether it is the mark of what a phone took back.
    fileprivate var isUndoByPhone: Bool {
        guard case .player(_, let field) = key else { return false }
        return Field.isPhone(field) && entry.value == .boolean(false)
    }
}

/// The commands that undo passes over: those of this device that were undone, and the undoing ones.
///
/// Commands are known by the dots of their writes, which no clock decides. Undo goes back in the
/// order in which they were written, so that what it has walked over is one range of each run's
/// writes, however long; a command that is entered later begins after it.
struct UndoneCommands: Hashable, Sendable {
    /// Some writes of one actor that follow each other.
    struct SequenceRange: Hashable, Sendable {
        let actor: ActorID
        /// The first and the last of them.
        var sequences: ClosedRange<UInt64>

        /// The stretch of one write.
        init(_ dot: Dot) {
            self.init(dot.actor, dot.sequence...dot.sequence)
        }

        init(_ actor: ActorID, _ sequences: ClosedRange<UInt64>) {
            self.actor = actor
            self.sequences = sequences
        }

        /// Whether no write lies between it and others of its actor.
        func touches(_ other: ClosedRange<UInt64>) -> Bool {
            let (upper, lower) = (
                min(sequences.upperBound, other.upperBound),
                max(sequences.lowerBound, other.lowerBound)
            )
            return lower <= upper || lower - upper == 1
        }

        /// Makes it as long as both, with what lies between them.
        mutating func join(_ other: ClosedRange<UInt64>) {
            let first = min(sequences.lowerBound, other.lowerBound)
            sequences = first...max(sequences.upperBound, other.upperBound)
        }
    }

    /// The most stretches that are kept: as often may a phone take back what it entered before
    /// others did.
    static let most = 500

    /// The stretches: those of later runs behind those of earlier ones, and those of one run in
    /// their order; no two of them touch.
    private(set) var stretches: [SequenceRange] = []

    /// Nothing was undone yet.
    init() {}

    /// Parses words `actor:first-last`; other words are left out.
    init(words: String) {
        for word in words.split(separator: " ") {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let actor = ActorID(String(parts[0])) else { continue }
            let ends = parts[1].split(separator: "-").compactMap { UInt64($0) }
            guard ends.count == 2, ends[0] <= ends[1] else { continue }
            insert(SequenceRange(actor, ends[0]...ends[1]))
        }
    }

    /// The words.
    var words: String {
        stretches.map { stretch in
            let (first, last) = (stretch.sequences.lowerBound, stretch.sequences.upperBound)
            return "\(stretch.actor):\(first)-\(last)"
        }.joined(separator: " ")
    }

    /// Whether the command with this write is passed over.
    func contains(_ dot: Dot) -> Bool {
        stretches.contains { $0.actor == dot.actor && $0.sequences.contains(dot.sequence) }
    }

    /// Passes over all writes of a stretch from now on.
    ///
    /// Of too many stretches the earliest is forgotten: what lies between two was not undone, and
    /// may be what somebody wants to undo next.
    mutating func insert(_ stretch: SequenceRange) {
        var joined = stretch
        let place = stretches.firstIndex { $0.actor == stretch.actor } ?? stretches.endIndex
        var others: [SequenceRange] = []
        for other in stretches where other.actor == stretch.actor {
            if joined.touches(other.sequences) {
                joined.join(other.sequences)
            } else {
                others.append(other)
            }
        }
        others.append(joined)
        others.sort { $0.sequences.lowerBound < $1.sequences.lowerBound }
        stretches.removeAll { $0.actor == stretch.actor }
        stretches.insert(contentsOf: others, at: place)
        if stretches.count > UndoneCommands.most { stretches.removeFirst() }
    }
}
