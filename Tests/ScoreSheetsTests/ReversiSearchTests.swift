import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The computer player of Reversi")
struct ReversiSearchTests {
    /// A position of a random game with so many empty squares, in which there is a choice.
    private func position(empty: Int, seed: UInt64) throws -> ReversiPosition {
        var generator = SeededGenerator(seed: seed)
        while true {
            var board = ReversiArray()
            while board.count(".") > empty, !board.isOver {
                _ = board.play(try #require(board.moves.randomElement(using: &generator)))
            }
            if board.count(".") == empty, board.moves.count > 1 { return board.position }
        }
    }

    /// The best result in discs, empty squares to the winner, by playing every game to its end.
    private func result(of position: ReversiPosition) -> Int {
        guard position.moves != 0 else {
            if position.passed.moves != 0 { return -result(of: position.passed) }
            let difference = position.own.nonzeroBitCount - position.other.nonzeroBitCount
            return difference + difference.signum() * position.empty.nonzeroBitCount
        }
        return ReversiSquare.all(of: position.moves)
            .map { -result(of: after($0, in: position)) }.max() ?? 0
    }

    private func after(_ square: ReversiSquare, in position: ReversiPosition) -> ReversiPosition {
        position.playing(at: square.index)
    }

    @Test(
        "near the end it finds the exact result, as playing every game out does",
        arguments: [
            (3, 20), (5, 12), (7, 8), (8, 6), (9, 2),
        ]
    )
    func exact(empty: Int, count: UInt64) throws {
        for seed in 0..<count {
            let position = try position(empty: empty, seed: seed)
            let expected = result(of: position)
            var search = ReversiSearch(depth: 5)
            let found = search.search(position)
            let choice = try #require(found)
            #expect(choice.value == expected * 100 + expected.signum() * 10_000, "seed \(seed)")
            #expect(-result(of: after(choice.square, in: position)) == expected, "seed \(seed)")
        }
    }

    @Test("the plain board and the bitboards agree about results", arguments: Seeds.below(6))
    func plain(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var board = ReversiArray()
        while board.count(".") > 4, !board.isOver {
            _ = board.play(try #require(board.moves.randomElement(using: &generator)))
        }
        #expect(board.result == result(of: board.position), "seed \(seed)")
    }

    @Test("it never makes an illegal move at any depth", arguments: Seeds.below(20))
    func legal(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var board = ReversiArray()
        while !board.isOver {
            let depth = [Int.min, 0, 1, 2, 99, .max].randomElement(using: &generator) ?? 1
            var search = ReversiSearch(depth: depth, maxNodes: 300)
            let found = search.move(in: board.position)
            let square = try #require(found)
            #expect(board.moves.contains(square.index), "seed \(seed)")
            _ = board.play(try #require(board.moves.randomElement(using: &generator)))
        }
        var search = ReversiSearch(depth: 3)
        let (move, choice) = (search.move(in: board.position), search.search(board.position))
        #expect(move == nil && choice == nil)
    }

    @Test("the same position and depth give the same move, and a search can be used again")
    func same() throws {
        for seed in 0..<UInt64(5) {
            let position = try position(empty: 30, seed: seed)
            var one = ReversiSearch(depth: 4)
            var other = ReversiSearch(depth: 4)
            _ = other.search(.start)
            let (choice, again) = (one.search(position), other.search(position))
            #expect(choice != nil && choice == again)
            #expect(one.nodes == other.nodes)
        }
    }

    @Test("the number of positions bounds a search, which then returns the best move so far")
    func bounded() throws {
        for seed in 0..<UInt64(5) {
            let position = try position(empty: 40, seed: seed)
            var search = ReversiSearch(depth: 20, maxNodes: 2000)
            let found = search.move(in: position)
            let square = try #require(found)
            #expect(position.moves & square.bit != 0)
            // The last position that is not a leaf is looked through to its leaves.
            #expect((2000..<2100).contains(search.nodes))
        }
        #expect(ReversiSearch.maxNodes == 3_000_000 && ReversiSearch.depths == 1...20)
    }

    @Test("it beats a random player, as black and as white")
    func strong() throws {
        var generator = SeededGenerator(seed: 8)
        var results: [Int] = []
        for number in 0..<20 {
            var board = ReversiArray()
            let mark: Character = number.isMultiple(of: 2) ? "x" : "o"
            while !board.isOver {
                var index = try #require(board.moves.randomElement(using: &generator))
                if board.mover == mark {
                    var search = ReversiSearch(depth: 2)
                    let found = search.move(in: board.position)
                    index = try #require(found).index
                }
                _ = board.play(index)
            }
            results.append(board.count(mark) - board.count(mark == "x" ? "o" : "x"))
        }
        #expect(results.count { $0 > 0 } >= 19, "seed 8: \(results)")
        #expect(results.reduce(0, +) > 20 * 20, "seed 8: \(results)")
    }

    @Test("it takes a free corner, and a win")
    func tactics() throws {
        // Black can take a1 over b1 at once, or turn discs in the middle.
        let position = ReversiPosition(
            own: 1 << 2 | 1 << 28 | 1 << 35 | 1 << 20,
            other: 1 << 1 | 1 << 27 | 1 << 36
        )
        var search = ReversiSearch(depth: 3)
        let found = search.move(in: position)
        #expect(found?.description == "a1")
    }

    @Test("it moves for the player to move, and for no one once the game is over")
    func suggestion() throws {
        var board = try ReversiMatch()
        var count = 0
        while let move = board.rules.suggestion(in: board.table.book, depth: 1) {
            #expect(move.player == board.standings.turn)
            #expect(move == board.rules.suggestion(in: board.table.book, depth: 1))
            for score in try board.played(move.words, by: move.player == player(1) ? 1 : 2).writes {
                board.write(score)
            }
            count += 1
            try #require(count <= 60)
        }
        #expect(board.standings.isFinished && board.standings.flags.isEmpty)
        board.table = Table("Ann")
        #expect(board.rules.suggestion(in: board.table.book, depth: 5) == nil)
    }

    @Test("it does not move while there are more players than sides")
    func crowd() throws {
        var match = try ReversiMatch()
        #expect(match.rules.suggestion(in: match.table.book, depth: 1) != nil)
        match.table.players.append(Player(id: player(3), name: "Cem"))
        #expect(match.rules.suggestion(in: match.table.book, depth: 1) == nil)
        #expect(throws: RuleViolation.self) { try match.played(["d3"]) }
    }
}
