import SessionCRDT

/// By what the points of a game were looked at when its latest turn ended.
struct SmashUpRoll: Hashable {
    /// How many points win.
    let target: Int64
    /// Who was at the table; nil where only those are known who had left.
    let players: [PlayerID]?
    private let listed: Set<PlayerID>

    /// The roll of a mark; `target` is that of a mark that recorded none.
    init(_ terms: TurnMark.Terms, target: Int64) {
        switch terms {
        case .recorded(let recorded, let players):
            self.target = recorded
            self.players = players
            listed = Set(players)
        case .without(let absent):
            self.target = target
            players = nil
            listed = Set(absent)
        }
    }

    /// Whether a player was at the table, as far as that is known.
    func counts(_ player: PlayerID) -> Bool { listed.contains(player) == (players != nil) }
}
