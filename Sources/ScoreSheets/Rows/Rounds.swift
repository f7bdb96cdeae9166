import SessionCRDT

/// The points of one player's rounds in a row by its formulas, and the problems of these rounds.
struct RoundResults: Sendable {
    /// The rounds: `count` is the value of a round by itself, `points` its contribution to the row,
    /// which differs if there is a running formula.
    private(set) var results = SortedChunks<Mark>()
    private(set) var gaps = SortedChunks<Gap>()
    /// The rounds in which a formula has no value.
    private(set) var faults = SortedChunks<Fault>()
    private(set) var isRunning = false

    struct Gap: SortedElement, Hashable, Sendable {
        let place: Int64
        let missing: [Symbol]
    }

    struct Fault: SortedElement, Hashable, Sendable {
        let place: Place
        let reason: FormulaFault

        /// The sort key: a round, and which of its two formulas failed.
        struct Place: Comparable, Hashable, Sendable {
            let round: Int64
            let isRunning: Bool

            static func < (left: Place, right: Place) -> Bool {
                left.round == right.round
                    ? !left.isRunning && right.isRunning : left.round < right.round
            }
        }
    }

    var sum: Int64 { Bounds.cut(results.weight) }

    func sum(before place: Int64) -> Int64 {
        Bounds.cut(results.weight - results.weight(after: place - 1))
    }

    /// Returns why the running formula has no value in a round; nil if it has one.
    func runningFault(inRound round: Int64) -> FormulaFault? {
        faults[Fault.Place(round: round, isRunning: true)]?.reason
    }

    mutating func set(_ points: Int64?, inRound place: Int64) {
        guard results[place]?.count != points else { return }
        if let points {
            results.set(Mark(place: place, count: points, points: points))
        } else {
            results.remove(place)
        }
    }

    /// Sets the contribution of a round by the running formula.
    mutating func set(added: Int64, inRound place: Int64) {
        isRunning = true
        _ = results.change(place) { $0.points = added }
    }

    mutating func set(missing: [Symbol], inRound place: Int64) -> Bool {
        guard (gaps[place]?.missing ?? []) != missing else { return false }
        if missing.isEmpty {
            gaps.remove(place)
        } else {
            gaps.set(Gap(place: place, missing: missing))
        }
        return true
    }

    /// Sets the reason why a formula of a round has no value; returns whether it changed.
    mutating func set(_ fault: FormulaFault?, inRound round: Int64, isRunning: Bool) -> Bool {
        let place = Fault.Place(round: round, isRunning: isRunning)
        guard faults[place]?.reason != fault else { return false }
        if let fault {
            faults.set(Fault(place: place, reason: fault))
        } else {
            faults.remove(place)
        }
        return true
    }
}

/// The formulas of a row that is entered: for each round, or for a number without rounds.
struct RoundFormulas: Sendable {
    let place: Int
    /// The value of an entry; nil if it is the entry itself.
    let points: BoundFormula?
    /// The value of the row after each round; nil if the rounds are added.
    let running: BoundFormula?
    let checks: [Check]
    /// The rows that are entered: the fields of a round, or the row itself.
    let entered: [Int]
    let sources: [Int]
    let shared: [Int]
    let hasFields: Bool

    struct Check {
        let index: Int
        let check: RoundCheck
        let formula: BoundFormula
    }

    /// Creates the formulas of a row; nil for a row without formulas.
    init?(_ plan: SheetPlan, at place: Int) {
        let row = plan.rows[place]
        let formulas = row.formulas.filter { $0.role != .whole }
        guard !formulas.isEmpty else { return nil }
        func bound(_ isWanted: (RowFormula.Role) -> Bool) -> BoundFormula? {
            formulas.first { isWanted($0.role) }.map { plan.bound($0, ofRow: place) }
        }
        self.place = place
        let points = bound { [.number, .round, .fields].contains($0) }
        let running = bound { $0 == .running }
        self.points = points
        self.running = running
        var checks: [Check] = []
        if case .rounds(_, let rounds) = row.content {
            checks = zip(rounds.checks, formulas.filter(\.role.isCheck)).enumerated().map {
                Check(index: $0, check: $1.0, formula: plan.bound($1.1, ofRow: place))
            }
        }
        self.checks = checks
        hasFields = formulas.contains { $0.role == .fields }
        entered =
            hasFields ? plan.rows.indices.filter { plan.rows[$0].group?.row == row.id } : [place]
        let read = [points, running].compactMap(\.self) + checks.map(\.formula)
        let own = read.reduce(into: Set<Int>()) { $0.formUnion($1.ownRows) }
        sources = own.subtracting(entered).sorted()
        shared = read.reduce(into: Set<Int>()) { $0.formUnion($1.sharedRows) }.sorted()
    }
}

/// The progress of the rounds, for a target, which ends the game when a round is complete.
///
/// Players enter rounds at different times, so the first to reach the target need not win: others
/// may have more once they have entered the same rounds.
struct RoundProgress {
    /// The last round up to which all players have entered every round; 0 if there is none.
    let complete: Int64
    /// The next round, if any player has entered that or a later one.
    let open: Int64?
    /// The last round that any player has entered; 0 if there is none.
    let latest: Int64
    /// The players and teams that must still enter the open round.
    let waiting: [String]

    /// Computes the progress of these sides and of players without an entry.
    ///
    /// Such players are waited for, unless they have joined late or were added after the last
    /// complete round; who does not play is removed. Players who are out have no more rounds.
    init(_ sides: [Side], _ columns: [RowColumn], in book: Book, by plan: SheetPlan) {
        let sides = sides.filter { !$0.isOut }
        let rounds = sides.map { side in
            side.members.flatMap { member in
                plan.wholeRounds.map { columns[member].entered($0, by: plan) }
                    .filter { !$0.isEmpty }
            }
        }
        let common =
            zip(sides, rounds).map { RoundProgress.completeRounds(in: $1, from: $0.since) }.min()
            ?? 0
        let end = RoundProgress.lastStamp(of: common, sides, columns, in: book, by: plan)
        let waiting = columns.filter { column in
            guard column.since == 1 else { return false }
            return end.map { column.player.added ?? $0 <= $0 } ?? true
        }
        let silent = RoundProgress.withoutEntry(waiting, beside: sides)
        let complete = silent.isEmpty ? common : 0
        self.complete = complete
        let latest = rounds.lazy.joined().compactMap { $0.last?.place }.max() ?? 0
        self.latest = latest
        let isOpen = latest > complete
        open = isOpen ? complete + 1 : nil
        guard isOpen else {
            self.waiting = []
            return
        }
        let late = zip(sides, rounds).filter { side, rounds in
            side.since <= complete + 1 && !rounds.contains { $0[complete + 1] != nil }
        }
        self.waiting = late.map(\.0.name) + silent
    }

    private static func lastStamp(
        of round: Int64,
        _ sides: [Side],
        _ columns: [RowColumn],
        in book: Book,
        by plan: SheetPlan
    ) -> Stamp? {
        guard round > 0 else { return nil }
        let stamps = sides.lazy.flatMap(\.members).flatMap { member in
            plan.rounds.lazy.compactMap { row in
                let player = columns[member].player.id
                let round = UInt32(clamping: round)
                return book[Cell(player: player, row: plan.ids[row], round: round)]?.winner.stamp
            }
        }
        return stamps.max()
    }

    /// Returns the teams and single players without an entry that counts, in seat order.
    static func withoutEntry(_ columns: [RowColumn], beside sides: [Side]) -> [String] {
        var known = Set(sides.compactMap { Side.key(ofTeam: $0.team) })
        return columns.compactMap { column in
            guard column.player.isPresent, !column.isScored else { return nil }
            guard let team = Side.key(ofTeam: column.player.team) else { return column.player.name }
            return known.insert(team).inserted ? column.player.team : nil
        }
    }

    /// The maximum number of switches between lists before the rounds are counted instead.
    private static let maxTurns = 32

    /// Returns the last round up to which these lists together have every round from a first one.
    private static func completeRounds(in marks: [SortedChunks<Mark>], from first: Int64) -> Int64 {
        var next = first
        // Partners seldom take turns; those who always do must not cost a search for each round.
        for _ in 0..<maxTurns {
            let end = marks.reduce(next) { max($0, $1.firstFree(from: $0, countsWeightless: true)) }
            if end == next { return next - 1 }
            next = end
        }
        var isEntered = Array(repeating: false, count: marks.reduce(0) { $0 + $1.count })
        for mark in marks.joined() where 0..<Int64(isEntered.count) ~= mark.place - first {
            isEntered[Int(mark.place - first)] = true
        }
        return first - 1 + Int64(isEntered.firstIndex(of: false) ?? isEntered.count)
    }

    /// Whether any round is complete or none has begun.
    var isSettled: Bool { complete > 0 || open == nil }

    /// Whether a side has entered the first round, from which totals count down.
    func hasBegun(_ side: Side, _ columns: [RowColumn], by plan: SheetPlan) -> Bool {
        side.members.contains { member in
            plan.wholeRounds.contains { columns[member].entered($0, by: plan)[1] != nil }
        }
    }

    /// Returns the total of a side without incomplete rounds.
    func settledTotal(of side: Side, _ columns: [RowColumn], by plan: SheetPlan) -> Int64 {
        guard open != nil else { return side.total }
        let early = side.members.filter { columns[$0].isScored }.reduce(Int128(0)) { sum, member in
            plan.rounds.reduce(sum) {
                $0 + columns[member].tallies[$1].marks.weight(after: complete)
            }
        }
        return Bounds.cut(Int128(side.total) - early)
    }
}
