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
