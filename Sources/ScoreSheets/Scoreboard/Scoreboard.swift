package import SessionCRDT

/// What a session comes to: its header, who sits where, what is written, and how everybody stands.
///
/// Law: whatever changes were taken in, in whatever order and batches, it equals the scoreboard of
/// all live sets from scratch.
package struct Scoreboard: Sendable {
    /// Finds the sheet that a session is played by: the one that it carries, else one of the
    /// device's library.
    package typealias SheetFinder = (SessionHeader) throws(SheetError) -> Sheet

    /// What the session says about itself.
    package var header: SessionHeader { document.header }
    /// All players in seat order, removed ones too.
    package var players: [Player] { document.players }
    /// The names of the devices that wrote in this session.
    package var devices: [DeviceID: String] { document.devices }
    /// What the rules read.
    package private(set) var book: Book
    /// The sheet that it is played by, or why there is none.
    package private(set) var sheet: Result<Sheet, SheetError>
    /// How everybody stands; nil where there is no sheet.
    package var standings: Standings? { game?.standings(of: book) }
    /// What the rules keep of the book; nil where there is no sheet.
    package private(set) var game: (any GameState)?

    private var live: [Key: LiveSet]
    private var document: SessionDocument

    /// The scoreboard of these live sets.
    package init(_ live: [Key: LiveSet], findingSheet find: SheetFinder) {
        self.live = live
        document = SessionDocument(live)
        book = Book(document)
        sheet = Scoreboard.sheet(document.header, find)
        game = (try? sheet.get()).map { [book] in $0.rules.start(book) }
    }

    /// Takes changes in; `before` of each must be what is here.
    ///
    /// - Returns: what differs.
    package mutating func apply(
        _ changes: [KeyChange],
        findingSheet find: SheetFinder
    ) -> ScoreboardChange {
        guard !changes.isEmpty else { return ScoreboardChange() }
        var live = live
        for change in changes { live[change.key] = change.after }
        self = Scoreboard(live, findingSheet: find)
        return .whole
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

    /// What is live in a cell; nil where nobody has written.
    package subscript(cell: Cell) -> LiveSet? { document.cells[cell] }

    /// The cells in which devices wrote different things while apart, by player, row and round.
    package var conflicts: [Cell] {
        document.cells.filter { $0.value.isConflicting }.map(\.key).sorted()
    }

    /// Whether nothing is entered: no cell holds anybody's value.
    package var isBlank: Bool {
        document.cells.allSatisfy { BookCell(cell: $0, live: $1).isEmpty }
    }

    private static func sheet(
        _ header: SessionHeader,
        _ find: SheetFinder
    ) -> Result<Sheet, SheetError> {
        do throws(SheetError) { return .success(try find(header)) } catch { return .failure(error) }
    }
}
