import SessionCRDT

/// The fields, players and cells of a session, derived from the live sets; entries that this version
/// does not understand are not in it.
struct SessionDocument: Sendable {
    private(set) var header = SessionHeader()
    /// All players in seat order, including removed ones.
    private(set) var players: [Player] = []
    /// The names of the devices that wrote in this session.
    private(set) var devices: [DeviceID: String] = [:]
    private(set) var cells: [Cell: LiveSet] = [:]

    init(_ live: some Sequence<(key: Key, value: LiveSet)>) {
        var seating = Seating()
        for (key, set) in live {
            switch key {
            case .session(let field):
                if !header.apply(field, set.winner.value, at: set.winner.stamp) {
                    _ = seating.apply(key, set)
                }
            case .player, .membership: _ = seating.apply(key, set)
            case .device(let device): devices[device] = set.winner.value.string
            case .cell(let cell): cells[cell] = set
            case .foreign: break
            }
        }
        players = seating.players
    }
}

extension SessionDocument {
    var title: String { header.title }
    var game: Symbol? { header.game }
    var isFinished: Bool { header.isFinished }
    var sheet: String? { header.sheet }
    var options: [Symbol: Value] { header.options }
}
