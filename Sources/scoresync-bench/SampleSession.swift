import ScoreSheets
import SessionCRDT
import SyncProtocol

/// A session to measure: some players with a score in each round of the sheet `rounds`, or with
/// their visits of a match of darts.
struct SampleSession: Sendable {
    enum Game: String, Sendable {
        /// A number for each player in each round, written in any order.
        case rounds
        /// Visits, each of which depends on all before it.
        case darts
    }

    let id: SessionID
    let key: [UInt8]
    let game: Game
    let players: [PlayerID]
    let cellCount: Int
    /// The batch of a daemon that writes the session; not nil, because it has a title.
    private(set) var contents: Batch?

    private static let names = [
        "Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jan",
    ]

    init(cells: Int, of game: Game = .rounds, isFinished: Bool = false) {
        var generator = SystemRandomNumberGenerator()
        id = SessionID.random(using: &generator)
        key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let names = Self.names.prefix(game == .darts ? 4 : Self.names.count)
        players = names.map { _ in PlayerID.random(using: &generator) }
        self.game = game
        cellCount = cells
        var map = StagedMap(CausalMap())
        write(to: &map)
        if isFinished {
            var pen = Pen()
            pen.write([.finished(true)], to: &map)
        }
        contents = map.seal()
    }

    /// The name of the session in commands.
    var name: String { id.description }

    /// Returns the score with this running number: a new value in the next cell, or a visit.
    func score(_ number: Int) throws -> Scene.Score {
        switch game {
        case .rounds:
            // No cell has had this value before.
            let mark = "\(100_000 + number)"
            let index = number % cellCount
            let word = "round.\(index / players.count + 1)=\(mark)"
            let words = #","words":["\#(Self.names[index % players.count])","\#(word)"]"#
            let frame = try FrameSocket.call(number, "score", parameters(words))
            return Scene.Score(frame: frame, mark: mark)
        case .darts:
            // A visit without points never ends the leg; its mark is the number of its turn.
            let words = #","details":{},"words":["0"]"#
            let frame = try FrameSocket.call(number, "play", parameters(words))
            return Scene.Score(frame: frame, mark: "\(cellCount + number + 1)")
        }
    }

    func parameters(_ others: String = "") -> String { #"{"session":"\#(name)"\#(others)}"# }

    func write(to map: inout StagedMap) {
        var pen = Pen()
        let sheet = Symbol(known: game == .rounds ? "rounds" : "darts")
        pen.write([.title("Bench"), .game(sheet)], to: &map)
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

    /// Writes a number of scores, each into the next cell.
    func score(_ count: Int, with pen: inout Pen, in map: inout StagedMap) {
        for number in 0..<count {
            pen.write(Mutation.score(cell(number), value(number)), to: &map)
        }
    }

    /// Returns the cell of a number; after the last one follows the first.
    private func cell(_ number: Int) -> Cell {
        let index = number % cellCount
        let (player, round) =
            switch game {
            case .rounds: (index % players.count, index / players.count)
            // Another player starts each leg, of nine visits.
            case .darts: (index / 9 + index % 9, index)
            }
        let row = Symbol(known: game == .rounds ? "round" : "visit")
        return Cell(player: players[player % players.count], row: row, round: UInt32(round + 1))
    }

    private func value(_ number: Int) -> Value {
        switch game {
        case .rounds: return .integer(Int64.random(in: 0...50))
        case .darts:
            // The first player of each leg throws 180, 180 and 141.
            let visit = number % cellCount % 9
            return .text(visit == 8 ? "141" : visit % 4 == 0 ? "180" : "0")
        }
    }
}

/// Writes entries as a new device.
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

/// The entries of a session in memory, without a store.
struct LiveCells {
    private var entries: [Key: Entry] = [:]
    private(set) var count = 0
    /// The size of these entries.
    private(set) var bytes = 0

    private static let actor = ActorID(high: 0, low: 1)

    init(of sheet: Sheet, _ players: [PlayerID]) {
        write([.game(sheet.id)])
        for player in players { write(Mutation.add(player, name: "P\(player.low)")) }
    }

    /// The live sets as a daemon holds them, in a random order.
    var live: LiveSets {
        get throws {
            let stored = entries.map { KeyedEntry(key: $0.key, entry: $0.value) }
            let vector = VersionVector([LiveCells.actor: UInt64(count)])
            return try CausalMap(entries: stored, vector: vector).live
        }
    }

    mutating func write(_ mutations: [Mutation]) {
        for mutation in mutations {
            let entry = nextEntry(mutation.value)
            bytes += entry.canonicalCount(under: mutation.key)
            entries[mutation.key] = entry
        }
    }

    /// Makes the next entry, without writing it.
    mutating func nextEntry(_ value: Value) -> Entry {
        count += 1
        return Entry(
            dot: Dot(actor: LiveCells.actor, sequence: UInt64(count)),
            stamp: Stamp(bits: UInt64(count)),
            author: DeviceID(high: 0, low: 1),
            value: value
        )
    }
}
