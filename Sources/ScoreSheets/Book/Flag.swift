package import SessionCRDT

/// Something in the book that does not count, and why.
package struct Flag: Hashable, Sendable {
    /// What does not count.
    package let subject: Subject
    /// Why.
    package let reason: RuleViolation

    /// What a flag can be about.
    package enum Subject: Hashable, Sendable {
        /// What stands in a cell.
        case cell(Cell)
        /// An option of the game.
        case option(Symbol)
        /// All of a player.
        case player(PlayerID)
        /// The whole game.
        case game
    }

    /// A flag of this subject for this reason.
    package init(_ subject: Subject, _ reason: RuleViolation) {
        self.subject = subject
        self.reason = reason
    }

    /// The flag as people read it, with the names of the book and the words that the game has for
    /// its cells: `Ann, round.3: round takes…`.
    package func words(in book: Book, by gameWords: GameWords = GameWords()) -> String {
        switch subject {
        case .cell(let cell):
            "\(name(of: cell.player, in: book)), \(place(of: cell, by: gameWords)): \(reason.message)"
        case .option(let option): "option \(option): \(reason.message)"
        case .player(let player): "\(name(of: player, in: book)): \(reason.message)"
        case .game: reason.message
        }
    }

    private func place(of cell: Cell, by gameWords: GameWords) -> String {
        gameWords.cell(cell) ?? "\(cell.row)\(cell.round.map { ".\($0)" } ?? "")"
    }

    private func name(of player: PlayerID, in book: Book) -> String {
        book.player(player)?.name ?? "player \(player)"
    }
}
