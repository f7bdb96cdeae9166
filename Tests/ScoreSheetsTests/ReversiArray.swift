import ScoreSheets

/// Reversi square by square and step by step, as slow and plain as can be: what the bitboards are
/// compared with.
struct ReversiArray: Hashable {
    /// `x` black, `o` white, `.` nothing; from a1 over b1.
    var squares: [Character]
    var mover: Character = "x"

    init() {
        squares = Array(repeating: ".", count: 64)
        squares[27] = "o"
        squares[36] = "o"
        squares[28] = "x"
        squares[35] = "x"
    }

    private static func other(_ mark: Character) -> Character { mark == "x" ? "o" : "x" }

    func turned(at index: Int, by mark: Character) -> [Int] {
        guard squares[index] == "." else { return [] }
        var turned: [Int] = []
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
        {
            var (row, column) = (index / 8 + down, index % 8 + right)
            var line: [Int] = []
            while (0..<8).contains(row), (0..<8).contains(column),
                squares[row * 8 + column] == Self.other(mark)
            {
                line.append(row * 8 + column)
                (row, column) = (row + down, column + right)
            }
            if (0..<8).contains(row), (0..<8).contains(column), squares[row * 8 + column] == mark {
                turned += line
            }
        }
        return turned
    }

    func moves(of mark: Character) -> [Int] {
        (0..<64).filter { !turned(at: $0, by: mark).isEmpty }
    }

    var moves: [Int] { moves(of: mover) }
    var isOver: Bool { moves(of: "x").isEmpty && moves(of: "o").isEmpty }
    func count(_ mark: Character) -> Int { squares.count { $0 == mark } }

    /// Puts a disc; says whether the other side then had to pass.
    mutating func play(_ index: Int) -> Bool {
        for place in turned(at: index, by: mover) { squares[place] = mover }
        squares[index] = mover
        let next = Self.other(mover)
        let isPassed = moves(of: next).isEmpty && !moves(of: mover).isEmpty
        if !isPassed { mover = next }
        return isPassed
    }

    func bits(_ mark: Character) -> UInt64 {
        squares.indices.reduce(0) { $0 | (squares[$1] == mark ? 1 << UInt64($1) : 0) }
    }

    /// The same position on bitboards.
    var position: ReversiPosition {
        ReversiPosition(own: bits(mover), other: bits(Self.other(mover)))
    }

    /// The board from the first rank.
    var rows: [String] { (0..<8).map { String(squares[$0 * 8..<$0 * 8 + 8]) } }

    /// The best result of the mover in discs, empty squares to the winner: every game to its end.
    var result: Int {
        guard !isOver else {
            let difference = count(mover) - count(Self.other(mover))
            return difference + difference.signum() * count(".")
        }
        return moves.map { index in
            var next = self
            let isPassed = next.play(index)
            return isPassed ? next.result : -next.result
        }.max() ?? 0
    }
}
