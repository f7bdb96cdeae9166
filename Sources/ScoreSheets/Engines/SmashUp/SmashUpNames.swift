import SessionCRDT

/// What people call the cells and values of Smash Up.
struct SmashUpNames: Sendable {
    private let table: SmashUpTable
    private let book: Book

    private var terms: SmashUpTerms { table.terms }

    /// The names of a book.
    init(_ table: SmashUpTable, in book: Book) {
        self.table = table
        self.book = book
    }

    /// The turn of a gain, whose round is a place by chance, and the game of Madness; nil of turns,
    /// which are entered by the number that they have in the session.
    func name(of cell: Cell) -> String? {
        guard let round = cell.round, let label = terms.sheet.row(cell.row)?.label else {
            return nil
        }
        switch SmashUpRow(cell.row) {
        case .points:
            let place = table.place(of: TurnRounds.turn(of: round))
            return "\(label) in turn \(place.turn)"
                + (table.gameCount > 1 ? " of game \(place.game)" : "")
        case .madness: return "\(label) of game \(round)"
        case .turn, .deal, .reveal, nil: return nil
        }
    }

    /// Who was dealt what, and by what the points were looked at when a turn ended: with whom only
    /// where others are at the table now.
    ///
    /// Only the deal that was revealed is told, whichever counts now: one that was taken back, or
    /// that lost to another, may be brought back.
    func words(of score: Score) -> ValueWords? {
        let row = SmashUpRow(score.cell.row)
        switch row {
        case .deal, .reveal:
            guard let deal = FactionDeal(score.value, by: terms) else { return nil }
            let isShown = row == .reveal || score.value == terms.shownDeal
            return isShown
                ? ValueWords(shown: hands(of: deal).map(\.description).joined(separator: "; "))
                : ValueWords(shown: "hidden", isHidden: true)
        case .turn:
            switch TurnMark(score.value) {
            case .end(.recorded(let target, let players)):
                let isOfAll = Set(players) == Set(book.players.filter(\.isPresent).map(\.id))
                let others = isOfAll ? "" : ", with \(list(players))"
                return ValueWords(shown: "end, \(target) to win" + others)
            case .end(.without(let absent)) where !absent.isEmpty:
                return ValueWords(shown: "end without \(list(absent))")
            case .end, .replay, nil: return nil
            }
        case .points, .madness, nil: return nil
        }
    }

    /// Players by name, in the order of the seats.
    private func list(_ players: [PlayerID]) -> String {
        let players = Set(players)
        let known = book.players.filter { players.contains($0.id) }.map(\.name)
        let strangers = players.filter { book.player($0) == nil }.map { _ in "somebody" }
        return (known + strangers).joined(separator: ", ")
    }

    /// What everybody was dealt.
    func hands(of deal: FactionDeal) -> [SmashUpNote] {
        deal.hands.compactMap { hand in
            book.player(hand.player).map { player in
                let factions = hand.factions.map { terms.factions[$0] ?? $0.description }
                return .hand(player: player.name, factions: factions)
            }
        }
    }

    /// Whether a value is of the whole table: a deal, its reveal, and what begins another game.
    static func isOfTable(_ score: Score) -> Bool {
        switch SmashUpRow(score.cell.row) {
        case .deal, .reveal: true
        case .turn: TurnMark(score.value) == .replay
        case .points, .madness, nil: false
        }
    }
}
