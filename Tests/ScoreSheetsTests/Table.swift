import ScoreSheets
import SessionCRDT
import SyncTestKit

/// The player of a small number; ids order as the numbers do.
func player(_ number: UInt64) -> PlayerID { PlayerID(high: 0, low: number) }

/// A sheet that the program has.
func builtIn(_ id: StaticString) throws -> Sheet {
    try SheetLibrary.builtIn.sheet(named: id.description)
}

/// A table at which people sit and write: how tests make books.
struct Table {
    var players: [Player] = []
    var cells: [Cell: LiveSet] = [:]
    var options: [Symbol: Value] = [:]
    var isFinished = false
    private var writes: UInt64 = 0

    /// A table with these people, by number from 1.
    init(_ names: String...) { self.init(names) }

    init(_ names: [String]) {
        for (index, name) in names.enumerated() {
            players.append(Player(id: player(UInt64(index + 1)), name: name))
        }
    }

    var book: Book {
        Book(players: players, cells: cells, options: options, isFinished: isFinished)
    }

    /// The cell of a player by number.
    func cell(_ number: UInt64, _ row: StaticString, _ round: UInt32? = nil) -> Cell {
        Cell(player: player(number), row: Symbol(known: row), round: round)
    }

    /// Writes over whatever is live in the cell.
    mutating func write(
        _ number: UInt64,
        _ row: StaticString,
        _ round: UInt32? = nil,
        to value: Value
    ) {
        write(cell(number, row, round), to: value)
    }

    /// Writes over whatever is live in the cell.
    mutating func write(_ cell: Cell, to value: Value) {
        cells[cell] = LiveSet(entry(value))
    }

    /// Writes points.
    mutating func points(_ number: UInt64, _ points: Int64) {
        write(number, "points", to: .integer(points))
    }

    /// Writes rounds from the first.
    mutating func rounds(_ number: UInt64, _ points: Int64...) {
        for (index, points) in points.enumerated() {
            write(number, "round", UInt32(index + 1), to: .integer(points))
        }
    }

    /// Writes values that did not know of each other; the last one wins.
    mutating func conflict(
        _ number: UInt64,
        _ row: StaticString,
        _ round: UInt32? = nil,
        to values: Value...
    ) {
        cells[cell(number, row, round)] = LiveSet(values.map { entry($0) })
    }

    mutating func remove(_ number: UInt64) {
        players = players.map { seated in
            seated.id == player(number)
                ? Player(id: seated.id, name: seated.name, isPresent: false) : seated
        }
    }

    private mutating func entry(_ value: Value) -> Entry {
        writes += 1
        return Entry(
            dot: Dot(actor: ActorID(high: 1, low: writes), sequence: 1),
            stamp: Stamp(bits: writes),
            author: DeviceID(high: 2, low: 0),
            value: value
        )
    }
}

/// A standing in one line: name, total, rank or a dash.
func lines(_ standings: Standings) -> [String] {
    standings.players.map { line in
        "\(line.player.name) \(line.total) \(line.rank.map(String.init) ?? "-")"
    }
}

/// The text of the error that an expression throws.
func refusal(_ body: () throws(RuleViolation) -> Void) -> String? {
    do throws(RuleViolation) { try body() } catch { return "\(error)" }
    return nil
}
