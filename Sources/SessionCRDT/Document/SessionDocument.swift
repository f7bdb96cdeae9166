/// A session as the game sees it: its fields, players and cells, read out of the live sets.
///
/// It is derived and never stored; two replicas with the same live sets read the same document.
/// Entries that this version does not understand are in the replica but not in here.
package struct SessionDocument: Sendable {
    /// What the session says about itself.
    package private(set) var header = SessionHeader()
    /// All players in seat order, removed ones too.
    package private(set) var players: [Player] = []
    /// The names of the devices that wrote in this session.
    package private(set) var devices: [DeviceID: String] = [:]
    /// What is live in each cell.
    package private(set) var cells: [Cell: LiveSet] = [:]

    /// The document of these live sets.
    package init(_ live: some Sequence<(key: Key, value: LiveSet)>) {
        var seating = Seating()
        for (key, set) in live {
            switch key {
            case .session(let field):
                if !header.read(field, set.winner.value) { _ = seating.read(key, set) }
            case .player, .membership: _ = seating.read(key, set)
            case .device(let device): devices[device] = set.winner.value.string
            case .cell(let cell): cells[cell] = set
            case .foreign: break
            }
        }
        players = seating.players
    }
}

extension SessionDocument {
    /// The title; empty until it has arrived.
    package var title: String { header.title }
    /// The id of the game's sheet; nil until it has arrived.
    package var game: Symbol? { header.game }
    /// Whether somebody called the session finished.
    package var isFinished: Bool { header.isFinished }
    /// The sheet as JSON; nil until it has arrived.
    package var sheet: String? { header.sheet }
    /// The options of the game.
    package var options: [Symbol: Value] { header.options }
}

/// What a session says about itself: what it is called, which game it is, and how that is set.
package struct SessionHeader: Hashable, Sendable {
    /// The title; empty until it has arrived.
    package var title = ""
    /// The id of the game's sheet; nil until it has arrived.
    package var game: Symbol?
    /// Whether somebody called the session finished.
    package var isFinished = false
    /// The sheet as JSON; nil until it has arrived, and in sessions of the first versions.
    package var sheet: String?
    /// The options of the game that somebody set.
    package var options: [Symbol: Value] = [:]

    /// The header of a session of which nothing has arrived.
    package init() {}

    /// Takes in what a field of the session says now.
    ///
    /// - Returns: whether it is a field of the header; the seats, say, are not.
    @discardableResult
    package mutating func read(_ field: Symbol, _ value: Value) -> Bool {
        switch field {
        case Field.title: title = value.string ?? ""
        case Field.game: game = value.string.flatMap { Symbol($0) }
        case Field.status: isFinished = value.string == "finished"
        case Field.sheet: sheet = value.string
        default:
            guard let option = Field.optionName(of: field) else { return false }
            options[option] = value == .null ? nil : value
        }
        return true
    }
}

/// The session in which the same people play on, as a session names it in its field `next`.
///
/// Whoever holds the one is let into the other: members trust each other, and no code is needed.
package struct Successor: Hashable, Sendable {
    /// The session.
    package let session: SessionID
    /// The session's key; whoever has it is a member.
    package let key: [UInt8]

    /// How many bytes a key has.
    package static let keyBytes = 32
    /// How many successors of one session count: more than one comes of beginning the next game on
    /// two devices at once, and many only of a member's malice.
    package static let most = 8

    /// A successor of these parts; nil where the key has another length.
    package init?(session: SessionID, key: [UInt8]) {
        guard key.count == Successor.keyBytes else { return nil }
        self.session = session
        self.key = key
    }

    /// The successor of a field's text, `ID KEY` in lower-case hexadecimal digits; nil where the
    /// text is no such thing.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let session = SessionID(words[0]),
            let key = Hexadecimal.bytes(of: words[1])
        else { return nil }
        self.init(session: session, key: key)
    }

    /// The text of the field.
    package var text: String { "\(session) \(Hexadecimal.text(of: key))" }

    /// The successors that are live in a field, the last writer's first, each session once.
    ///
    /// All of them count, because two devices may begin the next game while they are apart; what is
    /// no successor is passed over, and so is everything after `most`.
    package static func all(in live: LiveSet) -> [Successor] {
        var successors: [Successor] = []
        for entry in [live.winner] + live.losers where successors.count < most {
            guard let successor = entry.value.string.flatMap({ Successor($0) }),
                !successors.contains(where: { $0.session == successor.session })
            else { continue }
            successors.append(successor)
        }
        return successors
    }
}

extension Successor: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the key, which must not get into a log.
    package var description: String { "successor \(session)" }

    package var debugDescription: String { description }
}
