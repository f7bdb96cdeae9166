/// A cell of the score sheet: a player, a row and, in rows that repeat, a round.
package struct Cell: Hashable, Comparable, Sendable {
    package let player: PlayerID
    package let row: Symbol
    /// The round, from 1; nil if the row has no rounds.
    package let round: UInt32?

    package static let lastRound: UInt32 = 1_000_000

    /// Creates a cell; a round must be within 1…`lastRound`.
    package init(player: PlayerID, row: Symbol, round: UInt32? = nil) {
        (self.player, self.row, self.round) = (player, row, round)
    }

    /// Orders by player, row and round; a cell without a round comes first.
    package static func < (left: Cell, right: Cell) -> Bool {
        (left.player, left.row, left.sortedRound) < (right.player, right.row, right.sortedRound)
    }

    // Negative without a round, to sort before round 0, which only an invalid entry has.
    private var sortedRound: Int64 { round.map(Int64.init) ?? -1 }
}

/// The key under which an entry is stored.
///
/// A multi-value register, or for `membership` an add-wins flag.
package enum Key: Hashable, Sendable {
    /// A field of the session: `title`, `game`, `status`, `seats`, `option.<name>`…
    case session(Symbol)
    /// A field of a player: `name`, `team`, `added`…
    case player(PlayerID, Symbol)
    /// Whether a player takes part: an add-wins set over these keys.
    case membership(PlayerID)
    case device(DeviceID)
    case cell(Cell)
    /// A key of a later version, by its text form: stored, merged and passed on, but not shown.
    case foreign(ExactText)
}

extension Key {
    /// Hashes whole words instead of bytes, because every read or written entry hashes its key.
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
    /// Orders by kind, then by the parts of the key.
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
        writeText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    package func write(to text: inout [UInt8]) { writeText(to: &text) }

    /// The length of the text form in bytes.
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

    func writeText(to sink: inout some ByteSink) {
        switch self {
        case .session(let field):
            sink.append("session/".utf8)
            sink.append(field.description.utf8)
        case .player(let player, let field):
            sink.append("player/".utf8)
            sink.append(id: player)
            sink.append("/".utf8)
            sink.append(field.description.utf8)
        case .membership(let player):
            sink.append("member/".utf8)
            sink.append(id: player)
        case .device(let device):
            sink.append("device/".utf8)
            sink.append(id: device)
        case .cell(let cell):
            sink.append("cell/".utf8)
            sink.append(id: cell.player)
            sink.append("/".utf8)
            sink.append(cell.row.description.utf8)
            guard let round = cell.round else { return }
            sink.append("/".utf8)
            sink.append(decimal: round)
        case .foreign(let key): sink.append(key.string.utf8)
        }
    }

    private static func digits(_ number: UInt32) -> Int {
        var digits = 1
        var rest = number / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        return digits
    }

    /// Parses the text form of a key; an unknown text becomes a foreign key.
    package init(_ text: String) {
        let known =
            text.utf8.withContiguousStorageIfAvailable { Key.known($0[...]) }
            ?? Key.known(Array(text.utf8)[...])
        self = known ?? .foreign(ExactText(text))
    }

    /// Parses the text form of a key from borrowed UTF-8, without allocating a `String`.
    package init(utf8 text: UnsafeBufferPointer<UInt8>) {
        self =
            Key.known(text[...]) ?? .foreign(ExactText(String(decoding: text, as: UTF8.self)))
    }

    private static func known<Bytes>(_ text: Bytes) -> Key?
    where Bytes: RandomAccessCollection<UInt8>, Bytes.SubSequence == Bytes {
        // Works on bytes, because the parts of known keys are ASCII.
        guard let (kind, rest) = split(text) else { return nil }
        if kind.elementsEqual("cell".utf8) {
            guard let (player, rest) = split(rest), let player = PlayerID(utf8: player)
            else { return nil }
            guard let (row, digits) = split(rest) else {
                return Symbol(utf8: rest).map { .cell(Cell(player: player, row: $0)) }
            }
            guard let row = Symbol(utf8: row), let round = round(digits) else { return nil }
            return .cell(Cell(player: player, row: row, round: round))
        }
        if kind.elementsEqual("player".utf8) {
            guard let (player, field) = split(rest), let player = PlayerID(utf8: player),
                let field = Symbol(utf8: field)
            else { return nil }
            return .player(player, field)
        }
        if kind.elementsEqual("member".utf8) { return PlayerID(utf8: rest).map(Key.membership) }
        if kind.elementsEqual("device".utf8) { return DeviceID(utf8: rest).map(Key.device) }
        if kind.elementsEqual("session".utf8) { return Symbol(utf8: rest).map(Key.session) }
        return nil
    }

    /// Returns the parts before and after the first slash; nil if there is none.
    private static func split<Bytes>(_ text: Bytes) -> (Bytes, Bytes)?
    where Bytes: RandomAccessCollection<UInt8>, Bytes.SubSequence == Bytes {
        guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return (text[..<slash], text[text.index(after: slash)...])
    }

    /// Parses a round in its canonical form: digits without leading zeros, 1…`lastRound`.
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
