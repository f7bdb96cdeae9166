/// One place on the score sheet: a player, a row, and for rows that repeat, a round.
package struct Cell: Hashable, Comparable, Sendable {
    /// Whose score.
    package let player: PlayerID
    /// Which row of the sheet.
    package let row: Symbol
    /// Which round, from 1; nil where the row has no rounds.
    package let round: UInt32?

    /// The last round there can be.
    package static let lastRound: UInt32 = 1_000_000

    /// The cell of a player, a row and a round within 1…`lastRound`.
    package init(player: PlayerID, row: Symbol, round: UInt32? = nil) {
        self.player = player
        self.row = row
        self.round = round
    }

    package static func < (left: Cell, right: Cell) -> Bool {
        (left.player, left.row, left.round ?? 0) < (right.player, right.row, right.round ?? 0)
    }
}

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

extension Key {
    /// By the word: a key is hashed wherever an entry goes.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .session(let field): hasher.combine(field)
        case .player(let player, let field):
            hasher.combine(player)
            hasher.combine(field)
        case .membership(let player): hasher.combine(player)
        case .device(let device): hasher.combine(device)
        case .cell(let cell):
            hasher.combine(cell.player)
            hasher.combine(cell.row)
            hasher.combine(cell.round ?? 0)
        case .foreign(let key): hasher.combine(key)
        }
        hasher.combine(kind)
    }
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

    fileprivate var kind: Int {
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
    package func write(to text: inout [UInt8]) { spell(into: &text) }

    /// How many bytes the text form has.
    var utf8Count: Int {
        switch self {
        case .session(let field): 8 + field.description.utf8.count
        case .player(_, let field): 40 + field.description.utf8.count
        case .membership, .device: 39
        case .cell(let cell):
            38 + cell.row.description.utf8.count + (cell.round.map { 1 + Key.digits($0) } ?? 0)
        case .foreign(let key): key.string.utf8.count
        }
    }

    /// Says the text form byte by byte.
    func spell(into sink: inout some ByteSink) {
        switch self {
        case .session(let field):
            sink.take("session/".utf8)
            sink.take(field.description.utf8)
        case .player(let player, let field):
            sink.take("player/".utf8)
            sink.take(player)
            sink.take("/".utf8)
            sink.take(field.description.utf8)
        case .membership(let player):
            sink.take("member/".utf8)
            sink.take(player)
        case .device(let device):
            sink.take("device/".utf8)
            sink.take(device)
        case .cell(let cell):
            sink.take("cell/".utf8)
            sink.take(cell.player)
            sink.take("/".utf8)
            sink.take(cell.row.description.utf8)
            guard let round = cell.round else { return }
            sink.take("/".utf8)
            sink.take(decimal: round)
        case .foreign(let key):
            sink.take(key.string.utf8)
        }
    }

    /// How many decimal digits a number has.
    private static func digits(_ number: UInt32) -> Int {
        var digits = 1
        var rest = number / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        return digits
    }

    /// The key of a text form.
    ///
    /// Every text is a key: one that this version does not know is foreign.
    package init(_ text: String) {
        let known =
            text.utf8.withContiguousStorageIfAvailable { Key.known($0[...]) }
            ?? Key.known(Array(text.utf8)[...])
        self = known ?? .foreign(ExactText(text))
    }

    /// The key of a text form, by its bytes, so that a store need not make a `String` of each.
    package init(utf8 text: UnsafeBufferPointer<UInt8>) {
        // The bytes are only read here, where whoever lent them still has them.
        self =
            Key.known(text[...]) ?? .foreign(ExactText(String(decoding: text, as: UTF8.self)))
    }

    private static func known<Bytes>(_ text: Bytes) -> Key?
    where Bytes: RandomAccessCollection<UInt8>, Bytes.SubSequence == Bytes {
        // By bytes: whatever is not ASCII is in no part that is known.
        guard let (kind, rest) = parted(text) else { return nil }
        if kind.elementsEqual("cell".utf8) {
            guard let (player, rest) = parted(rest), let player = PlayerID(utf8: player) else {
                return nil
            }
            guard let (row, digits) = parted(rest) else {
                return Symbol(utf8: rest).map { .cell(Cell(player: player, row: $0)) }
            }
            guard let row = Symbol(utf8: row), let round = round(digits) else { return nil }
            return .cell(Cell(player: player, row: row, round: round))
        }
        if kind.elementsEqual("player".utf8) {
            guard let (player, field) = parted(rest), let player = PlayerID(utf8: player),
                let field = Symbol(utf8: field)
            else { return nil }
            return .player(player, field)
        }
        if kind.elementsEqual("member".utf8) { return PlayerID(utf8: rest).map(Key.membership) }
        if kind.elementsEqual("device".utf8) { return DeviceID(utf8: rest).map(Key.device) }
        if kind.elementsEqual("session".utf8) { return Symbol(utf8: rest).map(Key.session) }
        return nil
    }

    /// What stands before the first slash and behind it; nil where there is none.
    private static func parted<Bytes>(_ text: Bytes) -> (Bytes, Bytes)?
    where Bytes: RandomAccessCollection<UInt8>, Bytes.SubSequence == Bytes {
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return (text[..<slash], text[text.index(after: slash)...])
    }

    /// A round in its only spelling: digits, no leading zero, 1…`lastRound`.
    private static func round(_ text: some RandomAccessCollection<UInt8>) -> UInt32? {
        guard text.first != UInt8(ascii: "0"), (1...7).contains(text.count) else { return nil }
        var round: UInt32 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            round = round * 10 + UInt32(byte - UInt8(ascii: "0"))
        }
        return round <= Cell.lastRound ? round : nil
    }
}
