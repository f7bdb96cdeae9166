import SessionCRDT

/// Who throws in which order, and from which turn on.
///
/// It is recorded by the first visit, and by the first one after players came, left or were seated
/// anew: derived from the present seats alone, an added player would make every turn before wrong.
/// Its text is `TURN ID ID…`, joined by `;`.
struct DartsOrder: Hashable {
    /// The stints by their first turn; the first one begins with turn 1.
    let stints: [Stint]

    /// How long its text may be, in bytes: what a value of a session can hold.
    static let longest = 4096

    /// How many can throw: as many as a text of that length surely names.
    static let mostPlayers = 100

    /// An order that holds from a turn on.
    struct Stint: Hashable {
        /// The first turn.
        let turn: UInt32
        /// Who throws, each once; at least one.
        let players: [PlayerID]
    }

    /// The order in which these throw from the first turn on.
    init(_ players: [PlayerID]) {
        stints = [Stint(turn: 1, players: players)]
    }

    private init(stints: [Stint]) {
        self.stints = stints
    }

    /// The order of a text.
    init?(_ text: String) {
        var stints: [Stint] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ", omittingEmptySubsequences: false)
            let players = words.dropFirst().compactMap { PlayerID($0) }
            guard let turn = words.first.flatMap({ UInt32($0) }), !players.isEmpty,
                players.count == words.count - 1, Set(players).count == players.count,
                stints.last.map({ $0.turn < turn }) ?? (turn == 1)
            else { return nil }
            stints.append(Stint(turn: turn, players: players))
        }
        self.stints = stints
    }

    /// The order in which these throw from a turn on.
    func changing(at turn: UInt32, to players: [PlayerID]) -> DartsOrder {
        let before = stints.filter { $0.turn < turn }
        guard !before.isEmpty else { return DartsOrder(players) }
        return DartsOrder(stints: before + [Stint(turn: turn, players: players)])
    }
}

extension DartsOrder: CustomStringConvertible {
    var description: String {
        stints.map { stint in
            (["\(stint.turn)"] + stint.players.map(\.description)).joined(separator: " ")
        }
        .joined(separator: ";")
    }
}
