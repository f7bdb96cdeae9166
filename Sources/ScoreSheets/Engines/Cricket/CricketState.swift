import SessionCRDT

struct CricketState: OrderedTurnState {
    typealias Options = CricketOptions
    typealias Setup = OrderedSetup<CricketOptions>

    struct Seat: Hashable, Sendable {
        var marks = CricketMarks()
        var points = 0
        var tally = Tally()
        /// The parts of the tally by member, if the seat is a side of several.
        var shares: [Int: Tally] = [:]
    }

    struct Tally: Hashable, Sendable {
        /// The number of marks made, including those that scored.
        var made = 0
        var visits = 0
        /// The maximum number of marks in one visit.
        var best = 0

        mutating func add(_ result: Result) {
            made += result.made
            visits += 1
            best = max(best, result.made)
        }
    }

    private(set) var seats: [Seat]
    private(set) var latest: Stamp?
    private(set) var winners: [Int] = []
    var rotation = TurnRotation()

    init(_ setup: Setup) { seats = setup.players.map { _ in Seat() } }

    var isOver: Bool { !winners.isEmpty }

    static func points(of result: Result) -> Int64 {
        result.options.variant == .standard ? Int64(result.points) : 0
    }

    func result(
        of visit: CricketVisit,
        by seat: Int,
        _ setup: Setup
    ) throws(RuleViolation) -> Result {
        var result = Result(thrower: seat, options: setup.options, marks: seats[seat].marks)
        switch visit {
        case .bed:
            guard setup.options.targets == .beds else { throw CricketState.noTarget("a bed") }
            // A second bed is worth nothing.
            if !result.marks.isClosed(CricketMarks.bed) { result.mark(CricketMarks.bed) }
            result.winners = winners(after: result)
        case .darts(let darts):
            for dart in darts {
                guard result.winners.isEmpty else {
                    throw RuleViolation("a dart before won the game; leave out the darts after it")
                }
                try add(dart, to: &result)
                result.winners = winners(after: result)
            }
        }
        return result
    }

    private static func noTarget(_ name: String) -> RuleViolation {
        RuleViolation("\(name) is no target of its own in this game; the option targets says so")
    }

    private func add(_ thrown: CricketDart, to result: inout Result) throws(RuleViolation) {
        let (dart, hasRings) = (thrown.dart, result.options.targets != .numbers)
        guard hasRings || !thrown.isOfRing else {
            throw CricketState.noTarget("a \(dart.ring == .double ? "double" : "triple")")
        }
        let ring: Int? =
            switch dart.ring {
            case .double where hasRings: CricketMarks.doubles
            case .triple where hasRings: CricketMarks.triples
            case .miss, .single, .double, .triple: nil
            }
        if let number = CricketMarks.index(of: dart), dart.number >= result.options.lowest,
            !thrown.isOfRing
        {
            add(dart.ring.rawValue, of: number, worth: dart.number, to: &result)
        } else if let ring {
            add(1, of: ring, worth: dart.points, to: &result)
        }
    }

    /// Adds marks of a target; those beyond closing it score while any other player has it open.
    private func add(_ count: Int, of target: Int, worth points: Int, to result: inout Result) {
        let isOpenToOthers = rotation.seats.contains {
            $0 != result.thrower && !seats[$0].marks.isClosed(target)
        }
        for _ in 0..<count {
            if !result.marks.isClosed(target) {
                result.mark(target)
            } else if result.options.variant != .noScore, isOpenToOthers {
                result.scoring[target] += points
                result.made += 1
            }
        }
    }

    /// Returns the seats that have closed all numbers and are not behind after a visit: the
    /// thrower, else others who were behind until then.
    private func winners(after result: Result) -> [Int] {
        let able = rotation.seats.filter {
            let marks = $0 == result.thrower ? result.marks : seats[$0].marks
            return result.options.goals.allSatisfy(marks.isClosed)
        }
        guard !able.isEmpty else { return [] }
        let best = rotation.seats.map { merit(of: $0, after: result) }.max() ?? 0
        let leaders = able.filter { merit(of: $0, after: result) == best }
        return leaders.contains(result.thrower) ? [result.thrower] : leaders
    }

    /// Returns the number that decides between players who have closed all numbers; greater is
    /// better.
    private func merit(of seat: Int, after result: Result) -> Int {
        let points = seats[seat].points + points(for: seat, of: result)
        return result.options.variant == .cutThroat ? -points : points
    }

    private func points(for seat: Int, of result: Result) -> Int {
        switch result.options.variant {
        case .standard: seat == result.thrower ? result.points : 0
        case .cutThroat where seat != result.thrower:
            result.points { !seats[seat].marks.isClosed($0) }
        case .cutThroat, .noScore: 0
        }
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: Setup) -> Never? {
        let (result, thrower) = (turn.result, turn.seat)
        for seat in rotation.seats { seats[seat].points += points(for: seat, of: result) }
        seats[thrower].marks = result.marks
        seats[thrower].tally.add(result)
        if setup.hasPartners {
            seats[thrower].shares[turn.member, default: Tally()].add(result)
        }
        latest.advance(to: turn.stamp)
        winners = result.winners
        if !isOver { rotation.pass() }
        return nil
    }

    struct Result: Hashable, Sendable {
        let thrower: Int
        let options: CricketOptions
        var marks: CricketMarks
        /// The number of marks made, including those that scored.
        var made = 0
        /// The targets that the visit closed, by index.
        var closed: [Int] = []
        /// The points that the visit scored, by target.
        var scoring = CricketMarks()
        var winners: [Int] = []

        /// Adds a mark of a target that is not closed.
        mutating func mark(_ target: Int) {
            marks[target] += 1
            made += 1
            if marks.isClosed(target) { closed.append(target) }
        }

        /// The points that the visit scored, for any player.
        var points: Int { points { _ in true } }

        func points(where counts: (Int) -> Bool) -> Int {
            CricketMarks.indices.reduce(0) { $0 + (counts($1) ? scoring[$1] : 0) }
        }
    }
}

/// A small number for each target, such as its marks: the numbers from 20 down, the bull, and then
/// doubles, triples and the bed.
///
/// No target has more than 255: three triples 20 are 180 points.
struct CricketMarks: Hashable, Sendable {
    /// The numbers that can be in play, in display order; a mark scores its number, the bull 25.
    static let numbers = Array((10...20).reversed()) + [25]
    static let doubles = numbers.count
    static let triples = doubles + 1
    static let bed = triples + 1
    static let indices = 0...bed
    static let closing = 3

    private var counts = SIMD16<UInt8>()

    subscript(index: Int) -> Int {
        get { Int(counts[index]) }
        set { counts[index] = UInt8(newValue) }
    }

    /// Whether a target has three marks; one bed is enough.
    func isClosed(_ index: Int) -> Bool {
        self[index] == (index == CricketMarks.bed ? 1 : CricketMarks.closing)
    }

    var sum: Int { CricketMarks.indices.reduce(0) { $0 + self[$1] } }

    static func index(of dart: Dart) -> Int? { numbers.firstIndex(of: dart.number) }

    /// Returns the name in notes: `20`, `bull`, `doubles`.
    static func name(_ index: Int) -> String {
        switch index {
        case doubles: "doubles"
        case triples: "triples"
        case bed: "bed"
        default: numbers[index] == 25 ? "bull" : "\(numbers[index])"
        }
    }

    /// Returns the title of the column: `20`, `Bull`, `D`.
    static func title(_ index: Int) -> String {
        switch index {
        case doubles: "D"
        case triples: "T"
        default: name(index).capitalizedFirst
        }
    }
}
