/// A position from the view of the side to move: two bitboards, one for its own discs and one for
/// the other side's.
///
/// Bits are numbered as in `ReversiSquare`. All rays of a direction are followed in parallel by
/// shifts whose length doubles, without a branch for each square.
package struct ReversiPosition: Hashable, Sendable {
    package let own: UInt64
    package let other: UInt64

    package init(own: UInt64, other: UInt64) { (self.own, self.other) = (own, other) }

    /// The start: black, to move, on e4 and d5, white on d4 and e5.
    package static let start = ReversiPosition(own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36)

    /// The files b to g, which stop rays from wrapping around the edges of the board.
    private static let inner: UInt64 = 0x7E7E_7E7E_7E7E_7E7E

    package var empty: UInt64 { ~(own | other) }
    package var passed: ReversiPosition { ReversiPosition(own: other, other: own) }
    package var isOver: Bool { moves == 0 && passed.moves == 0 }

    /// The squares on which a disc flips at least one other.
    package var moves: UInt64 {
        let flat = other & Self.inner
        let reached =
            ends(through: flat, 1) | ends(through: flat, 7) | ends(through: other, 8)
            | ends(through: flat, 9)
        return reached & empty
    }

    /// Returns the discs that a disc on an empty square flips; none if the move is illegal.
    package func flips(at index: Int) -> UInt64 {
        let flat = other & Self.inner
        let bit: UInt64 = 1 &<< UInt64(index)
        return run(from: bit, through: flat, 1) | run(from: bit, through: flat, 7)
            | run(from: bit, through: other, 8) | run(from: bit, through: flat, 9)
    }

    package func playing(at index: Int) -> ReversiPosition {
        let flips = flips(at: index)
        return ReversiPosition(own: other ^ flips, other: own ^ flips ^ (1 &<< UInt64(index)))
    }

    /// Returns the number of move sequences of a length, counting passes as moves: the usual test
    /// of a move generator.
    package func perft(_ depth: Int) -> Int {
        guard depth > 0 else { return 1 }
        var rest = moves
        guard rest != 0 else {
            return passed.moves == 0 ? 1 : passed.perft(depth - 1)
        }
        guard depth > 1 else { return rest.nonzeroBitCount }
        var count = 0
        while rest != 0 {
            let index = rest.trailingZeroBitCount
            rest &= rest &- 1
            count += playing(at: index).perft(depth - 1)
        }
        return count
    }

    /// Returns the squares just beyond each run of `mask` that begins next to an own disc, in the
    /// two directions of a step.
    @inline(__always)
    private func ends(through mask: UInt64, _ step: UInt64) -> UInt64 {
        (Self.up(own, mask, step) &<< step) | (Self.down(own, mask, step) &>> step)
    }

    /// Returns the runs of `mask` between a disc and one of the side's own, in the two directions
    /// of a step.
    @inline(__always)
    private func run(from bit: UInt64, through mask: UInt64, _ step: UInt64) -> UInt64 {
        let up = Self.up(bit, mask, step)
        let down = Self.down(bit, mask, step)
        return ((up &<< step) & own != 0 ? up : 0) | ((down &>> step) & own != 0 ? down : 0)
    }

    /// Returns the discs of `mask` in unbroken runs of up to six next to the bits, towards h8.
    @inline(__always)
    private static func up(_ bits: UInt64, _ mask: UInt64, _ step: UInt64) -> UInt64 {
        var run = mask & (bits &<< step)
        run |= mask & (run &<< step)
        let pairs = mask & (mask &<< step)
        run |= pairs & (run &<< (2 &* step))
        run |= pairs & (run &<< (2 &* step))
        return run
    }

    /// Returns the discs of `mask` in unbroken runs of up to six next to the bits, towards a1.
    @inline(__always)
    private static func down(_ bits: UInt64, _ mask: UInt64, _ step: UInt64) -> UInt64 {
        var run = mask & (bits &>> step)
        run |= mask & (run &>> step)
        let pairs = mask & (mask &>> step)
        run |= pairs & (run &>> (2 &* step))
        run |= pairs & (run &>> (2 &* step))
        return run
    }
}

/// A square of the board: `a1` is the upper left one, `h8` the lower right one.
package struct ReversiSquare: Hashable, Sendable {
    /// The number of its bit: 0 for a1, 1 for b1, 63 for h8.
    package let index: Int

    package init(index: Int) { self.index = index }

    package init?(_ name: String) { self.init(name.utf8) }

    init?(_ letters: some Collection<UInt8>) {
        guard letters.count == 2, let file = letters.first, let rank = letters.dropFirst().first
        else { return nil }
        let column = Int(file | 0x20) - Int(UInt8(ascii: "a"))
        let row = Int(rank) - Int(UInt8(ascii: "1"))
        guard (0..<8).contains(column), (0..<8).contains(row) else { return nil }
        index = row * 8 + column
    }

    static func named(_ text: String) -> String {
        let isPlain = (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126) ~= $0 }
        return isPlain ? text : text.quoted
    }

    package var bit: UInt64 { 1 << UInt64(index) }

    package static func all(of bits: UInt64) -> [ReversiSquare] {
        var rest = bits
        var squares: [ReversiSquare] = []
        while rest != 0 {
            squares.append(ReversiSquare(index: rest.trailingZeroBitCount))
            rest &= rest - 1
        }
        return squares
    }
}

extension ReversiSquare: CustomStringConvertible {
    package var description: String {
        let letters = [UInt8(ascii: "a") + UInt8(index % 8), UInt8(ascii: "1") + UInt8(index / 8)]
        return String(decoding: letters, as: UTF8.self)
    }
}

/// One of the two sides; the first seat is black, which moves first.
enum ReversiSide: Int, Hashable, Sendable, CaseIterable {
    case black, white

    var other: ReversiSide { self == .black ? .white : .black }
    var seat: Int { rawValue }
    var name: String { self == .black ? "black" : "white" }
    var mark: Character { self == .black ? "x" : "o" }
}

/// A part of a move or of a record of moves as players type or paste it.
enum ReversiWord: Hashable {
    case square(ReversiSquare)
    case pass

    private static let passes: Set<String> = ["pass", "pa", "ps", "pp", "--", "p"]

    /// Parses squares and passes, at least one square, with or without the numbers of moves.
    ///
    /// For example `d3`, `F5 D6`, `f5d6c3d3c4` or `1. f5 2. d6 -- c3`.
    static func typed(_ texts: [String]) throws(RuleViolation) -> [ReversiWord] {
        var words: [ReversiWord] = []
        // A record that was pasted in quotation marks is a single argument with spaces in it.
        for text in texts.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
            let word = withoutNumber(text)
            guard !passes.contains(word.lowercased()) else {
                words.append(.pass)
                continue
            }
            var letters = Array(word.utf8)[...]
            while !letters.isEmpty {
                if letters.count >= 4, passes.contains(letters.prefix(2).lowercased) {
                    words.append(.pass)
                } else if let square = ReversiSquare(letters.prefix(2)) {
                    words.append(.square(square))
                } else {
                    let found =
                        letters.count == word.utf8.count && letters.count <= 4
                        ? String(word) : String(decoding: letters.prefix(2), as: UTF8.self)
                    throw .notASquare(ReversiSquare.named(found))
                }
                letters = letters.dropFirst(2)
            }
        }
        guard words.contains(where: { $0 != .pass }) else {
            throw words.isEmpty
                ? RuleViolation("no square given", hint: "for example: scorectl play d3")
                : RuleViolation("passing is automatic: a side without a move is passed over")
        }
        return words
    }

    /// Removes the number of a move, `12.` or `12.f5`.
    private static func withoutNumber(_ text: Substring) -> Substring {
        let rest = text.drop { ("0"..."9").contains($0) }
        return rest.first == "." && rest.startIndex > text.startIndex ? rest.dropFirst() : text
    }
}

extension ArraySlice<UInt8> {
    fileprivate var lowercased: String { String(decoding: self, as: UTF8.self).lowercased() }
}

extension RuleViolation {
    static func notASquare(_ text: String) -> RuleViolation {
        RuleViolation("\(text) is not a square; squares are a1 to h8")
    }
}
