import SessionCRDT

/// What is counted of one player in one leg.
struct DartsTally: Hashable {
    /// Darts thrown, those of busts too.
    private(set) var darts = 0
    /// Points taken off; a bust takes off none.
    private(set) var points = 0
    private(set) var visits = 0
    private var busts = 0
    private var maximums = 0
    private var highTons = 0
    private var tons = 0
    private var highestVisit = 0
    private var firstNineDarts = 0
    private var firstNinePoints = 0
    /// What the winning visit took out.
    private(set) var checkout = 0
    private var chances = 0
    private var hits = 0

    /// Adds a visit.
    mutating func add(_ result: DartsResult) {
        darts += result.darts
        points += result.scored
        visits += 1
        highestVisit = max(highestVisit, result.scored)
        switch result.scored {
        case 180: maximums += 1
        case 140..<180: highTons += 1
        case 100..<140: tons += 1
        default: break
        }
        if visits <= 3 {
            firstNineDarts += result.darts
            firstNinePoints += result.scored
        }
        if let known = result.chances {
            chances += known
            if result.end == .finish { hits += 1 }
        }
        switch result.end {
        case .open: break
        case .bust: busts += 1
        case .finish: checkout = result.scored
        }
    }

    /// What is not zero, by name.
    var counts: [Symbol: Int64] {
        let all: [(Symbol, Int)] = [
            (DartsTally.dartsName, darts), (DartsTally.pointsName, points),
            (DartsTally.visitsName, visits), (DartsTally.bustsName, busts),
            (DartsTally.maximumsName, maximums), (DartsTally.highTonsName, highTons),
            (DartsTally.tonsName, tons), (DartsTally.highestName, highestVisit),
            (DartsTally.nineDartsName, firstNineDarts),
            (DartsTally.ninePointsName, firstNinePoints),
            (DartsTally.checkoutName, checkout), (DartsTally.chancesName, chances),
            (DartsTally.hitsName, hits),
        ]
        var counts: [Symbol: Int64] = [:]
        counts.reserveCapacity(all.count)
        for (name, count) in all where count != 0 { counts[name] = Int64(count) }
        return counts
    }
}

extension DartsTally {
    static let dartsName = Symbol(known: "darts")
    static let pointsName = Symbol(known: "points")
    static let visitsName = Symbol(known: "visits")
    static let bustsName = Symbol(known: "busts")
    /// Visits of 180.
    static let maximumsName = Symbol(known: "180s")
    /// Visits of 140 to 179.
    static let highTonsName = Symbol(known: "140s")
    /// Visits of 100 to 139.
    static let tonsName = Symbol(known: "100s")
    static let highestName = Symbol(known: "highest-visit")
    /// Darts of the first three visits.
    static let nineDartsName = Symbol(known: "first-nine-darts")
    /// Points of the first three visits.
    static let ninePointsName = Symbol(known: "first-nine-points")
    static let checkoutName = Symbol(known: "checkout")
    /// Darts thrown while one could have finished, of visits entered dart by dart.
    static let chancesName = Symbol(known: "out-darts")
    /// Those of them that did finish.
    static let hitsName = Symbol(known: "outs-hit")
}
