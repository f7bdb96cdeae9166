/// A square of the board: `a1` is the upper left one, `h8` the lower right one.
package struct ReversiSquare: Hashable, Sendable {
    /// The place of its bit on a bitboard: from 0 for a1 over 1 for b1 to 63 for h8.
    package let index: Int

    /// The square of this bit, 0…63.
    package init(index: Int) {
        self.index = index
    }

    /// The square of a name, in small letters or capitals; nil of anything else.
    package init?(_ name: String) {
        self.init(name.utf8)
    }

    /// The square of the letters of a name.
    init?(_ letters: some Collection<UInt8>) {
        guard letters.count == 2, let file = letters.first, let rank = letters.dropFirst().first
        else { return nil }
        let column = Int(file | 0x20) - Int(UInt8(ascii: "a"))
        let row = Int(rank) - Int(UInt8(ascii: "1"))
        guard (0..<8).contains(column), (0..<8).contains(row) else { return nil }
        index = row * 8 + column
    }

    /// A name that is none as messages show it.
    static func named(_ text: String) -> String {
        let isPlain = (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126) ~= $0 }
        return isPlain ? text : text.quoted
    }

    /// The bitboard of this square alone.
    package var bit: UInt64 { 1 << UInt64(index) }

    /// The squares of a bitboard, from a1 over b1 to h8.
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
