import SessionCRDT
import SyncProtocol

/// A session for measuring: some players with a score in each round of the sheet `rounds`, or with
/// their visits of a match of darts.
struct SampleSession: Sendable {
    /// What is played.
    enum Game: String, Sendable {
        /// A number for each player in each round; any may be written at any time.
        case rounds
        /// Visits one after the other, of which each counts by all before it.
        case darts

        /// The sheet by which it is played.
        var sheet: Symbol {
            switch self {
            case .rounds: Symbol(known: "rounds")
            case .darts: Symbol(known: "darts")
            }
        }
    }

    /// The session.
    let id: SessionID
    /// Its key.
    let key: [UInt8]
    /// Its game.
    let game: Game
    /// Its players.
    let players: [PlayerID]
    /// How many cells it has.
    let cellCount: Int

    /// The names of the players, in their order.
    static let names = [
        "Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jan",
    ]

    /// A session of so many cells.
    init(cells: Int, of game: Game = .rounds) {
        var generator = SystemRandomNumberGenerator()
        id = SessionID.random(using: &generator)
        key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let names = Self.names.prefix(game == .darts ? 4 : Self.names.count)
        players = names.map { _ in PlayerID.random(using: &generator) }
        self.game = game
        cellCount = cells
    }

    /// What commands call it.
    var name: String { id.description }

    // MARK: What is typed

    /// The n-th score that somebody types: a new number in the next cell, or the next visit.
    func score(_ number: Int) -> Scene.Score {
        switch game {
        case .rounds:
            // No cell has had this value yet.
            let mark = "\(100_000 + number)"
            let place = number % cellCount
            let word = "round.\(place / players.count + 1)=\(mark)"
            let words = #","words":["\#(Self.names[place % players.count])","\#(word)"]"#
            let frame = FrameSocket.call(number, "score", parameters(words))
            return Scene.Score(frame: frame, mark: mark)
        case .darts:
            // Nothing hit, so that the leg goes on; known by its turn, which is in its cell.
            let words = #","details":{},"words":["0"]"#
            let frame = FrameSocket.call(number, "play", parameters(words))
            return Scene.Score(frame: frame, mark: "\(cellCount + number + 1)")
        }
    }

    /// The parameters of a call about the session.
    func parameters(_ others: String = "") -> String { #"{"session":"\#(name)"\#(others)}"# }

    // MARK: What is stored

    /// What a new home must store to hold the session: one batch that a daemon would have written.
    func contents(isFinished: Bool = false) throws(BenchError) -> Batch {
        var map = StagedMap(CausalMap())
        write(to: &map)
        if isFinished {
            var pen = Pen()
            pen.write([.finished(true)], to: &map)
        }
        guard let batch = map.seal() else { throw BenchError("a session without content") }
        return batch
    }

    /// Writes the session into an empty map.
    func write(to map: inout StagedMap) {
        var pen = Pen()
        pen.write([.title("Bench"), .game(game.sheet)], to: &map)
        for (player, name) in zip(players, Self.names) {
            pen.write(Mutation.add(player, name: name), to: &map)
        }
        if game == .darts {
            pen.write([.seats(players)], to: &map)
            if let legs = Field.option(Symbol(known: "legs")) {
                pen.write([Mutation(.session(legs), .integer(999))], to: &map)
            }
        }
        score(cellCount, with: &pen, in: &map)
    }

    /// Writes so many scores, each into the next cell.
    func score(_ count: Int, with pen: inout Pen, in map: inout StagedMap) {
        for number in 0..<count {
            pen.write(Mutation.score(cell(number), value(number)), to: &map)
        }
    }

    /// The cell with this number; numbers past the last begin anew.
    private func cell(_ number: Int) -> Cell {
        let place = number % cellCount
        switch game {
        case .rounds:
            return Cell(
                player: players[place % players.count],
                row: Symbol(known: "round"),
                round: UInt32(place / players.count + 1)
            )
        case .darts:
            let (leg, visit) = place.quotientAndRemainder(dividingBy: 9)
            return Cell(
                player: players[(leg + visit) % players.count],
                row: Symbol(known: "visit"),
                round: UInt32(place + 1)
            )
        }
    }

    private func value(_ number: Int) -> Value {
        switch game {
        case .rounds: return .integer(Int64.random(in: 0...50))
        case .darts:
            // Legs in which whoever begins throws 180, 180 and 141.
            let visit = number % cellCount % 9
            return .text(visit == 8 ? "141" : visit % 4 == 0 ? "180" : "0")
        }
    }
}

/// Writes entries as a device does that nobody else knows yet.
struct Pen {
    private let device: DeviceID
    private let actor: ActorID
    private var clock = HybridClock()
    private var sequence: UInt64 = 0

    init() {
        var generator = SystemRandomNumberGenerator()
        device = DeviceID.random(using: &generator)
        actor = ActorID.random(using: &generator)
    }

    /// Makes the mutations one commit.
    mutating func write(_ mutations: [Mutation], to map: inout StagedMap) {
        let stamp = clock.tick(physical: Stage.wall)
        for mutation in mutations {
            sequence += 1
            let entry = Entry(
                dot: Dot(actor: actor, sequence: sequence),
                stamp: stamp,
                author: device,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
    }
}
