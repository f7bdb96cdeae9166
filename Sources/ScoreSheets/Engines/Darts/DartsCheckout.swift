/// The route to zero that players are told.
///
/// One valid route for every score that can be finished, with as few darts as possible; among those
/// the one with the common triples and doubles, which all are costs here: the cheapest route is
/// told, and of equals the one that aims higher first. So every device tells the same.
package enum DartsCheckout {
    /// The route for what is left with so many darts in hand; nil where there is none.
    package static func route(for left: Int, darts: Int, out: DartsOut) -> [Dart]? {
        let table =
            switch out {
            case .straight: straight
            case .double: double
            case .master: master
            }
        guard table.indices.contains(left), let route = table[left], route.count <= darts else {
            return nil
        }
        return route
    }

    private static let straight = table(.straight)
    private static let double = table(.double)
    private static let master = table(.master)

    private struct Route {
        let darts: [Dart]
        let cost: Int
    }

    /// The shortest route of every score.
    private static func table(_ out: DartsOut) -> [[Dart]?] {
        var routes = [Route?](repeating: nil, count: DartsTotals.highest + 1)
        for dart in Dart.scoring where out.allows(dart) {
            improve(&routes[dart.points], Route(darts: [dart], cost: costAtEnd(of: dart)))
        }
        for _ in 1..<DartsVisit.most {
            let shorter = routes
            for left in routes.indices where shorter[left] == nil {
                for dart in Dart.scoring where dart.points < left {
                    guard let rest = shorter[left - dart.points] else { continue }
                    let cost = costOnTheWay(of: dart) + rest.cost
                    improve(&routes[left], Route(darts: [dart] + rest.darts, cost: cost))
                }
            }
        }
        return routes.map { $0?.darts }
    }

    private static func improve(_ best: inout Route?, _ route: Route) {
        if let known = best, known.cost <= route.cost { return }
        best = route
    }

    /// How unlike it is that somebody aims at this for the last dart.
    private static func costAtEnd(of dart: Dart) -> Int {
        switch dart.ring {
        case .miss: 0
        case .single: dart.number == 25 ? costOnTheWay(of: dart) : 0
        case .triple: 1 + costOnTheWay(of: dart)
        case .double:
            switch dart.number {
            case 20: 0
            case 16: 1
            case 8, 10: 2
            case 12, 18: 3
            case 4, 14: 4
            case 19: 5
            case 15, 17: 6
            case 6, 9, 11, 13: 7
            case 2, 5, 7: 8
            case 3, 25: 9
            default: 10
            }
        }
    }

    /// How unlike it is that somebody aims at this to leave something.
    private static func costOnTheWay(of dart: Dart) -> Int {
        switch dart.ring {
        case .miss, .single:
            switch dart.number {
            case 25: 8
            case ...5: 3
            case 6...8: 2
            default: 1
            }
        case .double: dart.number == 25 ? 6 : 12
        case .triple:
            switch dart.number {
            case 17...20: 20 - dart.number
            case 16: 3
            case 14, 15: 5
            case 10, 13: 6
            case 11, 12: 7
            default: 9
            }
        }
    }
}
