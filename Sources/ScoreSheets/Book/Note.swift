/// Something that a game tells beside its figures, as the case that it is.
///
/// Each game has the words for its own cases. Players are told by their names.
package enum Note: Hashable, Sendable {
    /// Of a sheet of rows.
    case rows(RowsNote)
    /// Of cricket.
    case cricket(CricketNote)
    /// Of darts.
    case darts(DartsNote)
    /// Of Ghost.
    case ghost(GhostNote)
    /// Of Reversi.
    case reversi(ReversiNote)
    /// Of a match of two sides.
    case sport(SportNote)
    /// Of bowling.
    case bowling(BowlingNote)
    /// Of Smash Up.
    case smashUp(SmashUpNote)
}

extension Note {
    /// Whether it says what somebody has still to enter.
    var isMissing: Bool {
        switch self {
        case .rows(.gap), .rows(.needed): true
        default: false
        }
    }
}

extension Standings {
    /// What is missing or wrong in a game of rows, in sentences: what to look at before it ends.
    package var missing: [String] {
        notes.filter(\.isMissing).map(\.description)
            + flags.filter { $0.subject == .game }.map(\.reason.description)
    }
}

extension Note: CustomStringConvertible {
    /// What people read.
    package var description: String {
        switch self {
        case .rows(let note): note.description
        case .cricket(let note): note.description
        case .darts(let note): note.description
        case .ghost(let note): note.description
        case .reversi(let note): note.description
        case .sport(let note): note.description
        case .bowling(let note): note.description
        case .smashUp(let note): note.description
        }
    }
}
