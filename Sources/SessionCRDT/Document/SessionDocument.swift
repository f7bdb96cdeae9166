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
