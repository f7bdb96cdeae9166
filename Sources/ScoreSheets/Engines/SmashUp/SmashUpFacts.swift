import SessionCRDT

/// What is written in the book of a game of Smash Up, sorted by what it says.
///
/// It is kept cell by cell; what it comes to is for `SmashUpReplay` to say.
struct SmashUpFacts {
    /// Something that a cell says.
    struct Fact {
        let cell: Cell
        /// Whose cell it is, by seat.
        let player: Int
        let content: Content
        /// What is shown of the cell.
        let entry: Entry
        /// Whether devices wrote the same thing in it while apart; different things are shown as a
        /// conflict.
        let isTwice: Bool
    }

    /// What a cell can say.
    enum Content {
        /// A gain or a loss.
        case points(Int64)
        /// What is held at the end of a game.
        case madness(Int64)
        /// What ends a turn.
        case mark(TurnMark)
        /// Who was dealt what.
        case deal(FactionDeal)
        /// What is said to be revealed.
        case reveal(Value)
    }

    /// What a fact is about: a turn of the session, or a game for Madness; 0 of the whole table.
    struct Subject: Hashable {
        let row: SmashUpRow
        let number: UInt32

        /// What a cell is about; nil where nothing in it can be a fact.
        init?(_ cell: Cell) {
            guard SmashUpRow.violation(of: cell) == nil, let row = SmashUpRow(cell.row),
                row.kind.repeats == (cell.round != nil)
            else { return nil }
            let round = cell.round ?? 0
            self.init(row, row == .points ? TurnRounds.turn(of: round) : round)
        }

        init(_ row: SmashUpRow, _ number: UInt32) {
            self.row = row
            self.number = number
        }
    }

    /// Where a fact stands: beside the others about the same.
    private struct Place: Comparable {
        let row: Int
        let number: UInt32
        let player: Int
        let round: UInt32

        init(_ subject: Subject, _ player: Int, _ round: UInt32) {
            row = SmashUpRow.allCases.firstIndex(of: subject.row) ?? 0
            number = subject.number
            self.player = player
            self.round = round
        }

        static func < (left: Place, right: Place) -> Bool {
            (left.row, left.number, left.player, left.round)
                < (right.row, right.number, right.player, right.round)
        }
    }

    private var facts = SortedPieces<Place, Fact>()

    /// The facts of a book.
    init(_ terms: SmashUpTerms, _ book: Book) {
        var found: [(key: Place, value: Fact)] = []
        found.reserveCapacity(book.written)
        for (seat, player) in book.players.enumerated() where terms.seats[player.id] == seat {
            for bookCell in book.cells(of: player.id) {
                guard let subject = Subject(bookCell.cell),
                    let fact = SmashUpFacts.fact(of: bookCell, subject.row, by: seat, terms)
                else { continue }
                found.append((Place(subject, seat, bookCell.cell.round ?? 0), fact))
            }
        }
        facts = SortedPieces(found)
    }

    /// Takes in that a cell says something else.
    ///
    /// - Returns: what it is about; nil where nothing in it can be a fact.
    mutating func read(_ bookCell: BookCell, _ terms: SmashUpTerms) -> Subject? {
        guard let subject = Subject(bookCell.cell),
            let player = terms.seats[bookCell.cell.player]
        else { return nil }
        facts[Place(subject, player, bookCell.cell.round ?? 0)] =
            SmashUpFacts.fact(of: bookCell, subject.row, by: player, terms)
        return subject
    }

    /// The fact that a cell of somebody says; nil where it says none.
    private static func fact(
        of bookCell: BookCell,
        _ row: SmashUpRow,
        by player: Int,
        _ terms: SmashUpTerms
    ) -> Fact? {
        content(of: bookCell, row, terms).map { content in
            Fact(
                cell: bookCell.cell,
                player: player,
                content: content,
                entry: bookCell.live.winner,
                isTwice: bookCell.live.count > 1 && !bookCell.live.isConflicting
            )
        }
    }

    private static func content(
        of bookCell: BookCell,
        _ row: SmashUpRow,
        _ terms: SmashUpTerms
    ) -> Content? {
        let value = bookCell.value
        let place = terms.form.place(of: bookCell.cell.row)
        guard value != .null, case .success(let count) = terms.form.reading(of: bookCell, at: place)
        else { return nil }
        switch row {
        case .points: return .points(count ?? 0)
        case .madness: return .madness(count ?? 0)
        case .turn: return TurnMark(value).map { .mark($0) }
        case .deal: return FactionDeal(value, by: terms).map { .deal($0) }
        case .reveal: return .reveal(value)
        }
    }

    /// The fact that a cell says; nil where it says none.
    static func fact(of bookCell: BookCell, _ terms: SmashUpTerms) -> Fact? {
        guard let subject = Subject(bookCell.cell),
            let player = terms.seats[bookCell.cell.player]
        else { return nil }
        return fact(of: bookCell, subject.row, by: player, terms)
    }

    /// The facts of a row about these turns or games, in order.
    func facts(of row: SmashUpRow, in numbers: ClosedRange<UInt32>) -> [Fact] {
        let first = Place(Subject(row, numbers.lowerBound), 0, 0)
        return Array(
            facts.values(from: first).prefix { fact in
                guard let subject = Subject(fact.cell) else { return false }
                return subject.row == row && subject.number <= numbers.upperBound
            }
        )
    }

    /// The facts of a row of the whole table.
    func facts(of row: SmashUpRow) -> [Fact] { facts(of: row, in: 0...0) }

    /// Why a cell says no fact; nil where it does, or nothing is in it.
    static func flaw(of bookCell: BookCell, _ terms: SmashUpTerms) -> RuleViolation? {
        let place = terms.form.place(of: bookCell.cell.row)
        if case .failure(let violation) = terms.form.reading(of: bookCell, at: place) {
            return violation
        }
        guard bookCell.value != .null else { return nil }
        if let violation = SmashUpRow.violation(of: bookCell.cell) { return violation }
        switch SmashUpRow(bookCell.cell.row) {
        case .turn where TurnMark(bookCell.value) == nil:
            return SmashUpRule.notATurnMark(bookCell.value.words).violation
        case .deal where FactionDeal(bookCell.value, by: terms) == nil:
            return SmashUpRule.notADeal.violation
        default: return nil
        }
    }
}
