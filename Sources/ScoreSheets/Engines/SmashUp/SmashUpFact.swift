import SessionCRDT

/// What a cell of Smash Up can say.
enum SmashUpFact {
    /// A gain or a loss.
    case points(Int64)
    /// What is held at the end of a game.
    case madness(Int64)
    /// What ends a turn.
    case mark
    /// Who was dealt what.
    case deal(FactionDeal)
    /// What is said to be revealed.
    case reveal(Value)
}

extension SmashUpTerms {
    /// The fact that a cell says; nil of nothing, refused where it says none.
    func fact(of bookCell: BookCell) throws(RuleViolation) -> SmashUpFact? {
        let (cell, value) = (bookCell.cell, bookCell.value)
        let count = try form.reading(of: bookCell, at: form.place(of: cell.row)).get()
        guard value != .null else { return nil }
        switch try SmashUpRow(of: cell) {
        case .points: return .points(count ?? 0)
        case .madness: return .madness(count ?? 0)
        case .turn:
            _ = try SmashUpTerms.move(of: value)
            return .mark
        case .deal:
            guard let deal = FactionDeal(value, by: self) else {
                throw SmashUpRule.notADeal.violation
            }
            return .deal(deal)
        case .reveal: return .reveal(value)
        }
    }

    /// The number that a cell of somebody says; nil where it says none.
    private func number(in cell: Cell, _ live: LiveSet?, of player: Int) -> SmashUpNumber? {
        guard let live else { return nil }
        switch try? fact(of: BookCell(cell: cell, live: live)) {
        case .points(let number), .madness(let number):
            return SmashUpNumber(
                cell: cell,
                player: player,
                number: number,
                stamp: live.winner.stamp
            )
        case .mark, .deal, .reveal, nil: return nil
        }
    }

    /// The numbers that the cells of a row say.
    func numbers(in row: SmashUpRow, of book: Book) -> [SmashUpNumber] {
        players.enumerated().flatMap { seat, player -> [SmashUpNumber] in
            guard seats[player.id] == seat else { return [] }
            let cells = book.column(of: player.id).cells(of: row.id) ?? OrderedPieces()
            return cells.compactMap { found in
                let cell = Cell(player: player.id, row: row.id, round: found.round)
                return number(in: cell, found.live, of: seat)
            }
        }
    }

    mutating func take(_ cell: Cell, of book: Book) -> UInt32? {
        guard let player = seats[cell.player], let row = try? SmashUpRow(of: cell) else {
            return nil
        }
        switch row {
        case .points:
            points.take(number(in: cell, book[cell], of: player), in: cell, of: player)
            return TurnRounds.turn(of: cell.round ?? 0)
        case .madness: madness.take(number(in: cell, book[cell], of: player), in: cell, of: player)
        case .deal, .reveal: readDeal(of: book)
        case .turn: break
        }
        return nil
    }

    /// Reads the deal that was written last, and whether it was revealed.
    mutating func readDeal(of book: Book) {
        let deals = players.compactMap { player -> (cell: Cell, deal: FactionDeal, entry: Entry)? in
            let cell = Cell(player: player.id, row: SmashUpRow.deal.id)
            guard let live = book[cell],
                case .deal(let deal) = try? fact(of: BookCell(cell: cell, live: live))
            else { return nil }
            return (cell, deal, live.winner)
        }
        let last = deals.max { $1.entry.wins(over: $0.entry) }
        (dealCell, deal) = (last?.cell, last?.deal)
        isRevealed = players.contains { player in
            let shown = book[Cell(player: player.id, row: SmashUpRow.reveal.id)]?.winner.value
            return deal != nil && shown == deal?.value
        }
    }
}
