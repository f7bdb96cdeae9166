import SessionCRDT

extension CricketGame {
    /// How everybody stands: winners first, then by points, and by marks among equals.
    ///
    /// Nobody leads before the first visit; who left has no place.
    func lines(of book: Book) -> StandingLines {
        let playing = Set(turns.isEmpty ? [] : stand.rotation.seats)
        let tie = StandingLines.Tie(place: 1) { merit, _ in
            "tied at \(merit[1].magnitude), marks \(merit[2])"
        }
        return StandingLines(
            ranking: terms.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: book.isFinished ? nil : stand.mover.map { terms.players[$0].id },
            showsAbsent: false,
            tie: variant == .noScore ? nil : tie
        ) { seat in
            let merit = playing.contains(seat) ? merit(of: seat) : nil
            return StandingLines.Score(total: total(of: seat), merit: merit)
        }
    }

    /// What decides between players: whether they have won, points, marks.
    private func merit(of seat: Int) -> [Int64] {
        let points = Int64(stand.seats[seat].points)
        return [
            stand.winners.contains(seat) ? 1 : 0, variant == .cutThroat ? -points : points,
            Int64(stand.seats[seat].marks.sum),
        ]
    }

    private func total(of seat: Int) -> Int64 {
        let seat = stand.seats[seat]
        return Int64(variant == .noScore ? seat.marks.sum : seat.points)
    }

    /// The game once somebody has won it.
    var endings: Standings.Endings {
        guard stand.isOver else { return .told([]) }
        let seats = stand.rotation.seats.sorted()
        let ranks = CompetitionRanking.ranks(seats.map(merit))
        let players = zip(seats, ranks).map { seat, rank in
            PlayerOutcome(
                player: terms.players[seat].id,
                name: name(seat),
                isWinner: stand.winners.contains(seat),
                rank: rank,
                total: total(of: seat),
                tally: CricketStatistics.tally(stand.seats[seat]),
                hasOpponents: seats.count > 1
            )
        }
        return .told([Outcome(number: 1, at: stand.latest, players: players)])
    }
}
