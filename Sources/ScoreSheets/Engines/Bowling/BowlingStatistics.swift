import SessionCRDT

/// The counts of a player in one game, and statistics over finished games.
enum BowlingStatistics {
    private static let strikes = Symbol(known: "strikes")
    private static let spares = Symbol(known: "spares")
    private static let openFrames = Symbol(known: "open-frames")

    /// The counts of one game, by name.
    static func tally(_ state: BowlingState) -> [Symbol: Int64] {
        func sum(_ count: (BowlingFrame) -> Int) -> Int64 {
            Int64(state.frames.reduce(0) { $0 + count($1) })
        }
        return [
            strikes: sum(\.strikes), spares: sum(\.spares), openFrames: sum { $0.isOpen ? 1 : 0 },
        ]
    }

    static func all(of outcomes: [PlayerOutcome]) -> [Statistic] {
        let pins = outcomes.reduce(Int128(0)) { $0 + Int128($1.total) }
        let average = outcomes.isEmpty ? nil : Statistic.quotient(pins, Int128(outcomes.count))
        let highest = outcomes.map(\.total).max()
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(outcomes.count(where: \.isWin))"),
            Statistic(Symbol(known: "average"), "Average", average),
            Statistic(Symbol(known: "high-game"), "High game", highest.map { "\($0)" }),
            Statistic(strikes, "Strikes", "\(outcomes.sum(of: strikes))"),
            Statistic(spares, "Spares", "\(outcomes.sum(of: spares))"),
            Statistic(openFrames, "Open frames", "\(outcomes.sum(of: openFrames))"),
        ]
    }
}
