import SessionCRDT

/// A game of which something is kept, with what its rules say without it.
protocol KeptGame: GameState {
    associatedtype Rules: GameRules

    /// The rules that it is played by.
    var rules: Rules { get }
}

extension KeptGame {
    func checkComputer(in book: Book) throws(RuleViolation) { try rules.checkComputer(in: book) }

    func suggestion(in book: Book, depth: Int) -> Move? { rules.suggestion(in: book, depth: depth) }

    func words(in book: Book) -> GameWords { rules.words(in: book) }

    func carriedOver(from book: Book) -> Played { rules.carriedOver(from: book) }

    /// The flags of cells of those who are not players of the book.
    func strays(of book: Book) -> [Flag] {
        book.strays.filter { !$0.isEmpty }
            .map { Flag(.cell($0.cell), .unknownPlayer($0.cell.player)) }
    }
}
