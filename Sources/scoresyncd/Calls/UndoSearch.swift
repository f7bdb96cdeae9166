import SessionCRDT
import SessionStore

/// Looks in the journal for the command that undo takes back.
struct UndoSearch: Sendable {
    /// How many lines of the journal are read at once, and at most before a command is found.
    private static let page = 200
    private static let most = 20_000

    let session: SessionID
    /// Whose commands.
    let author: DeviceID
    /// The commands that are passed over.
    let undone: UndoneCommands
    /// Whose moves are no commands of somebody, but answers to one.
    let computers: Set<PlayerID>
    /// The options that are set, and not played.
    let settings: Set<Symbol>

    /// What a search comes to.
    struct Found: Sendable {
        /// The commands, the latest first.
        var commands: [[JournalLine]] = []
        /// The stamps from the last command that was found to the latest of the journal.
        var range: ClosedRange<Stamp>?

        /// Notes that a line was read.
        fileprivate mutating func note(_ line: JournalLine) {
            let stamp = line.entry.stamp
            let known = range ?? stamp...stamp
            range = min(known.lowerBound, stamp)...max(known.upperBound, stamp)
        }
    }

    /// The last command that somebody entered, and before it the answers that computers have given
    /// since, the latest first; empty when nothing is left.
    ///
    /// The lines of a command stand in the order in which they were written.
    func commands(in store: SessionStore) throws(StoreError) -> Found {
        var filter = HistoryFilter(.anything, author: author)
        var found = Found()
        var commit: [JournalLine] = []
        var read = 0
        while read < UndoSearch.most || !commit.isEmpty {
            let records = try store.history(of: session, filter, limit: UndoSearch.page)
            for line in records.map(\.line) {
                // All that one commit wrote has one stamp and stands together.
                if let last = commit.last, last.entry.stamp != line.entry.stamp {
                    if take(commit, into: &found.commands) { return found }
                    commit = []
                }
                found.note(line)
                commit.append(line)
            }
            guard let oldest = records.last?.number, records.count == UndoSearch.page else {
                break
            }
            filter.before = oldest
            read += records.count
        }
        return take(commit, into: &found.commands) ? found : Found()
    }

    /// Takes a commit if it is to be undone; whether it is a command of somebody.
    private func take(_ commit: [JournalLine], into answers: inout [[JournalLine]]) -> Bool {
        let players = commit.compactMap { line -> PlayerID? in
            guard case .cell(let cell) = line.key else { return nil }
            return cell.player
        }
        guard let stamp = commit.first?.entry.stamp, !undone.contains(stamp),
            !players.isEmpty || isChoice(commit)
        else { return false }
        answers.append(commit.reversed())
        return players.isEmpty || !players.allSatisfy(computers.contains)
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
