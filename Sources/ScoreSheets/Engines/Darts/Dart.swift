/// One dart: where it landed.
package struct Dart: Hashable, Sendable {
    /// How often the number counts.
    package let ring: Ring
    /// 1 to 20, 25 for the bull, 0 for a miss.
    package let number: Int

    /// The rings of a board by what they multiply with; the bull has no triple.
    package enum Ring: Int, Hashable, Sendable {
        /// Nothing: beside the board, bounced out, or short of it.
        case miss = 0
        /// Once; 25 for the outer bull.
        case single = 1
        /// Twice; 50 for the inner bull.
        case double = 2
        /// Three times.
        case triple = 3
    }

    /// A dart that scored nothing.
    package static let miss = Dart(.miss, 0)

    /// A dart in the ring around the bull.
    private static let outerBull = Dart(.single, 25)

    /// The 62 darts that score: triples, singles, the bulls and doubles, the high numbers first.
    package static let scoring: [Dart] = {
        let numbers = (1...20).reversed()
        return numbers.map { Dart(.triple, $0) } + numbers.map { Dart(.single, $0) }
            + [Dart(.single, 25), Dart(.double, 25)] + numbers.map { Dart(.double, $0) }
    }()

    /// What it is worth.
    package var points: Int { ring.rawValue * number }

    private init(_ ring: Ring, _ number: Int) {
        self.ring = ring
        self.number = number
    }

    /// The dart of a ring and a number, if a board has it.
    init?(ring: Ring, number: Int) {
        let isOnBoard =
            switch ring {
            case .miss: number == 0
            case .single, .double: (1...20).contains(number) || number == 25
            case .triple: (1...20).contains(number)
            }
        guard isOnBoard else { return nil }
        self.init(ring, number)
    }

    /// The dart of the one spelling in which it is stored: `T20`, `S5`, `S25`, `D16`, `BULL`,
    /// `MISS`.
    init?(spelling: ArraySlice<UInt8>) {
        switch (spelling.first, spelling.count) {
        case (UInt8(ascii: "B"), 4):
            guard spelling.elementsEqual("BULL".utf8) else { return nil }
            self.init(.double, 25)
        case (UInt8(ascii: "M"), 4):
            guard spelling.elementsEqual("MISS".utf8) else { return nil }
            self = .miss
        case (let letter, 2...3):
            let ring: Ring? =
                switch letter {
                case UInt8(ascii: "S"): .single
                case UInt8(ascii: "D"): .double
                case UInt8(ascii: "T"): .triple
                default: nil
                }
            guard let ring, let number = Dart.number(spelling.dropFirst()),
                ring != .double || number != 25
            else { return nil }
            self.init(ring: ring, number: number)
        default: return nil
        }
    }

    /// The dart that somebody types: as it is stored, in any case, or `20`, `25`, `0`, `D25`, `DB`,
    /// `SB`, `M`.
    init?(typed word: String) {
        let word = word.uppercased()
        switch word {
        case "0", "M": self = .miss
        case "DB", "D25": self.init(.double, 25)
        case "SB": self.init(.single, 25)
        default:
            let bytes = Array(word.utf8)
            if let number = Dart.number(bytes[...]) {
                self.init(ring: .single, number: number)
            } else {
                self.init(spelling: bytes[...])
            }
        }
    }

    /// The number that one or two digits say, without a zero before it.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...2).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension Dart: CustomStringConvertible {
    /// What people are told to throw: as it is stored, but `25` for the outer bull.
    package var words: String { self == Dart.outerBull ? "25" : description }

    /// The one spelling: `T20`, `S5`, `S25`, `D16`, `BULL`, `MISS`.
    package var description: String {
        switch ring {
        case .miss: "MISS"
        case .single: "S\(number)"
        case .double: number == 25 ? "BULL" : "D\(number)"
        case .triple: "T\(number)"
        }
    }
}
