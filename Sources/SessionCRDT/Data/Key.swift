/// What an entry is about.
///
/// Each key has one register, or for membership one flag.
package enum Key: Hashable, Sendable {
    /// A field of the session: `title`, `game`, `status`, `seats`, `option.<name>`…
    case session(Symbol)
    /// A field of a player: `name`, `team`, `added`…
    case player(PlayerID, Symbol)
    /// Whether a player takes part: an add-wins set over these keys.
    case membership(PlayerID)
    /// The name of a device.
    case device(DeviceID)
    /// A score.
    case cell(Cell)
    /// A key of a later version, by its text form: kept, merged and passed on, only not shown.
    case foreign(ExactText)
}

extension Key: Comparable {
    /// Keys order by kind, then by their parts.
    package static func < (left: Key, right: Key) -> Bool {
        switch (left, right) {
        case (.session(let left), .session(let right)): left < right
        case (.player(let left, let field), .player(let right, let other)):
            (left, field) < (right, other)
        case (.membership(let left), .membership(let right)): left < right
        case (.device(let left), .device(let right)): left < right
        case (.cell(let left), .cell(let right)): left < right
        case (.foreign(let left), .foreign(let right)): left < right
        default: left.kind < right.kind
        }
    }

    private var kind: Int {
        switch self {
        case .session: 0
        case .player: 1
        case .membership: 2
        case .device: 3
        case .cell: 4
        case .foreign: 5
        }
    }
}

extension Key: LosslessStringConvertible {
    /// The text form, on the wire and on disk: `session/title`, `player/<id>/name`,
    /// `member/<id>`, `device/<id>`, `cell/<id>/birds`, `cell/<id>/round/3`.
    package var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the text form to `text`.
    package func write(to text: inout [UInt8]) {
        switch self {
        case .session(let field):
            text.append(contentsOf: "session/\(field)".utf8)
        case .player(let player, let field):
            text.append(contentsOf: "player/".utf8)
            player.write(to: &text)
            text.append(contentsOf: "/\(field)".utf8)
        case .membership(let player):
            text.append(contentsOf: "member/".utf8)
            player.write(to: &text)
        case .device(let device):
            text.append(contentsOf: "device/".utf8)
            device.write(to: &text)
        case .cell(let cell):
            text.append(contentsOf: "cell/".utf8)
            cell.player.write(to: &text)
            text.append(UInt8(ascii: "/"))
            text.append(contentsOf: cell.row.description.utf8)
            if let round = cell.round { text.append(contentsOf: "/\(round)".utf8) }
        case .foreign(let key):
            text.append(contentsOf: key.string.utf8)
        }
    }

    /// The key of a text form.
    ///
    /// Every text is a key: one that this version does not know is foreign.
    package init(_ text: String) {
        self = Key.known(text) ?? .foreign(ExactText(text))
    }

    private static func known(_ text: String) -> Key? {
        // By bytes: whatever is not ASCII is in no part that is known.
        let slash = UInt8(ascii: "/")
        let parts = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
            .map { Substring($0) }
        switch (parts.first, parts.count) {
        case ("session", 2):
            return Symbol(String(parts[1])).map(Key.session)
        case ("player", 3):
            guard let player = PlayerID(parts[1]), let field = Symbol(String(parts[2])) else {
                return nil
            }
            return .player(player, field)
        case ("member", 2):
            return PlayerID(parts[1]).map(Key.membership)
        case ("device", 2):
            return DeviceID(parts[1]).map(Key.device)
        case ("cell", 3), ("cell", 4):
            guard let player = PlayerID(parts[1]), let row = Symbol(String(parts[2])) else {
                return nil
            }
            guard parts.count == 4 else { return .cell(Cell(player: player, row: row)) }
            return round(parts[3]).map { .cell(Cell(player: player, row: row, round: $0)) }
        default:
            return nil
        }
    }

    /// A round in its only spelling: digits, no leading zero, 1…`lastRound`.
    private static func round(_ text: Substring) -> UInt32? {
        guard text.utf8.first != UInt8(ascii: "0"), text.utf8.count <= 7,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let round = UInt32(text), (1...Cell.lastRound).contains(round)
        else { return nil }
        return round
    }
}
