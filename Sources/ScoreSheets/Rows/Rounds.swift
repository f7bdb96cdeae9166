import SessionCRDT

/// What the rounds of one player in a row are worth by a formula, and what is wrong with them.
struct WorkedRounds: Sendable {
    /// What each round is worth: by itself, as its count, and what it adds, as its points, which
    /// differ where a running formula says what the rounds come to; whichever cells hold these.
    private(set) var results = OrderedPieces<Mark>()
    /// The rounds of which some fields are entered and others are missing.
    private(set) var gaps = OrderedPieces<Gap>()
    /// The rounds of which a formula has no value, in order.
    private(set) var faults = OrderedPieces<Fault>()
    /// Whether a running formula says what they come to.
    private(set) var isRunning = false

    /// A round of which fields are missing.
    struct Gap: Placed, Hashable, Sendable {
        /// The place of the round.
        let place: Int64
        /// The fields to enter.
        let missing: [Symbol]

        var weight: Int64 { 0 }
    }

    /// A round of which a formula has no value.
    struct Fault: Placed, Hashable, Sendable {
        /// Which formula of which round.
        let place: Place
        /// Why.
        let reason: FormulaFault

        var weight: Int64 { 0 }

        /// A formula of a round: that of its worth, or the running one.
        struct Place: Comparable, Hashable, Sendable {
            let round: Int64
            let isRunning: Bool

            static func < (left: Place, right: Place) -> Bool {
                left.round == right.round
                    ? !left.isRunning && right.isRunning : left.round < right.round
            }
        }
    }

    /// What the rounds together come to.
    var sum: Int64 { Bounds.cut(results.weight) }

    /// What the rounds before this one come to.
    func sum(before place: Int64) -> Int64 {
        Bounds.cut(results.weight - results.weight(after: place - 1))
    }

    /// Notes what a round is worth; nil of nothing.
    mutating func set(_ points: Int64?, inRound place: Int64) {
        guard results[place]?.count != points else { return }
        if let points {
            results.set(Mark(place: place, count: points, points: points))
        } else {
            results.remove(place)
        }
    }

    /// Notes what a round adds by a running formula.
    mutating func set(added: Int64, inRound place: Int64) {
        isRunning = true
        _ = results.change(place) { $0.points = added }
    }

    /// Notes which fields a round waits for.
    ///
    /// - Returns: whether these are others.
    mutating func set(missing: [Symbol], inRound place: Int64) -> Bool {
        guard (gaps[place]?.missing ?? []) != missing else { return false }
        if missing.isEmpty {
            gaps.remove(place)
        } else {
            gaps.set(Gap(place: place, missing: missing))
        }
        return true
    }

    /// Notes why a formula of a round has no value; nil where it has one.
    ///
    /// - Returns: whether that is something else.
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

/// What the entries of a row are worth by a formula: of each round, or of a number without rounds.
struct RoundEvaluation: Sendable {
    /// The place of the row.
    let place: Int
    /// What one entry is worth; nil where it is worth what was entered.
    let worth: BoundFormula?
    /// What the rounds come to after each; nil where they are added.
    let running: BoundFormula?
    /// What has to hold of each round.
    let checks: [Check]
    /// The places of what is entered: the fields of a round, or the row itself.
    let entered: [Int]
    /// The rows whose numbers of the player it reads, beside what is entered.
    let sources: [Int]
    /// The rows of which it reads what all players have.
    let shared: [Int]
    /// Whether a round has fields.
    let hasFields: Bool

    /// Something that has to hold of a round.
    struct Check {
        /// Which one of the row.
        let index: Int
        /// What it is, as the sheet says it.
        let check: RoundCheck
        /// What has to be true.
        let formula: BoundFormula
    }

    /// The evaluation of the row at a place; nil of one whose entries are worth themselves, or what
    /// short forms say.
    init?(_ form: SheetForm, at place: Int) {
        let row = form.rows[place]
        let formulas = row.formulas.filter { $0.role != .whole }
        guard !formulas.isEmpty else { return nil }
        func bound(_ isWanted: (RowFormula.Role) -> Bool) -> BoundFormula? {
            formulas.first { isWanted($0.role) }.map { form.bound($0, ofRow: place) }
        }
        self.place = place
        let worth = bound { [.number, .round, .fields].contains($0) }
        let running = bound { $0 == .running }
        self.worth = worth
        self.running = running
        var checks: [Check] = []
        if case .rounds(_, let rounds) = row.content {
            checks = zip(rounds.checks, formulas.filter(\.role.isCheck)).enumerated().map {
                Check(index: $0, check: $1.0, formula: form.bound($1.1, ofRow: place))
            }
        }
        self.checks = checks
        hasFields = formulas.contains { $0.role == .fields }
        entered =
            hasFields ? form.rows.indices.filter { form.rows[$0].group?.row == row.id } : [place]
        let read = [worth, running].compactMap(\.self) + checks.map(\.formula)
        let own = read.reduce(into: Set<Int>()) { $0.formUnion($1.ownRows) }
        sources = own.subtracting(entered).sorted()
        shared = read.reduce(into: Set<Int>()) { $0.formUnion($1.sharedRows) }.sorted()
    }
}

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
