import SessionCRDT

/// A finished leg.
struct DartsLeg: TurnPart, Hashable {
    /// Which one.
    let place: Place
    /// Its turns, by their place among all.
    let turns: Range<Int>
    /// Who won it, by seat.
    let winner: Int
    /// How each player did, in seat order.
    let players: [Part]
    /// When its latest visit was written; nil where that is still a wish.
    let at: Stamp?

    /// A set and a leg of it, both from 1.
    struct Place: Hashable {
        var set = 1
        var leg = 1

        /// What it is called: `leg 2`, or `set 1, leg 2`.
        func words(_ mode: DartsMode) -> String {
            mode.hasSets ? "set \(set), leg \(leg)" : "leg \(leg)"
        }
    }

    /// How one player did.
    struct Part: Hashable {
        let player: Int
        let tally: DartsTally
        /// The latest turns, by their place among all.
        let recent: [Int]
    }

    /// What the winner did.
    var winning: DartsTally? { players.first { $0.player == winner }?.tally }

    /// The leg as what statistics are made of.
    func outcome(_ number: Int, of seated: [Player], from start: Int) -> Outcome {
        let lefts = players.map { start - $0.tally.points }
        let ranks = CompetitionRanking.ranks(lefts.map { [Int64(-$0)] })
        return Outcome(
            number: number,
            at: at,
            players: zip(players, ranks).map { part, rank in
                PlayerOutcome(
                    player: seated[part.player].id,
                    name: seated[part.player].name,
                    isWinner: part.player == winner,
                    rank: rank,
                    total: Int64(part.tally.points),
                    tally: part.tally.counts
                )
            }
        )
    }
}
