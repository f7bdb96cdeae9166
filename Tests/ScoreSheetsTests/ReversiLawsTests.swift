import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The laws of Reversi, on random books")
struct ReversiLawsTests {
    /// A game with some of its moves spoilt, and what else could stand in a book.
    private struct Spoilt {
        var generator: SeededGenerator
        var players: [Player] = []
        var cells: [(Cell, LiveSet)] = []
        private var writes: UInt64 = 0

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            let count = [2, 2, 2, 2, 0, 1, 3, 5][below(8)]
            for number in 0..<UInt64(count) {
                players.append(
                    Player(id: player(number + 1), name: "P\(number)", isPresent: below(9) > 0)
                )
            }
            var live: [Cell: LiveSet] = [:]
            game(into: &live)
            for _ in 0..<[0, 1, 3, 40][below(4)] {
                let cell = cell()
                let entries = (0...below(2)).map { _ in entry(value()) }
                live[cell] = LiveSet(entries)
            }
            cells = live.sorted { $0.key < $1.key }
        }

        /// A random legal game of the first two who are present.
        private mutating func game(into live: inout [Cell: LiveSet]) {
            let seats = players.filter(\.isPresent).map(\.id)
            guard seats.count >= 2 else { return }
            var board = ReversiArray()
            var turn: UInt32 = 0
            let length = below(70)
            while !board.isOver, turn < length,
                let index = board.moves.randomElement(using: &generator)
            {
                turn += 1
                let seat = seats[board.mover == "x" ? 0 : 1]
                let cell = Cell(player: seat, row: Symbol(known: "move"), round: turn)
                live[cell] = LiveSet(entry(.text(ReversiSquare(index: index).description)))
                _ = board.play(index)
            }
        }

        mutating func cell() -> Cell {
            let rounds: [UInt32?] = [nil, 0, 61, 999_999, 1_000_001, .max]
            let row: StaticString = below(9) == 0 ? "points" : "move"
            let round = below(3) == 0 ? rounds[below(rounds.count)] : UInt32(1 + below(60))
            let number = UInt64(1 + below(6))
            return Cell(player: player(number), row: Symbol(known: row), round: round)
        }

        mutating func value() -> Value {
            let values: [Value] = [
                .null, .boolean(true), .integer(.max), .integer(.min), .integer(3), .text(""),
                .text("d3c4"), .text("é\u{0}"), .text("d9"), .text("PASS"),
                .foreign(kind: ExactText("float"), text: ExactText("1.5")),
            ]
            let place = below(2 * values.count)
            return place < values.count
                ? values[place] : .text(ReversiSquare(index: below(64)).description)
        }

        mutating func entry(_ value: Value) -> Entry {
            writes += 1
            return Entry(
                dot: Dot(actor: ActorID(high: 0, low: writes), sequence: 1),
                stamp: Stamp(bits: UInt64(below(3))),
                author: DeviceID(high: 0, low: 1),
                value: value
            )
        }

        func book(_ cells: [(Cell, LiveSet)]) -> Book {
            var live: [Cell: LiveSet] = [:]
            for (cell, entries) in cells { live[cell] = entries }
            return Book(players: players, cells: live)
        }

        mutating func below(_ bound: Int) -> Int {
            Int.random(in: 0..<bound, using: &generator)
        }
    }

    private static let seeds = Seeds.below(100)

    @Test(
        "every book has standings in whatever order it came, and they keep the laws",
        arguments: seeds
    )
    func laws(seed: UInt64) throws {
        var spoilt = Spoilt(seed: seed)
        let rules = try builtIn("reversi").rules
        let book = spoilt.book(spoilt.cells)
        let standings = rules.standings(of: book)
        #expect(
            standings
                == rules.standings(
                    of: spoilt.book(
                        spoilt.cells.shuffled(
                            using: &spoilt.generator
                        )
                    )
                )
        )
        for flag in standings.flags { #expect(!flag.words(in: book).isEmpty) }

        let counted = standings.players.flatMap(\.cells).filter { $0.points == 0 }
            .map(\.bookCell).sorted { ($0.cell.round ?? 0) < ($1.cell.round ?? 0) }
        for cell in standings.players.flatMap(\.cells) where cell.points == nil {
            let isFlagged = standings.flags.contains { $0.subject == .cell(cell.bookCell.cell) }
            #expect(isFlagged == (cell.bookCell.value != .null))
        }
        // The moves that count are a legal game, turn by turn.
        let seats = book.players.filter(\.isPresent)
        var board = ReversiArray()
        for (index, entry) in counted.enumerated() {
            #expect(entry.cell.round == UInt32(index + 1))
            #expect(entry.cell.player == seats[board.mover == "x" ? 0 : 1].id)
            let square = try #require(ReversiSquare(entry.value.string ?? ""))
            #expect(board.moves.contains(square.index))
            _ = board.play(square.index)
        }
        guard seats.count >= 2 else { return }
        #expect(standings.isFinished == board.isOver)
        #expect(standings.turn == (board.isOver ? nil : seats[board.mover == "x" ? 0 : 1].id))
        let totals = ["x", "o"].map { Points(Int64(board.count(Character($0)))) }
        #expect(standings.players.prefix(2).map(\.total) == totals)
    }

    @Test("a legal entry counts, and an illegal one is flagged", arguments: seeds)
    func checked(seed: UInt64) throws {
        var spoilt = Spoilt(seed: seed)
        let rules = try builtIn("reversi").rules
        guard spoilt.players.count(where: \.isPresent) == 2 else { return }
        for _ in 0..<5 {
            let (cell, value) = (spoilt.cell(), spoilt.value())
            let book = spoilt.book(spoilt.cells)
            let isLegal = (try? rules.check(Score(cell, value), in: book)) != nil
            let after = spoilt.book(
                spoilt.cells.filter { $0.0 != cell } + [(cell, LiveSet(spoilt.entry(value)))]
            )
            let isStranger = book.player(cell.player) == nil
            let isFlagged = rules.standings(of: after).flags.contains { flag in
                if flag.reason.code == .strays { isStranger } else { flag.subject == .cell(cell) }
            }
            if value != .null { #expect(isLegal != isFlagged, "\(cell) \(value)") }
        }
    }

    @Test("an accepted move counts on any book", arguments: seeds)
    func played(seed: UInt64) throws {
        var spoilt = Spoilt(seed: seed)
        let rules = try builtIn("reversi").rules
        let book = spoilt.book(spoilt.cells)
        for case .board(let board) in rules.game(of: book).panels {
            guard let square = board.legal.randomElement(using: &spoilt.generator) else { return }
            var aids = MoveContext(random: spoilt.generator)
            guard let played = try? rules.play(Move([square]), in: book, with: &aids) else {
                #expect(book.players.count(where: \.isPresent) > 2)
                return
            }
            let score = try #require(played.writes.first)
            let rest = spoilt.cells.filter { $0.0 != score.cell }
            let after = spoilt.book(rest + [(score.cell, LiveSet(spoilt.entry(score.value)))])
            let cells = rules.standings(of: after).players.flatMap(\.cells)
            #expect(cells.contains { $0.bookCell.cell == score.cell && $0.points == 0 })
        }
    }
}
