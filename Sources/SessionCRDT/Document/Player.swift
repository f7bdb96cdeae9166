/// A player, as the entries say now.
package struct Player: Hashable, Sendable {
    /// Who it is, whatever the name.
    package let id: PlayerID
    /// What they are called; two players may be called the same.
    package let name: String
    /// The team, where the game has teams.
    package let team: String?
    /// Who moves, where the player is a computer.
    package let computer: Computer?
    /// Whether they take part.
    ///
    /// A removed player keeps all scores.
    package let isPresent: Bool
    /// Whether somebody removed the player while somebody else scored for them or added them, which
    /// keeps them in: to be told.
    package let wasKeptIn: Bool
    /// When the player was added; nil when that has not arrived.
    package let added: Stamp?

    package init(
        id: PlayerID,
        name: String,
        team: String? = nil,
        computer: Computer? = nil,
        isPresent: Bool = true,
        wasKeptIn: Bool = false,
        added: Stamp? = nil
    ) {
        self.id = id
        self.name = name
        self.team = team
        self.computer = computer
        self.isPresent = isPresent
        self.wasKeptIn = wasKeptIn
        self.added = added
    }
}
