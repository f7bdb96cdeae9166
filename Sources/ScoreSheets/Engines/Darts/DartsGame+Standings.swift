import SessionCRDT

extension DartsGame {
    /// The match as leaders count it, won or not; nil before the first leg, and of a single leg.
    ///
    /// Of those who left in the middle only those take part who had won something.
    var match: Outcome? {
        guard let leg = legs.last, mode.hasSets || mode.legs > 1 else { return nil }
        let seats = participants.sorted()
        let ranks = CompetitionRanking.ranks(seats.map(merit))
        return Outcome(
            number: Outcome.match,
            at: leg.at,
            players: zip(seats, ranks).map { seat, rank in
                PlayerOutcome(
                    player: terms.players[seat].id,
                    name: terms.players[seat].name,
                    isWinner: seat == stand.winner,
                    rank: rank,
                    total: total(of: seat)
                )
            }
        )
    }

    /// Who has a part in the legs so far, by seat: also who left, where they had won something.
    private var participants: Set<Int> {
        let winners = terms.players.indices.filter { merit(of: $0) != [0, 0] }
        return Set(legs.last?.players.map(\.player) ?? []).union(winners)
    }

    /// Who is counted, by seat: those who are here, and after the end those who were, so that
    /// nobody wins because the winner has left.
    var counted: Set<Int> { stand.winner == nil ? Set(terms.present) : participants }

    /// What decides between players: sets, then legs of the set in progress.
    private func merit(of seat: Int) -> [Int64] {
        [Int64(stand.seats[seat].sets), Int64(stand.seats[seat].legs)]
    }

    private func total(of seat: Int) -> Int64 { merit(of: seat)[mode.hasSets ? 0 : 1] }

    /// How everybody stands; nobody leads before the first leg is won.
    ///
    /// With sets, the legs of the set in progress decide between equals.
    func lines(of book: Book) -> StandingLines {
        let counted = legs.isEmpty ? [] : counted
        let tie = StandingLines.Tie(place: 0) { merit, _ in "tied at \(merit[0]), legs \(merit[1])"
        }
        return StandingLines(
            ranking: terms.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: book.isFinished ? nil : stand.mover.map { terms.players[$0].id },
            showsAbsent: false,
            tie: mode.hasSets ? tie : nil
        ) { seat in
            let merit = counted.contains(seat) ? merit(of: seat) : nil
            return StandingLines.Score(total: total(of: seat), merit: merit)
        }
    }
}
