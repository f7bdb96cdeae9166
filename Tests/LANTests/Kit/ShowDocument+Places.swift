import SyncProtocol

extension ShowDocument {
    /// The name, total and rank of each player, in seat order: `Ann 98 3`, `Bob 0 -`.
    var places: [String] {
        players.map { "\($0.name) \($0.total) \($0.rank.map(String.init) ?? "-")" }
    }

    /// The name of the player to move.
    var mover: String? { players.first { $0.id == turn }?.name }

    /// The names of the winners.
    var champions: [String] { players.filter(\.winner).map(\.name) }

    /// The flags on entries, as `Ann visit.3: …`.
    var objections: [String] {
        flags.map { flag in
            let name = players.first { $0.id == flag.player }?.name ?? flag.player
            return "\(name) \(flag.row)\(flag.round.map { ".\($0)" } ?? ""): \(flag.reason)"
        }
    }

    /// The number of cells in conflict.
    var conflictCount: Int { players.flatMap(\.cells).count { !$0.conflict.isEmpty } }

    /// The values of a player's row, by round.
    func values(of player: String, in row: String) -> [Scalar] {
        players.first { $0.name == player }?.cells.filter { $0.row == row }.map(\.value) ?? []
    }
}
