import ControlSocket
import SessionCRDT
import SyncProtocol

/// Whose last command is taken back, and what is written beside that.
enum UndoWish: Sendable {
    /// That of this device, whoever entered it.
    case ofLaptop
    /// That of a player's phone, with the mark of this undo.
    case ofPhone(PlayerID, mark: Mutation)

    /// The player whose phone it is; nil where it is no phone.
    var player: PlayerID? {
        switch self {
        case .ofLaptop: nil
        case .ofPhone(let player, _): player
        }
    }

    /// What is written beside what is put back.
    var marks: [Mutation] {
        switch self {
        case .ofLaptop: []
        case .ofPhone(_, let mark): [mark]
        }
    }

    /// Refuses a phone's undo whose like was written since it was asked for: once more it is known.
    func checkIsNew(in session: Session) throws(ControlError) {
        guard marks.allSatisfy({ session.head($0.key) == nil }) else {
            throw ControlError(.failed, "this is being saved: ask again")
        }
    }

    /// What people call it.
    var author: String {
        switch self {
        case .ofLaptop: "this laptop"
        case .ofPhone: "this phone"
        }
    }
}
