import SessionCRDT

extension StandingLines {
    /// What a player has, and what decides between players.
    struct Score {
        /// The total.
        let total: Int64
        /// What is compared, number by number, the greater is better; nil of who has no place.
        let merit: [Int64]?
    }

    /// What is told of players who are equal in one number of their merits.
    struct Tie {
        /// Which number it is.
        let place: Int
        /// What is told of a merit, `tied at 2, legs 1`, and whether others of these differ.
        let words: ([Int64], Bool) -> String

        /// What is told of each of these merits; nil of those that no other one equals.
        fileprivate func words(among merits: [[Int64]?]) -> [String?] {
            let all = merits.compactMap(\.self)
            let equals = Dictionary(grouping: all) { $0[place] }.mapValues(\.count)
            let sharers = Dictionary(grouping: all) { $0 }.mapValues(\.count)
            return merits.map { merit in
                guard let merit, let equals = equals[merit[place]], equals > 1 else { return nil }
                let sharers = sharers[merit] ?? 0
                return words(merit, sharers < equals) + (sharers > 1 ? ", shared" : "")
            }
        }
    }

    /// How these players stand, those who are here first, each by their place among them.
    ///
    /// Where places of the absent are not shown, they still have them, so that nobody wins because
    /// the winner has left.
    init(
        ranking players: [Player],
        isFinished: Bool,
        isDecided: Bool = true,
        turn: PlayerID?,
        showsAbsent: Bool,
        tie: Tie? = nil,
        by score: (Int) -> Score
    ) {
        let here = players.indices.filter { players[$0].isPresent }
        let order = here + players.indices.filter { !players[$0].isPresent }
        let scores = order.map(score)
        let merits = scores.map(\.merit)
        let ranks = CompetitionRanking.ranks(merits)
        let ties = tie?.words(among: merits)
        self.init(
            lines: order.indices.map { place in
                let player = players[order[place]]
                let isShown = player.isPresent || showsAbsent
                return Line(
                    player: player,
                    total: scores[place].total,
                    rank: isShown ? ranks[place] : nil,
                    tieBreak: isShown ? ties?[place] : nil
                )
            },
            isFinished: isFinished,
            isDecided: isDecided,
            turn: turn
        )
    }
}
