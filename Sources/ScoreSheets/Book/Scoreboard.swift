package import SessionCRDT

/// What a session comes to: its header, who sits where, what is written, and how everybody stands.
///
/// It is kept, and takes in what changes. Law: whatever changes were taken in, in whatever order
/// and batches, it equals the scoreboard of all live sets from scratch. A copy costs what the
/// players are, and a change of a copy a few small pieces.
package struct Scoreboard: Sendable {
    /// Finds the sheet that a session is played by: the one that it carries, else one of the
    /// device's library.
    package typealias SheetFinder = (SessionHeader) throws(SheetError) -> Sheet

    /// What the session says about itself.
    package private(set) var header = SessionHeader()
    /// The names of the devices that wrote in this session.
    package private(set) var devices: [DeviceID: String] = [:]
    /// What the rules read.
    package private(set) var book: Book
    /// The sheet that it is played by, or why there is none.
    package private(set) var sheet: Result<Sheet, SheetError>
    /// What the rules keep of the book; nil where there is no sheet.
    package private(set) var game: (any Game)?

    private var seating = Seating()
    private var disputes = OrderedPieces<Dispute>()

    /// A cell in which devices wrote different things while apart.
    private struct Dispute: Placed {
        let place: Cell
        var weight: Int64 { 0 }
    }

    /// The scoreboard of these live sets, each key once.
    package init(
        _ live: some Sequence<(key: Key, value: LiveSet)>,
        findingSheet find: SheetFinder
    ) {
        var cells: [(Cell, LiveSet)] = []
        var disputes: [Dispute] = []
        for (key, set) in live {
            switch key {
            case .cell(let cell):
                cells.append((cell, set))
                if set.isConflicting { disputes.append(Dispute(place: cell)) }
            case .session(let field):
                if !header.apply(field, set.winner.value) { _ = seating.apply(key, set) }
            case .player, .membership: _ = seating.apply(key, set)
            case .device(let device): devices[device] = set.winner.value.string
            case .foreign: break
            }
        }
        self.disputes = OrderedPieces(disputes)
        book = Book(seating.players, cells, header.options, isFinished: header.isFinished)
        sheet = Scoreboard.sheet(header, find)
        begin()
    }

    /// All players in seat order, removed ones too.
    package var players: [Player] { book.players }

    /// How everybody stands; nil where there is no sheet.
    ///
    /// It is put together when somebody asks, at the cost of the players: ask once.
    package var standings: Standings? { game?.standings(of: book) }

    /// What is live in a cell; nil where nobody has written.
    package subscript(cell: Cell) -> LiveSet? { book[cell] }

    /// The cells in which devices wrote different things while apart, by player, row and round.
    package var conflicts: [Cell] { disputes.map(\.place) }

    /// How many cells there are in which devices wrote different things while apart.
    package var conflictCount: Int { disputes.count }

    /// Whether nothing is entered: no cell holds anybody's value.
    package var isBlank: Bool { book.written == 0 }

    private static func sheet(
        _ header: SessionHeader,
        _ find: SheetFinder
    ) -> Result<Sheet, SheetError> {
        do throws(SheetError) { return .success(try find(header)) } catch { return .failure(error) }
    }
}

extension Scoreboard {
    /// Takes changes in; `before` of each must be what is here.
    ///
    /// - Returns: what differs.
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
                guard header.apply(field, change.after.winner.value), isOther else { break }
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
        let isBegunAnew =
            isSheetOther || isSeatingOther || before.options != header.options
            || before.isFinished != header.isFinished
        if isBegunAnew {
            difference.isWhole = true
            begin()
        } else if !touched.isEmpty {
            let change = BookChange(cells: touched)
            difference.merge(game?.update(to: book, change) ?? ScoreboardChange())
        }
        difference.cells.formUnion(touched)
        return difference
    }

    /// The scoreboard as it will be once these changes are taken in: what the next write finds.
    package func applying(
        _ changes: [KeyChange],
        findingSheet find: SheetFinder
    ) -> Scoreboard {
        var board = self
        _ = board.apply(changes, findingSheet: find)
        return board
    }

    /// Looks for the sheet again, after the sheets of this device have changed.
    ///
    /// - Returns: what differs.
    package mutating func findSheetAgain(_ find: SheetFinder) -> ScoreboardChange {
        let found = Scoreboard.sheet(header, find)
        guard found != sheet else { return ScoreboardChange() }
        sheet = found
        begin()
        return .whole
    }

    /// Has the rules begin with the book anew.
    private mutating func begin() { game = (try? sheet.get())?.rules.game(of: book) }

    /// Writes in cells.
    ///
    /// - Returns: those that say something else now, by player, row and round.
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

/// What differs on a scoreboard after changes were taken in, so that only that is shown again.
package struct ScoreboardChange: Hashable, Sendable {
    /// Whether so much may differ that everything is to be shown anew: the game, its options, who
    /// plays and where they sit, what devices are called.
    package var isWhole = false
    /// The cells that say something else, or count for something else, by player, row and round.
    package var cells: Set<Cell> = []
    /// The players whose line differs: total, rank, tie-break, win, what rows are worth that nobody
    /// entered.
    package var lines: Set<PlayerID> = []
    /// Whether it is somebody else's turn.
    package var isOtherTurn = false
    /// Whether the game is over and was not, or the reverse.
    package var isEndDifferent = false
    /// Whether other entries do not count, or for another reason.
    package var areFlagsDifferent = false
    /// Whether something else is told below the table.
    package var areNotesDifferent = false
    /// Whether the panels differ.
    package var arePanelsDifferent = false

    /// No difference.
    package init() {}

    /// A difference of everything.
    package static var whole: ScoreboardChange {
        var change = ScoreboardChange()
        change.isWhole = true
        return change
    }

    /// Whether nothing differs.
    package var isEmpty: Bool { self == ScoreboardChange() }

    /// Adds what differs after further changes.
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
