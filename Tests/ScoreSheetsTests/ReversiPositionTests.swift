import ScoreSheets
import SyncTestKit
import Testing

@Suite("The bitboards of Reversi")
struct ReversiPositionTests {
    @Test("the start is d4 e5 white, e4 d5 black, and black may play c4 d3 e6 f5")
    func start() throws {
        let start = ReversiPosition.start
        #expect(start == ReversiArray().position)
        let moves = ReversiSquare.all(of: start.moves).map(\.description)
        #expect(moves == ["d3", "c4", "f5", "e6"])
    }

    @Test(
        "the moves from the start are as many as published",
        arguments: [
            (1, 4), (2, 12), (3, 56), (4, 244), (5, 1396),
        ]
    )
    func perft(depth: Int, count: Int) {
        #expect(ReversiPosition.start.perft(depth) == count)
    }

    @Test("a pass counts as a move in perft, and after the end there is one line")
    func passes() throws {
        // White on b1 and black on a1: only black can move, to c1, and then all is over.
        let (a1, b1) = (UInt64(1), UInt64(2))
        let waiting = ReversiPosition(own: b1, other: a1)
        #expect(waiting.moves == 0 && !waiting.isOver)
        #expect(waiting.perft(1) == 1)
        #expect(waiting.perft(2) == 1)
        #expect(waiting.passed.moves == 4)
        #expect(waiting.passed.playing(at: 2).isOver)
    }

    @Test("every square has a name, and no other text is one")
    func names() {
        for index in 0..<64 {
            let square = ReversiSquare(index: index)
            #expect(ReversiSquare(square.description) == square)
            #expect(ReversiSquare(square.description.uppercased()) == square)
        }
        let strangers = [
            "", "a", "a0", "a9", "i1", "1a", "a1 ", "aa1", "á1", "A\u{31}\u{301}", "!1",
        ]
        for name in strangers { #expect(ReversiSquare(name) == nil, "\(name)") }
    }

    @Test(
        "they agree with a plain board in every position of random games",
        arguments: Seeds.below(60)
    )
    func plain(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var board = ReversiArray()
        var position = ReversiPosition.start
        while !board.isOver {
            try #require(position == board.position, "seed \(seed)")
            #expect(ReversiSquare.all(of: position.moves).map(\.index) == board.moves)
            for index in 0..<64 where board.squares[index] == "." {
                let flips = ReversiSquare.all(of: position.flips(at: index)).map(\.index)
                #expect(flips == board.turned(at: index, by: board.mover).sorted())
            }
            let index = try #require(board.moves.randomElement(using: &generator))
            position = position.playing(at: index)
            if board.play(index) {
                #expect(position.moves == 0)
                position = position.passed
            }
        }
        #expect(position.isOver)
    }
}
