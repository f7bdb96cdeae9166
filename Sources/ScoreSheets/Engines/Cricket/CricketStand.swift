import SessionCRDT

/// Where a game of cricket stands before a turn.
struct CricketStand: MatchStand {
    typealias Mode = CricketMode
    typealias Terms = MatchTerms<CricketMode>

    /// How one player stands.
    struct Seat: Hashable, Sendable {
        var marks = CricketMarks()
        var points = 0
        /// How many marks were made, those that scored too.
        var made = 0
        var visits = 0
        /// The most marks of one visit.
        var best = 0
    }

    /// How each player stands.
    private(set) var seats: [Seat]
    /// When the latest visit was written.
    private(set) var latest: Stamp?
    private(set) var winners: [Int] = []
    var rotation = TurnRotation()

    init(_ terms: Terms) {
        seats = terms.players.map { _ in Seat() }
    }

    var isOver: Bool { !winners.isEmpty }

    static func points(of result: CricketResult) -> Int64 { Int64(result.gained) }

    func result(
        of visit: CricketVisit,
        by seat: Int,
        _ terms: Terms
    ) throws(RuleViolation) -> CricketResult {
        let variant = terms.mode.variant
        var result = CricketResult(marks: seats[seat].marks)
        for dart in visit.darts {
            guard result.winners.isEmpty else { throw CricketRule.dartsAfterEnd.violation }
            throwing(dart, by: seat, variant, &result)
            result.winners = winners(after: result, by: seat, variant)
        }
        result.gained = variant == .standard ? result.points : 0
        return result
    }

    private func throwing(
        _ dart: Dart,
        by seat: Int,
        _ variant: CricketVariant,
        _ result: inout CricketResult
    ) {
        guard let place = CricketMarks.place(of: dart) else { return }
        let isOpenToOthers = rotation.seats.contains {
            $0 != seat && !seats[$0].marks.isClosed(place)
        }
        for _ in 0..<dart.ring.rawValue {
            if !result.marks.isClosed(place) {
                result.marks[place] += 1
                result.made += 1
                if result.marks.isClosed(place) { result.closed.append(place) }
            } else if variant != .noScore, isOpenToOthers {
                result.scoring[place] += 1
                result.made += 1
            }
        }
    }

    /// Who has closed all and is not behind anybody after a visit: whoever throws, else others who
    /// were behind until then.
    private func winners(
        after result: CricketResult,
        by thrower: Int,
        _ variant: CricketVariant
    ) -> [Int] {
        let able = rotation.seats.filter {
            $0 == thrower ? result.marks.areAllClosed : seats[$0].marks.areAllClosed
        }
        guard !able.isEmpty else { return [] }
        let merits = rotation.seats.map { merit(of: $0, after: result, by: thrower, variant) }
        let best = merits.max() ?? 0
        let leaders = able.filter { merit(of: $0, after: result, by: thrower, variant) == best }
        return leaders.contains(thrower) ? [thrower] : leaders
    }

    /// What decides who wins of those who have closed all; the greater is better.
    private func merit(
        of seat: Int,
        after result: CricketResult,
        by thrower: Int,
        _ variant: CricketVariant
    ) -> Int {
        let points = seats[seat].points + points(for: seat, of: result, by: thrower, variant)
        return variant == .cutThroat ? -points : points
    }

    /// What a visit adds to the points of somebody.
    private func points(
        for seat: Int,
        of result: CricketResult,
        by thrower: Int,
        _ variant: CricketVariant
    ) -> Int {
        switch variant {
        case .standard: seat == thrower ? result.points : 0
        case .cutThroat where seat != thrower:
            result.points { !seats[seat].marks.isClosed($0) }
        case .cutThroat, .noScore: 0
        }
    }

    mutating func take(
        _ turn: CountedTurn<CricketVisit, CricketResult>,
        at index: Int,
        _ terms: Terms
    ) -> Never? {
        let (result, thrower) = (turn.result, turn.seat)
        for seat in rotation.seats {
            seats[seat].points += points(for: seat, of: result, by: thrower, terms.mode.variant)
        }
        seats[thrower].marks = result.marks
        seats[thrower].made += result.made
        seats[thrower].visits += 1
        seats[thrower].best = max(seats[thrower].best, result.made)
        latest.rise(to: turn.stamp)
        winners = result.winners
        if !isOver { rotation.pass() }
        return nil
    }
}

/// What a visit of cricket comes to.
struct CricketResult: Hashable, Sendable {
    /// The marks of the player after it.
    var marks: CricketMarks
    /// How many marks were made, those among them that scored.
    var made = 0
    /// The numbers that it closed, by place.
    var closed: [Int] = []
    /// How often each number scored, by place.
    var scoring = CricketMarks()
    /// Who wins with it, by seat.
    var winners: [Int] = []
    /// What it adds to the total of the player.
    var gained = 0

    /// What it scored, whoever gets that.
    var points: Int { points { _ in true } }

    /// What it scored of the numbers of which something is true.
    func points(where counts: (Int) -> Bool) -> Int {
        CricketMarks.numbers.indices.reduce(0) { sum, place in
            sum + (counts(place) ? scoring[place] * CricketMarks.numbers[place] : 0)
        }
    }
}

/// How many marks there are of each number, 20 first and the bull last.
struct CricketMarks: Hashable, Sendable {
    /// The numbers that count, each as much as a mark of it can score.
    static let numbers = [20, 19, 18, 17, 16, 15, 25]
    /// How many marks close a number.
    static let most = 3

    private var counts = SIMD8<UInt8>()

    /// How many there are of the number at this place.
    subscript(place: Int) -> Int {
        get { Int(counts[place]) }
        set { counts[place] = UInt8(newValue) }
    }

    /// Whether the number at this place is closed.
    func isClosed(_ place: Int) -> Bool { self[place] == CricketMarks.most }

    /// Whether every number is closed.
    var areAllClosed: Bool { CricketMarks.numbers.indices.allSatisfy(isClosed) }

    /// How many there are of all numbers.
    var sum: Int { CricketMarks.numbers.indices.reduce(0) { $0 + self[$1] } }

    /// Where the number of a dart is; nil of one that does not count.
    static func place(of dart: Dart) -> Int? { numbers.firstIndex(of: dart.number) }

    /// What the number at this place is called: `20`, `bull`.
    static func name(_ place: Int) -> String {
        numbers[place] == 25 ? "bull" : "\(numbers[place])"
    }
}

/// One to three darts that a player threw in one turn of cricket.
///
/// It is stored as darts are: `T20 S19 MISS`.
struct CricketVisit: Hashable, Sendable {
    /// The darts.
    let darts: [Dart]

    /// The visit of the one spelling in which it is stored.
    init?(spelling: String) {
        guard case .darts(let darts) = DartsVisit(spelling: spelling) else { return nil }
        self.darts = darts
    }

    /// The visit that somebody types after `play`, and how many darts they say that it has.
    init(typed words: [String], darts said: String? = nil) throws(RuleViolation) {
        do throws(DartsRule) {
            darts = try DartsVisit.darts(typed: DartsVisit.words(in: words), said: said)
        } catch {
            switch error {
            case .nothingTyped: throw CricketRule.nothingTyped.violation
            case .notADart(let word): throw CricketRule.notADart(word).violation
            default: throw error.violation
            }
        }
    }
}

extension CricketVisit: CustomStringConvertible {
    var description: String { darts.map(\.description).joined(separator: " ") }
}
