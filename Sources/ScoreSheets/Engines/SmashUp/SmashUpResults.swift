/// How the games ended that others followed.
struct SmashUpResults {
    /// Those that somebody won, as statistics count them.
    private(set) var outcomes: [Outcome] = []
    /// The numbers of those that were won with too few players to count.
    private(set) var flawed: [Int] = []
    /// The numbers of the games of the outcomes.
    private var numbers: [Int] = []

    /// Takes in how a game ended; one that was given up ended without a winner and is none of them.
    mutating func add(_ game: SmashUpGame, at table: SmashUpTable) {
        guard game.isOver else { return }
        guard table.isValid(game) else {
            flawed.append(game.number)
            return
        }
        numbers.append(game.number)
        outcomes.append(table.outcome(of: game, as: numbers.count))
    }

    /// Forgets the games from a number on.
    mutating func remove(from number: Int) {
        while let last = flawed.last, last >= number { flawed.removeLast() }
        while let last = numbers.last, last >= number {
            numbers.removeLast()
            outcomes.removeLast()
        }
    }
}
