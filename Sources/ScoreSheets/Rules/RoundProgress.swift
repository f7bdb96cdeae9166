import SessionCRDT

/// How far the rounds of a game are, for a target, which is looked at when a round is complete.
///
/// Everybody may enter a round when it suits them, so that the first who has the target need not be
/// the one who wins: the others may have more once they have entered the same round.
struct RoundProgress {
    /// The last round that everybody has entered; 0 where there is none.
    let complete: UInt32
    /// The first round that somebody has entered and not everybody; nil where none is open.
    let open: UInt32?
    /// Who has still to enter it.
    let waiting: [String]

    /// The progress of these sides.
    ///
    /// Somebody who has entered nothing yet is waited for in the first round; when the others are
    /// in their second one, who has entered nothing does not play.
    init(_ sides: [Side], _ columns: [Column]) {
        var teams: [(name: String, rounds: Set<UInt32>)] = sides.map { side in
            (side.name, Set(side.members.flatMap { columns[$0].rounds }))
        }
        let latest = teams.compactMap { $0.rounds.max() }.max() ?? 0
        if latest == 1 {
            let known = Set(sides.compactMap(\.team))
            let silent = columns.filter { column in
                column.player.isPresent && !column.isScored
                    && !(column.player.team.map(known.contains) ?? false)
            }
            teams += silent.map { ($0.player.name, []) }
        }
        let common = teams.dropFirst().reduce(teams.first?.rounds ?? []) {
            $0.intersection($1.rounds)
        }
        let complete = common.max() ?? 0
        let open = teams.flatMap { $0.rounds.filter { $0 > complete } }.min()
        self.complete = complete
        self.open = open
        waiting =
            open.map { round in
                teams.filter { !$0.rounds.contains(round) }.map(\.name)
            } ?? []
    }

    /// What a side has without the rounds that are not complete.
    func settledTotal(of side: Side, _ columns: [Column]) -> Int64 {
        guard open != nil else { return side.total }
        let early = side.members.lazy.flatMap { columns[$0].slots }
            .filter { ($0.entry.cell.round ?? 0) > complete }
            .reduce(Int128(0)) { $0 + Int128($1.points ?? 0) }
        return Bounds.cut(Int128(side.total) - early)
    }
}

extension Column {
    /// The rounds that count.
    fileprivate var rounds: [UInt32] {
        slots.compactMap { $0.count == nil ? nil : $0.entry.cell.round }
    }
}
