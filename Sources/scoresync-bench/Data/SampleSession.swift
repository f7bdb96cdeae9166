import SessionCRDT
import SyncProtocol

/// A session for measuring: some players with a score in each round of the sheet `rounds`.
struct SampleSession: Sendable {
    /// The session.
    let id: SessionID
    /// Its key.
    let key: [UInt8]
    /// Its players.
    let players: [PlayerID]
    /// How many rounds each of them has played.
    let rounds: Int

    /// The names of the players, in their order.
    static let names = [
        "Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jan",
    ]
    private static let row = Symbol(known: "round")

    /// A session of so many cells, a multiple of the number of players.
    init(cells: Int) {
        var generator = SystemRandomNumberGenerator()
        id = SessionID.random(using: &generator)
        key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        players = Self.names.map { _ in PlayerID.random(using: &generator) }
        rounds = max(1, cells / Self.names.count)
    }

    /// What commands call it.
    var name: String { id.description }

    /// How many cells it has.
    var cellCount: Int { players.count * rounds }

    /// The cell with this number; numbers past the last begin anew.
    func cell(_ number: Int) -> Cell {
        Cell(
            player: players[number % players.count],
            row: Self.row,
            round: UInt32(number / players.count % rounds + 1)
        )
    }

    /// The command that scores in the cell with this number.
    func command(_ number: Int, value: Int) -> ScoreRequest {
        let round = number / players.count % rounds + 1
        let words = [Self.names[number % players.count], "round.\(round)=\(value)"]
        return ScoreRequest(session: name, words: words)
    }

    /// What a new home must store to hold the session: one batch that a daemon would have written.
    func contents() throws(BenchError) -> Batch {
        var map = StagedMap(CausalMap())
        write(to: &map)
        guard let batch = map.seal() else { throw BenchError("a session without content") }
        return batch
    }

    /// Writes the session into an empty map.
    func write(to map: inout StagedMap) {
        var pen = Pen()
        pen.write([.title("Bench"), .game(Symbol(known: "rounds"))], to: &map)
        for (player, name) in zip(players, Self.names) {
            pen.write(Mutation.add(player, name: name), to: &map)
        }
        score(cellCount, with: &pen, in: &map)
    }

    /// Writes so many scores, each into the next cell.
    func score(_ count: Int, with pen: inout Pen, in map: inout StagedMap) {
        for number in 0..<count {
            let value = Value.integer(Int64.random(in: 0...50))
            pen.write(Mutation.score(cell(number), value), to: &map)
        }
    }
}
