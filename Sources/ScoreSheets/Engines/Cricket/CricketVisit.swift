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
