/// What darts tell: of a visit that was just entered, and below the table.
package enum DartsNote: Hashable, Sendable {
    /// A visit scored, and leaves so many; who `needsIn` has yet to begin with a double.
    case scored(player: String, points: Int, left: Int, needsIn: Bool)
    /// A visit was bust.
    case bust(player: String, left: Int)
    /// A total that would have ended the leg, and no darts do.
    case noFinish(Int, darts: Int, out: DartsOut)
    /// A total that ended the leg could have taken fewer darts than are counted.
    case fewerDarts([Int])
    /// A leg was won, which is called `leg 2`.
    case leg(String, winner: String, darts: Int, checkout: Int)
    /// The match was won, with what everybody won of it, the winner first.
    case match(inSets: Bool, won: [Won])
    /// Who throws, with what is left and how that can be finished with one visit.
    case turn(player: String, left: Int, finish: Finish)

    /// How many sets or legs a player won.
    package struct Won: Hashable, Sendable {
        /// The player.
        package let player: String
        /// How many.
        package let count: Int

        /// So many of a player.
        package init(_ player: String, _ count: Int) {
            self.player = player
            self.count = count
        }
    }

    /// How somebody can finish.
    package enum Finish: Hashable, Sendable {
        /// Not with one visit.
        case none
        /// Not before a double.
        case afterDouble
        /// With these darts.
        case route([Dart])
    }
}

extension DartsNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scored(let player, let points, let left, let needsIn):
            "\(player): \(points), \(left) left"
                + (needsIn ? ", still needs a double to begin" : "")
        case .bust(let player, let left): "bust: \(player) stays at \(left)"
        case .noFinish(let total, let darts, let out):
            "\(total) cannot be finished with \(DartsRule.darts(darts)) (\(out.rawValue) out)"
        case .fewerDarts(let counts):
            "counted as three darts; if it took fewer, undo and add --darts "
                + counts.map(String.init).joined(separator: " or ")
        case .leg(let leg, let winner, let darts, let checkout):
            "\(winner) won \(leg) with \(darts) \(darts == 1 ? "dart" : "darts"), \(checkout) out"
        case .match(let inSets, let won):
            "\(won.first?.player ?? "nobody") won the match; \(inSets ? "sets" : "legs"): "
                + won.map { "\($0.player) \($0.count)" }.joined(separator: ", ")
        case .turn(let player, let left, let finish):
            "\(player) to throw, \(left) left" + DartsNote.words(finish)
        }
    }

    private static func words(_ finish: Finish) -> String {
        switch finish {
        case .none: ""
        case .afterDouble: ", needs a double to begin"
        case .route(let darts): ": " + darts.map(\.words).joined(separator: " ")
        }
    }
}
