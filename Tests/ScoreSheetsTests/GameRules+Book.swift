import SessionCRDT

@testable import ScoreSheets

/// The questions of `Game` about a book whose game is not kept; each costs all cells of the book.
extension GameRules {
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try game(of: book).check(score, in: book)
    }

    func check(_ scores: [Score], in book: Book) throws(RuleViolation) {
        try game(of: book).check(scores, in: book)
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        try game(of: book).check(option: option, in: book)
    }

    func checkComputer(in book: Book) throws(RuleViolation) {
        try game(of: book).checkComputer(in: book)
    }

    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        try game(of: book).play(move, in: book, with: &context)
    }

    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try game(of: book).reset(of: book)
    }

    func suggestion(in book: Book, depth: Int) -> Move? {
        game(of: book).suggestion(in: book, depth: depth)
    }

    func words(in book: Book) -> GameWords { game(of: book).words(in: book) }

    func carriedOver(from book: Book) -> Played { game(of: book).carriedOver(from: book) }
}
