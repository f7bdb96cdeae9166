/// One of the two sides; the first seat is black, which moves first.
enum ReversiSide: Hashable, Sendable, CaseIterable {
    case black
    case white

    /// The other side.
    var other: ReversiSide {
        switch self {
        case .black: .white
        case .white: .black
        }
    }

    /// The seat, from 0.
    var seat: Int {
        switch self {
        case .black: 0
        case .white: 1
        }
    }

    /// What it is called.
    var name: String {
        switch self {
        case .black: "black"
        case .white: "white"
        }
    }

    /// The character of its discs.
    var mark: Character {
        switch self {
        case .black: "x"
        case .white: "o"
        }
    }
}
