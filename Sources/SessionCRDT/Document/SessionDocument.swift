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
        var members: [PlayerID: LiveSet] = [:]
        var fields: [PlayerID: [Symbol: LiveSet]] = [:]
        var seats = ""
        for (key, set) in live {
            switch key {
            case .session(Field.seats): seats = set.winner.value.string ?? ""
            case .session(let field): header.read(field, set.winner.value)
            case .player(let player, let field): fields[player, default: [:]][field] = set
            case .membership(let player): members[player] = set
            case .device(let device): devices[device] = set.winner.value.string
            case .cell(let cell): cells[cell] = set
            case .foreign: break
            }
        }
        let unordered = members.map { SessionDocument.player($0, $1, fields[$0] ?? [:]) }
        players = SessionDocument.seated(unordered, by: seats)
    }

    private static func player(
        _ id: PlayerID,
        _ membership: LiveSet,
        _ fields: [Symbol: LiveSet]
    ) -> Player {
        let says = Set(membership.compactMap(\.value.boolean))
        return Player(
            id: id,
            name: fields[Field.name]?.winner.value.string ?? "player-\(id.description.prefix(4))",
            team: fields[Field.team]?.winner.value.string,
            computer: (fields[Field.computer]?.winner.value.string).flatMap { Computer($0) },
            isPresent: says.contains(true),
            wasKeptIn: says.count == 2,
            added: fields[Field.added]?.winner.stamp
        )
    }

    /// The players in the order of `seats`; those that it leaves out follow as they were added.
    private static func seated(_ players: [Player], by seats: String) -> [Player] {
        var place: [PlayerID: Int] = [:]
        for (index, seat) in seats.split(separator: " ").enumerated() {
            if let player = PlayerID(seat), place[player] == nil { place[player] = index }
        }
        let last = Stamp(bits: .max)
        return players.sorted { left, right in
            (place[left.id] ?? .max, left.added ?? last, left.id)
                < (place[right.id] ?? .max, right.added ?? last, right.id)
        }
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
