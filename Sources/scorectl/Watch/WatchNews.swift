import SyncProtocol

/// The facts of which `watch --notify` tells the user once: a turn of this laptop's player, and
/// conflicts.
struct WatchNews {
    private struct Seen {
        var session: String
        var isMyTurn = false
        var conflicts: Set<[String]> = []
    }

    private var seen: Seen?

    /// Returns a text for each fact that was not so in the sheet before; none for the first sheet,
    /// which the user has asked for.
    mutating func texts(for show: ShowReply) -> [String] {
        let document = show.document
        var now = Seen(session: document.session.id)
        now.isMyTurn = document.turn != nil && document.turn == show.context.me
        let conflicts = show.conflicts.map { player, cell in
            let address = CellAddress.text(cell.row, cell.round)
            return (id: [player.id, address], text: "\(player.name), \(cell.label ?? address)")
        }
        now.conflicts = Set(conflicts.map(\.id))
        defer { seen = now }
        guard let seen else { return [] }
        // In the next game nothing is known yet.
        let before = seen.session == now.session ? seen : Seen(session: now.session)
        let turn = now.isMyTurn && !before.isMyTurn ? ["your turn"] : []
        let found = conflicts.filter { !before.conflicts.contains($0.id) }
            .map { "two values for \($0.text)" }
        return (turn + found).map { "\(document.session.title): \($0)" }
    }
}
