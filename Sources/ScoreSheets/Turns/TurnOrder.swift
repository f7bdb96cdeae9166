import SessionCRDT

/// How a game is set, who moves in which order, and from which turn on.
///
/// It is recorded by the first turn, and by the first one after players came, left or were seated
/// anew: derived from the present seats and options, an added player or another start, chosen on a
/// device that was apart, would make every turn before wrong. It is one value, so that of two
/// devices which began apart one says both how a game is set and who moves.
///
/// Its text is the mode and `TURN ID ID…` for each stint, joined by `;`. Matches that were begun by
/// the first versions have no mode in it until their next turn, and games without options none.
struct TurnOrder: Hashable, Sendable {
    /// How the game is set; nil where that is not recorded.
    let mode: String?
    /// The stints by their first turn; the first one begins with turn 1.
    let stints: [Stint]

    /// The option that keeps it.
    static let option = Symbol(known: "order")

    /// How long its text may be, in bytes: what a value of a session can hold.
    static let longest = 4096

    /// How many can move: as many as a text of that length surely names.
    static let mostPlayers = 100

    /// An order that holds from a turn on.
    struct Stint: Hashable, Sendable {
        /// The first turn.
        let turn: UInt32
        /// Who moves, each once; at least one.
        let players: [PlayerID]
    }

    /// The order in which these move from the first turn on.
    init(_ players: [PlayerID]) {
        self.init(mode: nil, stints: [Stint(turn: 1, players: players)])
    }

    private init(mode: String?, stints: [Stint]) {
        self.mode = mode
        self.stints = stints
    }

    /// The order of a text; nil where it is none.
    init?(_ text: String, isMode: (Substring) -> Bool) {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false)
        mode = parts.first.flatMap { isMode($0) ? String($0) : nil }
        if mode != nil { parts.removeFirst() }
        var stints: [Stint] = []
        for part in parts {
            let words = part.split(separator: " ", omittingEmptySubsequences: false)
            let players = words.dropFirst().compactMap { PlayerID($0) }
            guard let turn = words.first.flatMap({ UInt32($0) }), !players.isEmpty,
                players.count == words.count - 1, Set(players).count == players.count,
                stints.last.map({ $0.turn < turn }) ?? (turn == 1)
            else { return nil }
            stints.append(Stint(turn: turn, players: players))
        }
        guard !stints.isEmpty else { return nil }
        self.stints = stints
    }

    /// The order in which these move from a turn on.
    func changing(at turn: UInt32, to players: [PlayerID]) -> TurnOrder {
        let before = stints.filter { $0.turn < turn }
        return TurnOrder(mode: mode, stints: before + [Stint(turn: turn, players: players)])
    }

    /// The order in a game that is set like this.
    func setting(_ mode: String?) -> TurnOrder { TurnOrder(mode: mode, stints: stints) }
}

extension TurnOrder: CustomStringConvertible {
    var description: String {
        let stints = stints.map { stint in
            (["\(stint.turn)"] + stint.players.map(\.description)).joined(separator: " ")
        }
        return ((mode.map { [$0] } ?? []) + stints).joined(separator: ";")
    }
}
