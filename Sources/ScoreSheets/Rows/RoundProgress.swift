import SessionCRDT

/// How far the rounds of a game are, for a target, which is looked at when a round is complete.
///
/// Everybody may enter a round when it suits them, so that the first who has the target need not be
/// the one who wins: the others may have more once they have entered the same rounds.
struct RoundProgress {
    /// The last round up to which everybody has entered every round; 0 where there is none.
    let complete: Int64
    /// The round after it, where somebody has entered that or a later one; nil where nobody has.
    let open: Int64?
    /// Who has still to enter it.
    let waiting: [String]

    /// The progress of these sides, and of everybody who has entered nothing yet: who does not play
    /// is removed, or was added when the round was complete.
    init(_ sides: [Side], _ columns: [RowColumn], in book: Book, by form: SheetForm) {
        let rounds = sides.map { side in
            side.members.flatMap { member in
                form.wholeRounds.map { columns[member].entered($0, by: form) }
                    .filter { !$0.isEmpty }
            }
        }
        let common = rounds.map(RoundProgress.run).min() ?? 0
        let end = RoundProgress.moment(of: common, sides, columns, in: book, by: form)
        let waiting = columns.filter { column in
            end.map { column.player.added ?? $0 <= $0 } ?? true
        }
        let silent = RoundProgress.silent(waiting, beside: sides)
        let complete = silent.isEmpty ? common : 0
        self.complete = complete
        let latest = rounds.lazy.joined().compactMap { $0.last?.place }.max() ?? 0
        let isOpen = latest > complete
        open = isOpen ? complete + 1 : nil
        guard isOpen else {
            self.waiting = []
            return
        }
        let late = zip(sides, rounds).filter { !$1.contains { $0[complete + 1] != nil } }
        self.waiting = late.map(\.0.name) + silent
    }

    /// When the last entry of a round was made; nil of no round.
    private static func moment(
        of round: Int64,
        _ sides: [Side],
        _ columns: [RowColumn],
        in book: Book,
        by form: SheetForm
    ) -> Stamp? {
        guard round > 0 else { return nil }
        let stamps = sides.lazy.flatMap(\.members).flatMap { member in
            form.rounds.lazy.compactMap { row in
                let player = columns[member].player.id
                let round = UInt32(clamping: round)
                return book[Cell(player: player, row: form.ids[row], round: round)]?.winner.stamp
            }
        }
        return stamps.max()
    }

    /// The teams and the players alone of whom nothing counts yet, in the order of the seats.
    private static func silent(_ columns: [RowColumn], beside sides: [Side]) -> [String] {
        var known = Set(sides.compactMap { Side.key(ofTeam: $0.team) })
        return columns.compactMap { column in
            guard column.player.isPresent, !column.isScored else { return nil }
            guard let team = Side.key(ofTeam: column.player.team) else { return column.player.name }
            return known.insert(team).inserted ? column.player.team : nil
        }
    }

    /// How often the rounds of one list may go on behind those of another before all are counted.
    private static let mostTurns = 32

    /// Up to which round these lists have every round from the first on.
    private static func run(in marks: [OrderedPieces<Mark>]) -> Int64 {
        var next: Int64 = 1
        // Partners take turns seldom; who does so all the time must not cost a search each time.
        for _ in 0..<mostTurns {
            let end = marks.reduce(next) { max($0, $1.firstGap(from: $0)) }
            if end == next { return next - 1 }
            next = end
        }
        var isEntered = Array(repeating: false, count: marks.reduce(0) { $0 + $1.count })
        for mark in marks.joined() where 1...Int64(isEntered.count) ~= mark.place {
            isEntered[Int(mark.place) - 1] = true
        }
        return Int64(isEntered.firstIndex(of: false) ?? isEntered.count)
    }

    /// Whether any round is complete, or none is begun.
    var isSettled: Bool { complete > 0 || open == nil }

    /// Whether a side has entered the first round, from which it comes down.
    func hasBegun(_ side: Side, _ columns: [RowColumn], by form: SheetForm) -> Bool {
        side.members.contains { member in
            form.wholeRounds.contains { columns[member].entered($0, by: form)[1] != nil }
        }
    }

    /// What a side has without the rounds that are not complete.
    func settledTotal(of side: Side, _ columns: [RowColumn], by form: SheetForm) -> Int64 {
        guard open != nil else { return side.total }
        let early = side.members.filter { columns[$0].isScored }.reduce(Int128(0)) { sum, member in
            form.rounds.reduce(sum) {
                $0 + columns[member].tallies[$1].marks.weight(after: complete)
            }
        }
        return Bounds.cut(Int128(side.total) - early)
    }
}
