import SessionCRDT

extension DartsMatch {
    /// What the match comes to.
    ///
    /// The points of a cell are what the visit took off, and not what it adds to the total, which
    /// counts legs or sets.
    func standings(of book: Book, _ settings: Settings) -> Standings {
        let order =
            columns.indices.filter { columns[$0].player.isPresent }
            + columns.indices.filter { !columns[$0].player.isPresent }
        let merits = order.map { merit(of: $0) }
        let sharers = Dictionary(grouping: merits.compactMap(\.self)) { $0 }.mapValues(\.count)
        let equals = Dictionary(grouping: merits.compactMap(\.?.first)) { $0 }.mapValues(\.count)
        let ranks = CompetitionRanking.ranks(merits)
        let players = order.enumerated().map { place, seat in
            PlayerStanding(
                player: columns[seat].player,
                total: total(of: seat),
                rank: ranks[place],
                tieBreak: merits[place].flatMap { mine in
                    tieBreak(mine, equals: equals[mine[0]] ?? 0, same: sharers[mine] ?? 0)
                },
                cells: cells(of: seat)
            )
        }
        return Standings(
            players: players,
            isFinished: book.isFinished || winner != nil,
            turn: book.isFinished ? nil : thrower.map { columns[$0].player.id },
            flags: flags(of: book, settings),
            notes: notes(isOver: book.isFinished),
            totalLabel: mode.hasSets ? "Sets" : "Legs",
            panels: panels,
            outcomes: outcomes
        )
    }

    private func total(of seat: Int) -> Int64 {
        Int64(mode.hasSets ? seats[seat].sets : seats[seat].legs)
    }

    /// Sets and legs; nobody leads before the first leg is won.
    private func merit(of seat: Int) -> [Int64]? {
        guard columns[seat].player.isPresent, !legs.isEmpty else { return nil }
        return [Int64(seats[seat].sets), Int64(seats[seat].legs)]
    }

    /// With sets, the legs of the set in progress decide between equals.
    private func tieBreak(_ mine: [Int64], equals: Int, same: Int) -> String? {
        guard mode.hasSets, equals > 1 else { return nil }
        return "tied at \(mine[0]), legs \(mine[1])" + (same > 1 ? ", shared" : "")
    }

    private func cells(of seat: Int) -> [ScoredCell] {
        var points = [Int64?](repeating: nil, count: columns[seat].cells.count)
        for visit in columns[seat].visits {
            if let place = visit.place { points[place] = visit.points }
        }
        return zip(columns[seat].cells, points).map { ScoredCell($0, points: $1) }
    }

    /// A leg each.
    private var outcomes: [Outcome] {
        legs.enumerated().map { index, leg in
            let lefts = leg.players.map { mode.start - $0.tally.points }
            let ranks = CompetitionRanking.ranks(lefts.map { [Int64(-$0)] })
            return Outcome(
                number: index + 1,
                at: leg.at,
                players: leg.players.enumerated().map { place, part in
                    PlayerOutcome(
                        player: columns[part.player].player.id,
                        name: columns[part.player].player.name,
                        isWinner: part.player == leg.winner,
                        rank: ranks[place],
                        total: Int64(part.tally.points),
                        tally: part.tally.counts
                    )
                }
            )
        }
    }
}
