package import SessionCRDT

/// The state of a session: its header, players, entries and standings.
///
/// Each change updates it in place. Law: after any changes, in any order and batches, it equals the
/// scoreboard built from all live sets. A copy costs a word for each player, and a change of a copy
/// duplicates only a few small chunks.
package struct Scoreboard: Sendable {
    /// Finds the sheet of a session: the one that it carries, else one of the device's library.
    package typealias SheetFinder = (SessionHeader) throws(SheetError) -> Sheet

    package private(set) var header = SessionHeader()
    /// The names of the devices that have written in the session.
    package private(set) var devices: [DeviceID: String] = [:]
    package private(set) var book: Book
    /// The sheet, or the reason why there is none.
    package private(set) var sheet: Result<Sheet, SheetError>
    /// The game; nil without a sheet.
    package private(set) var game: (any Game)?

    private var seating = Seating()
    private var disputes = SortedChunks<Dispute>()

    /// A cell that devices wrote differently while they were apart.
    private struct Dispute: SortedElement {
        let place: Cell
    }

    /// Creates a scoreboard from entries with unique keys.
    @specialized(where Entries == LiveSets)
    package init<Entries: Sequence<(key: Key, value: LiveSet)>>(
        _ live: Entries,
        findingSheet find: SheetFinder
    ) {
        var cells = BookCells()
        var disputes: [Dispute] = []
        for (key, set) in live {
            switch key {
            case .cell(let cell):
                cells.add(set, in: cell)
                if set.isConflicting { disputes.append(Dispute(place: cell)) }
            case .session(let field):
                if !header.apply(field, set.winner.value, at: set.winner.stamp) {
                    _ = seating.apply(key, set)
                }
            case .player, .membership: _ = seating.apply(key, set)
            case .device(let device): devices[device] = set.winner.value.string
            case .foreign: break
            }
        }
        self.disputes = SortedChunks(disputes)
        book = Book(seating.players, cells, header.options, isFinished: header.isFinished)
        sheet = Scoreboard.sheet(header, find)
        startGame()
    }

    /// The players in seat order, including removed ones.
    package var players: [Player] { book.players }

    /// The standings; nil without a sheet.
    ///
    /// Computed on each access, in time proportional to the number of players and flags: read it
    /// once.
    package var standings: Standings? {
        guard var standings = game?.standings(of: book) else { return nil }
        if let verdict = header.verdict { standings.settle(by: verdict.word, at: verdict.at) }
        return standings
    }

    package subscript(cell: Cell) -> LiveSet? { book[cell] }

    /// The cells that devices wrote differently while they were apart, in order.
    package var conflicts: [Cell] { disputes.map(\.place) }

    package var isBlank: Bool { book.valueCount == 0 }

    private static func sheet(
        _ header: SessionHeader,
        _ find: SheetFinder
    ) -> Result<Sheet, SheetError> {
        do throws(SheetError) { return .success(try find(header)) } catch { return .failure(error) }
    }

    /// Applies changes, each with the current state as its `before`; returns what differs on the
    /// scoreboard.
    package mutating func apply(
        _ changes: [KeyChange],
        findingSheet find: SheetFinder
    ) -> ScoreboardChange {
        var difference = ScoreboardChange()
        var cells: [KeyChange] = []
        let before = header
        var (isSeatingOther, isSheetOther) = (false, false)
        for change in changes {
            let isOther = change.before?.winner.value != change.after.winner.value
            switch change.key {
            case .cell: cells.append(change)
            case .session(let field) where field != Field.seats:
                let entry = change.after.winner
                guard header.apply(field, entry.value, at: entry.stamp), isOther else { break }
                difference.isWhole = true
                if field == Field.game || field == Field.sheet { isSheetOther = true }
            case .session, .player, .membership:
                if seating.apply(change.key, change.after) { isSeatingOther = true }
            case .device(let device):
                devices[device] = change.after.winner.value.string
                if isOther { difference.isWhole = true }
            case .foreign: break
            }
        }
        let touched = write(cells)
        if isSeatingOther { book.seat(seating.players) }
        book.set(header.options, isFinished: header.isFinished)
        if isSheetOther { sheet = Scoreboard.sheet(header, find) }
        let needsNewGame =
            isSheetOther || isSeatingOther || before.options != header.options
            || before.isFinished != header.isFinished
        if needsNewGame {
            difference.isWhole = true
            startGame()
        } else if !touched.isEmpty {
            difference.merge(game?.update(to: book, changed: touched) ?? ScoreboardChange())
        }
        difference.cells.formUnion(touched)
        return difference
    }

    /// Returns the scoreboard after these changes, for checking the next write.
    package func applying(_ changes: [KeyChange], findingSheet find: SheetFinder) -> Scoreboard {
        var board = self
        _ = board.apply(changes, findingSheet: find)
        return board
    }

    private mutating func startGame() { game = (try? sheet.get())?.rules.game(of: book) }

    private mutating func write(_ changes: [KeyChange]) -> [Cell] {
        var touched: [Cell] = []
        for change in changes {
            guard case .cell(let cell) = change.key else { continue }
            let before = book.write(change.after, in: cell)
            guard before != change.after else { continue }
            touched.append(cell)
            if change.after.isConflicting {
                disputes.set(Dispute(place: cell))
            } else if before?.isConflicting == true {
                disputes.remove(cell)
            }
        }
        guard touched.count > 1 else { return touched }
        var last: Cell?
        return touched.sorted().filter { cell in
            defer { last = cell }
            return cell != last
        }
    }
}

/// The differences on a scoreboard after changes, so that only these are shown again.
package struct ScoreboardChange: Hashable, Sendable {
    /// Whether everything must be shown again, because the game, its options, players, seats or
    /// names of devices may differ.
    package var isWhole = false
    /// The cells with another value or other points.
    package var cells: Set<Cell> = []
    /// The players with another line: total, rank, tie-break, win, or points without an entry.
    package var lines: Set<PlayerID> = []
    package var isOtherTurn = false
    package var isEndDifferent = false
    package var areFlagsDifferent = false
    package var areNotesDifferent = false
    package var arePanelsDifferent = false

    package init() {}

    package static var whole: ScoreboardChange {
        var change = ScoreboardChange()
        change.isWhole = true
        return change
    }

    package var isEmpty: Bool { self == ScoreboardChange() }

    package mutating func merge(_ later: ScoreboardChange) {
        isWhole = isWhole || later.isWhole
        cells.formUnion(later.cells)
        lines.formUnion(later.lines)
        isOtherTurn = isOtherTurn || later.isOtherTurn
        isEndDifferent = isEndDifferent || later.isEndDifferent
        areFlagsDifferent = areFlagsDifferent || later.areFlagsDifferent
        areNotesDifferent = areNotesDifferent || later.areNotesDifferent
        arePanelsDifferent = arePanelsDifferent || later.arePanelsDifferent
    }
}
