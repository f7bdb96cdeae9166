package import SessionCRDT

/// The code that computes the standings of a game, and the register of all engines.
///
/// To add one, write its rules in a folder of their own and add a line to `allCases`.
package struct GameEngine: RawRepresentable, CaseIterable, Sendable {
    /// The name in a sheet: `darts`.
    package let rawValue: String
    package let rules: any GameRules.Type

    package static let allCases = [
        GameEngine("rows", RowRules.self),
        GameEngine("ghost", GhostRules.self),
        GameEngine("smashup", SmashUpRules.self),
        GameEngine("cricket", CricketRules.self),
        GameEngine("darts", DartsRules.self),
        GameEngine("reversi", ReversiRules.self),
        GameEngine("match", SportRules.self),
        GameEngine("bowling", BowlingRules.self),
        GameEngine("rubber", BridgeRules.self),
    ]

    /// The engine of games that their rows describe completely, without code of their own.
    package static let rows = allCases[0]

    /// The meaning of teams in a sheet that does not say it.
    var teams: TeamRule { rules.teamRules[0] }

    private init(_ name: String, _ rules: any GameRules.Type) {
        (rawValue, self.rules) = (name, rules)
    }

    package init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = known
    }
}

extension GameEngine: Hashable {
    package static func == (left: GameEngine, right: GameEngine) -> Bool {
        left.rawValue == right.rawValue
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// A row that a coded game reads, and the kind that its code expects.
package typealias CodedRow = (id: Symbol, kind: RowKind)

extension Sheet {
    /// The flaws of missing, wrong and additional rows in the sheet of a coded game.
    var codedRowFlaws: [SheetFlaw] {
        guard let needed = gameEngine.rules.codedRows else { return [] }
        let missing = needed.filter { fact in
            !rows.contains { $0.id == fact.id && $0.kind == fact.kind }
        }
        let known = needed.map(\.id)
        return missing.map { fact in
            let row = "a row \(fact.id) of kind \(fact.kind.rawValue)"
            return SheetFlaw(["rows"], "the engine \(gameEngine.rawValue) needs \(row)")
        }
            + rows.enumerated().compactMap { index, row in
                guard !known.contains(row.id) else {
                    let isAlways = "the engine \(gameEngine.rawValue) always needs the row"
                    return row.condition == nil
                        ? nil : SheetFlaw(path(ofRow: index) + ["when"], isAlways)
                }
                let reason =
                    "the engine \(gameEngine.rawValue) reads no other rows than \(known.list)"
                return SheetFlaw(path(ofRow: index) + ["id"], reason)
            }
    }
}
