/// A search for the best move: principal variation search with iterative deepening, a transposition
/// table, and the exact result near the end.
///
/// It is bounded by a number of positions and not by a clock, so that the same position and depth
/// give the same move on every machine. Moves that leave the other side few answers are tried
/// first. Sources: Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Reinefeld, "An
/// improvement to the scout tree search algorithm", 1983.
package struct ReversiSearch {
    package static let depths = 1...20
    /// The maximum number of positions to evaluate; the search may exceed it by a few.
    package static let maxNodes = 3_000_000
    /// The maximum number of empty squares at which the exact result is searched, even beyond the
    /// depth.
    private static let maxExactEmpties = 18
    /// The maximum number of empty squares at which a search without move ordering and table is
    /// faster.
    private static let maxPlainEmpties = 6
    private static let infinity = 1_000_000

    /// The best move and its value for the side that makes it.
    package struct Choice: Hashable, Sendable {
        package let square: ReversiSquare
        /// The value in hundredths of a disc; beyond ±10,000 the result is exact, and the excess is
        /// its discs.
        package let value: Int
    }

    package private(set) var nodes = 0
    private let depth: Int
    private let maxNodes: Int
    private let evaluation = ReversiEvaluation()
    private var table: ReversiTable
    /// The moves to try, as urgency and square, in 64 slots for each number of empty squares.
    private var candidates = [Int](repeating: 0, count: 64 * 64)
    private var isExhausted = false

    /// Creates a search of a depth, clamped to the allowed range.
    package init(depth: Int, maxNodes: Int = ReversiSearch.maxNodes) {
        self.depth = min(max(depth, Self.depths.lowerBound), Self.depths.upperBound)
        self.maxNodes = maxNodes
        table = ReversiTable(bits: 0)
    }

    package mutating func move(in position: ReversiPosition) -> ReversiSquare? {
        let moves = position.moves
        // A single move needs no search.
        guard moves.nonzeroBitCount > 1 else { return ReversiSquare.all(of: moves).first }
        return search(position)?.square
    }

    package mutating func search(_ position: ReversiPosition) -> Choice? {
        nodes = 0
        isExhausted = false
        // Entries of an earlier search could change the result of this one.
        table = ReversiTable(bits: min(9 + depth, 18))
        guard let first = ReversiSquare.all(of: position.moves).first else { return nil }
        var best = Choice(square: first, value: -Self.infinity)
        let empties = position.empty.nonzeroBitCount
        let isNearEnd = empties <= min(2 * depth + 2, Self.maxExactEmpties)
        let horizon = isNearEnd ? min(depth, empties / 2) : min(depth, empties)
        for depth in 1...max(horizon, 1) where !isExhausted {
            deepen(&best, position, depth)
        }
        if isNearEnd, !isExhausted { deepen(&best, position, empties) }
        return best
    }

    /// Searches all moves, starting with the best so far, and keeps a better one.
    private mutating func deepen(_ best: inout Choice, _ position: ReversiPosition, _ depth: Int) {
        let base = order(position, position.moves, first: best.square.index)
        var lower = -Self.infinity
        for index in base {
            let square = pick(index, of: base)
            let isFirst = index == base.lowerBound
            let value = value(of: square, in: position, isFirst, lower, Self.infinity, depth)
            guard !isExhausted else { return }
            if value > lower {
                lower = value
                best = Choice(square: ReversiSquare(index: square), value: value)
            }
        }
    }

    /// Returns the value of a move for the side that makes it.
    ///
    /// The first move is searched with the full window; the others are expected to be worse, which
    /// a null window proves faster.
    private mutating func value(
        of square: Int,
        in position: ReversiPosition,
        _ isFirst: Bool,
        _ lower: Int,
        _ upper: Int,
        _ depth: Int
    ) -> Int {
        let next = position.playing(at: square)
        if !isFirst {
            let value = -value(next, -lower - 1, -lower, depth - 1)
            if value <= lower || value >= upper || isExhausted { return value }
        }
        return -value(next, -upper, -lower, depth - 1)
    }

    /// Returns the value of a position for the side to move.
    ///
    /// The value is exact between the bounds; beyond them it is a bound itself. A pass costs no
    /// depth; if the depth is the number of empty squares, the value is the final result.
    private mutating func value(
        _ position: ReversiPosition,
        _ alpha: Int,
        _ beta: Int,
        _ depth: Int
    ) -> Int {
        nodes &+= 1
        let moves = position.moves
        guard moves != 0 else {
            let passed = position.passed
            return passed.moves == 0
                ? ReversiEvaluation.final(position) : -value(passed, -beta, -alpha, depth)
        }
        guard depth > 0 else { return evaluation.value(of: position, moves: moves) }
        let empties = position.empty.nonzeroBitCount
        if depth == 1 || empties <= Self.maxPlainEmpties && depth >= empties {
            return plain(position, moves, alpha, beta, depth)
        }
        guard nodes < maxNodes else {
            isExhausted = true
            return 0
        }
        return ordered(position, moves, alpha, beta, depth)
    }

    /// Returns the value of a position with a legal move, using move ordering and the table.
    private mutating func ordered(
        _ position: ReversiPosition,
        _ moves: UInt64,
        _ alpha: Int,
        _ beta: Int,
        _ depth: Int
    ) -> Int {
        let known = table[position]
        if let known, known.depth >= depth {
            let value = Int(known.value)
            switch known.bound {
            case .exact: return value
            case .atLeast where value >= beta: return value
            case .atMost where value <= alpha: return value
            case .none, .atLeast, .atMost: break
            }
        }
        let base = order(position, moves, first: known.map { Int($0.square) } ?? 64)
        var (best, bestSquare) = (-Self.infinity, 64)
        for index in base {
            let square = pick(index, of: base)
            let isFirst = index == base.lowerBound
            let value = value(of: square, in: position, isFirst, max(alpha, best), beta, depth)
            guard !isExhausted else { return 0 }
            if value > best { (best, bestSquare) = (value, square) }
            if best >= beta { break }
        }
        let bound: ReversiTable.Bound =
            best >= beta ? .atLeast : best > alpha ? .exact : .atMost
        table.store(position, bound, value: best, depth: depth, square: bestSquare)
        return best
    }

    /// Returns the value without move ordering and table.
    ///
    /// Quarters with an odd number of empty squares come first, because the side to move more
    /// likely gets the last move there.
    private mutating func plain(
        _ position: ReversiPosition,
        _ moves: UInt64,
        _ alpha: Int,
        _ beta: Int,
        _ depth: Int
    ) -> Int {
        let odd = Self.oddQuarters(of: position.empty)
        var best = -Self.infinity
        var rest = moves & odd
        var later = moves & ~odd
        while rest | later != 0 {
            if rest == 0 { (rest, later) = (later, 0) }
            let square = rest.trailingZeroBitCount
            rest &= rest &- 1
            let next = position.playing(at: square)
            best = max(best, -value(next, -beta, -max(alpha, best), depth - 1))
            if best >= beta { break }
        }
        return best
    }

    private static func oddQuarters(of empty: UInt64) -> UInt64 {
        func odd(_ quarter: UInt64) -> UInt64 {
            (empty & quarter).nonzeroBitCount & 1 == 1 ? quarter : 0
        }
        return odd(0x0F0F_0F0F) | odd(0xF0F0_F0F0)
            | odd(0x0F0F_0F0F_0000_0000) | odd(0xF0F0_F0F0_0000_0000)
    }

    /// Lists the moves with their urgency; returns their range in `candidates`.
    private mutating func order(
        _ position: ReversiPosition,
        _ moves: UInt64,
        first: Int
    ) -> Range<Int> {
        let base = position.empty.nonzeroBitCount * 64
        var end = base
        var rest = moves
        while rest != 0 {
            let square = rest.trailingZeroBitCount
            rest &= rest &- 1
            var urgency = 1 << 20
            if square != first {
                let next = position.playing(at: square)
                let answers = next.moves
                urgency =
                    Self.urgency[square] - 8 * answers.nonzeroBitCount
                    - 16 * (answers & Self.corners).nonzeroBitCount
            }
            candidates[end] = urgency * 64 + square
            end += 1
        }
        return base..<end
    }

    /// Moves the most urgent remaining candidate to an index; returns its square.
    private mutating func pick(_ index: Int, of range: Range<Int>) -> Int {
        var best = index
        for other in index + 1..<max(range.upperBound, index + 1)
        where candidates[other] > candidates[best] {
            best = other
        }
        candidates.swapAt(index, best)
        return candidates[index] & 63
    }

    private static let corners: UInt64 = 0x8100_0000_0000_0081

    private static let urgency: [Int] = [
        40, -12, 4, 2, 2, 4, -12, 40,
        -12, -20, -2, -2, -2, -2, -20, -12,
        4, -2, 2, 1, 1, 2, -2, 4,
        2, -2, 1, 1, 1, 1, -2, 2,
        2, -2, 1, 1, 1, 1, -2, 2,
        4, -2, 2, 1, 1, 2, -2, 4,
        -12, -20, -2, -2, -2, -2, -20, -12,
        40, -12, 4, 2, 2, 4, -12, 40,
    ]
}

/// A transposition table.
///
/// Each hash has one slot, which holds the latest position. The whole position is compared, so that
/// a result never depends on hash collisions.
struct ReversiTable: Hashable {
    enum Bound: UInt8 {
        case none, exact, atLeast, atMost
    }

    struct Slot: Hashable {
        var own: UInt64 = 0
        var other: UInt64 = 0
        var value: Int32 = 0
        var depth: Int8 = 0
        var bound = Bound.none
        /// The best move, or the move that caused a cutoff; 64 for none.
        var square: UInt8 = 64
    }

    private var slots: [Slot]
    private let mask: Int

    init(bits: Int) {
        slots = Array(repeating: Slot(), count: 1 << bits)
        mask = 1 << bits - 1
    }

    private func index(of position: ReversiPosition) -> Int {
        var word = position.own &* 0x9E37_79B9_7F4A_7C15
        word ^= (position.other &* 0xC2B2_AE3D_27D4_EB4F) &>> 7
        word = (word ^ word &>> 32) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: word &>> 32) & mask
    }

    subscript(position: ReversiPosition) -> Slot? {
        let slot = slots[index(of: position)]
        guard slot.own == position.own, slot.other == position.other else { return nil }
        return slot
    }

    mutating func store(
        _ position: ReversiPosition,
        _ bound: Bound,
        value: Int,
        depth: Int,
        square: Int
    ) {
        slots[index(of: position)] = Slot(
            own: position.own,
            other: position.other,
            value: Int32(truncatingIfNeeded: value),
            depth: Int8(truncatingIfNeeded: depth),
            bound: bound,
            square: UInt8(truncatingIfNeeded: square)
        )
    }
}
