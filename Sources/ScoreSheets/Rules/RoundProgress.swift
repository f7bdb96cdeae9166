import SessionCRDT

/// How far the rounds of a game are, for a target, which is looked at when a round is complete.
///
/// Everybody may enter a round when it suits them, so that the first who has the target need not be
/// the one who wins: the others may have more once they have entered the same round.
struct RoundProgress {
    /// The last round that everybody has entered; 0 where there is none.
    let complete: Int64
    /// The first round that somebody has entered and not everybody; nil where none is open.
    let open: Int64?
    /// Who has still to enter it.
    let waiting: [String]

    /// The progress of these sides.
    ///
    /// Somebody who has entered nothing yet is waited for in the first round; when the others are
    /// in their second one, who has entered nothing does not play.
    init(_ sides: [Side], _ columns: [RowColumn], by form: SheetForm) {
        let rounds = sides.map { side in
            side.members.flatMap { member in
                form.rounds.map { columns[member].tallies[$0].marks }.filter { !$0.isEmpty }
            }
        }
        var silent: [String] = []
        if rounds.compactMap({ RoundProgress.last(in: $0, upTo: .max) }).max() == 1 {
            let known = Set(sides.compactMap(\.team))
            silent = columns.filter { column in
                column.player.isPresent && !column.isScored
                    && !(column.player.team.map(known.contains) ?? false)
            }.map(\.player.name)
        }
        let complete = silent.isEmpty ? RoundProgress.complete(rounds) : 0
        self.complete = complete
        let next = rounds.compactMap { marks in
            marks.compactMap { $0.first(after: complete)?.place }.min()
        }
        open = next.min()
        waiting =
            open.map { round in
                zip(sides, rounds).filter { RoundProgress.last(in: $1, upTo: round) != round }
                    .map(\.0.name) + silent
            } ?? []
    }

    /// The last round that all have; 0 where there is none.
    ///
    /// From the end, and at once down to the round that the slowest has: it takes a few steps where
    /// people play round by round, however many rounds there are.
    private static func complete(_ rounds: [[OrderedPieces<Mark>]]) -> Int64 {
        var round = Int64.max
        while true {
            let lasts = rounds.map { last(in: $0, upTo: round) ?? 0 }
            guard let least = lasts.min(), let most = lasts.max(), least > 0 else { return 0 }
            if least == most { return least }
            round = least
        }
    }

    /// The last round that is in any of these lists and not after another.
    private static func last(in marks: [OrderedPieces<Mark>], upTo round: Int64) -> Int64? {
        marks.compactMap { $0.last(upTo: round)?.place }.max()
    }

    /// What a side has without the rounds that are not complete.
    func settledTotal(of side: Side, _ columns: [RowColumn], by form: SheetForm) -> Int64 {
        guard open != nil else { return side.total }
        let early = side.members.reduce(Int128(0)) { sum, member in
            form.rounds.reduce(sum) {
                $0 + columns[member].tallies[$1].marks.weight(after: complete)
            }
        }
        return Bounds.cut(Int128(side.total) - early)
    }
}
