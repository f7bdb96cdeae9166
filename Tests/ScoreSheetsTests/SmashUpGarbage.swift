import ScoreSheets
import SessionCRDT
import SyncTestKit

/// Entries that merges, later versions and hostile members could write into a book of Smash Up.
struct SmashUpGarbage {
    var generator: SeededGenerator
    private var plain: Garbage

    /// The garbage of a seed.
    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        plain = Garbage(seed: seed)
    }

    mutating func pieces() -> Garbage.Pieces {
        let pieces = plain.pieces()
        var cells: [Cell: LiveSet] = [:]
        for (cell, live) in pieces.cells { cells[cell] = live }
        // Legal ones among them, so that what is wrong stands beside a game that goes on.
        for turn in 1...UInt32(1 + below(12)) where below(8) > 0 {
            let count = UInt64(max(1, pieces.players.count))
            let mover = player(UInt64(turn - 1) % count + 1)
            let cell = Cell(player: mover, row: Symbol(known: "turn"), round: turn)
            let end = below(2) == 0 ? "end" : "end at 9 with \(player(1)) \(player(2))"
            cells[cell] = LiveSet(plain.entry(.text(below(9) == 0 ? "replay" : end)))
        }
        for _ in 0..<below(60) {
            cells[cell()] = LiveSet((0...below(3)).map { _ in plain.entry(value()) })
        }
        let options = ["faction.ninjas", "faction.aliens", "faction.none", "target"]
            .compactMap { Symbol($0) }.filter { _ in below(2) == 0 }
            .map { ($0, below(2) == 0 ? plain.value() : .boolean(true)) }
        return Garbage.Pieces(
            players: pieces.players,
            cells: cells.sorted { $0.key < $1.key },
            options: options,
            isFinished: pieces.isFinished
        )
    }

    mutating func cell() -> Cell {
        let rows: [StaticString] = ["points", "madness", "turn", "deal", "reveal", "birds"]
        let row = rows[below(rows.count)]
        let rounds: [UInt32?] = [
            nil, 0, 1, 2, 3, 999, 1000, 1001, 2000, 3123, 9000, 999_999, 1_000_000, .max,
        ]
        let isPlain = ["deal", "reveal"].contains(row.description) && below(4) > 0
        return Cell(
            player: player(UInt64(1 + below(5))),
            row: Symbol(known: row),
            round: isPlain ? nil : rounds[below(rounds.count)]
        )
    }

    mutating func value() -> Value {
        let (ann, bob) = (player(1), player(2))
        let texts = [
            "end", "replay", "", "\(ann):aliens+ninjas", "end at 1 with \(ann)",
            "\(ann):aliens+ninjas \(bob):robots+pirates",
            "\(ann):aliens+aliens", "\(ann):aliens", "\(ann):aliens+ninjas \(ann):robots+pirates",
            "\(ann):aliens+ninjas \(bob):robots+ninjas", ":", "\(ann):+", " \(ann):aliens+ninjas",
            "\(player(99)):aliens+ninjas", String(repeating: ":+ ", count: 1000),
        ]
        switch below(4) {
        case 0: return plain.value()
        case 1: return .integer(Int64(below(12)))
        default: return .text(texts[below(texts.count)])
        }
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }
}
