import SessionCRDT

/// What is counted of a player's game for statistics.
enum BowlingTally {
    private static let strikes = Symbol(known: "strikes")
    private static let spares = Symbol(known: "spares")
    private static let openFrames = Symbol(known: "open-frames")

    /// What the frames of a game come to, by name.
    static func counts(of stand: BowlingStand) -> [Symbol: Int64] {
        func sum(_ count: (BowlingFrame) -> Int) -> Int64 {
            Int64(stand.frames.reduce(0) { $0 + count($1) })
        }
        return [
            strikes: sum(\.strikes), spares: sum(\.spares), openFrames: sum { $0.isOpen ? 1 : 0 },
        ]
    }

    /// What somebody's finished games come to.
    static func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
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
