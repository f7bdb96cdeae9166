/// Rules of a game that is kept: whatever is asked of a book is asked of its state.
package protocol KeptRules: GameRules {
    /// What is kept of a book, from scratch.
    func state(of book: Book) -> any GameState
}

extension KeptRules {
    package func start(_ book: Book) -> any GameState { state(of: book) }

    package func standings(of book: Book) -> Standings { state(of: book).standings(of: book) }

    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try state(of: book).check(score, in: book)
    }

    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try state(of: book).play(move, in: book, with: &aids)
    }
}
