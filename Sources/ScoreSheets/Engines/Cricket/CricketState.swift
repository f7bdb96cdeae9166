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

    func result(of darts: [Dart], by seat: Int, _ setup: Setup) throws(RuleViolation) -> Result {
        var result = Result(thrower: seat, options: setup.options, marks: seats[seat].marks)
        for dart in darts {
            guard result.winners.isEmpty else {
                throw RuleViolation("a dart before won the game; leave out the darts after it")
            }
            add(dart, to: &result)
            result.winners = winners(after: result)
        }
        return result
    }

    private func add(_ dart: Dart, to result: inout Result) {
        guard let number = CricketMarks.index(of: dart), dart.number >= result.options.lowest
        else { return }
        let isOpenToOthers = rotation.seats.contains {
            $0 != result.thrower && !seats[$0].marks.isClosed(number)
        }
        for _ in 0..<dart.ring.rawValue {
            if !result.marks.isClosed(number) {
                result.marks[number] += 1
                result.made += 1
                if result.marks.isClosed(number) { result.closed.append(number) }
            } else if result.options.variant != .noScore, isOpenToOthers {
                result.scoring[number] += 1
                result.made += 1
            }
        }
    }

    /// Returns the seats that have closed all numbers and are not behind after a visit: the
    /// thrower, else others who were behind until then.
    private func winners(after result: Result) -> [Int] {
        let able = rotation.seats.filter {
            let marks = $0 == result.thrower ? result.marks : seats[$0].marks
            return result.options.numbers.allSatisfy(marks.isClosed)
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
        /// The numbers that the visit closed, by index.
        var closed: [Int] = []
        var scoring = CricketMarks()
        var winners: [Int] = []

        /// The points that the visit scored, for any player.
        var points: Int { points { _ in true } }

        func points(where counts: (Int) -> Bool) -> Int {
            CricketMarks.numbers.indices.reduce(0) { sum, index in
                sum + (counts(index) ? scoring[index] * CricketMarks.numbers[index] : 0)
            }
        }
    }
}

/// The number of marks of each number, 20 first and the bull last.
struct CricketMarks: Hashable, Sendable {
    /// The numbers that can be in play, in display order; a mark scores its number, 25 for the bull.
    static let numbers = Array((10...20).reversed()) + [25]
    static let closing = 3

    private var counts = SIMD16<UInt8>()

    subscript(index: Int) -> Int {
        get { Int(counts[index]) }
        set { counts[index] = UInt8(newValue) }
    }

    func isClosed(_ index: Int) -> Bool { self[index] == CricketMarks.closing }

    var sum: Int { CricketMarks.numbers.indices.reduce(0) { $0 + self[$1] } }

    static func index(of dart: Dart) -> Int? { numbers.firstIndex(of: dart.number) }

    /// Returns the name in notes and tables: `20`, `bull`.
    static func name(_ index: Int) -> String { numbers[index] == 25 ? "bull" : "\(numbers[index])" }
}
