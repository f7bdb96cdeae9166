/// What a game calls its turns and itself.
package struct TurnWords: Hashable, Sendable {
    /// The game: `match`.
    package let game: String
    /// A turn: `visit`.
    package let turn: String
    /// What is done in a turn: `throw`.
    package let verb: String
    /// What a new game loses of one that is on: `leg`.
    package let part: String

    /// These words.
    package init(game: String, turn: String, verb: String, part: String) {
        self.game = game
        self.turn = turn
        self.verb = verb
        self.part = part
    }
}

/// Why a turn cannot be entered or does not count in any game in which everybody moves in turn.
package enum TurnRule: Hashable, Sendable {
    /// The turn is somebody else's.
    case otherTurn(UInt32, of: String?)
    /// A turn before this one is open.
    case gap(UInt32, of: String?)
    /// The turn is that of whoever moves since the players changed, which only `play` records.
    case seatedAnew(UInt32)
    /// The game has ended, and these have won.
    case over(winners: [String])
    /// There is nobody to move.
    case nobody
    /// No turn is left to write in.
    case noTurnLeft
    /// The order cannot grow.
    case orderFull
    /// The order is not chosen.
    case recordedOrder
    /// The order is not one.
    case wrongOrder
    /// Something beside a move that its game does not know.
    case unknownDetail(String, known: [String])
    /// A reset with nothing to take back.
    case nothingToReset(part: String)
    /// An option that the turns depend on.
    case modeFixed(String)
    /// An option that was chosen after the first turn.
    case modeRecorded(mode: String, chosen: String)

    /// The rule in the words of a game.
    func description(_ words: TurnWords) -> String {
        switch self {
        case .otherTurn(let turn, let mover): "\(words.turn) \(turn) is \(mover ?? "nobody")'s"
        case .gap(let turn, let mover):
            "\(words.turn) \(turn)" + (mover.map { ", which is \($0)'s," } ?? "")
                + " comes first and nothing counts there"
        case .seatedAnew(let turn):
            "the players changed; enter \(words.turn) \(turn) with play, "
                + "which records who \(words.verb)s now"
        case .over(let winners):
            TurnRule.ending(winners, words.game)
                + "; undo a \(words.turn), or begin another with session new --again"
        case .nobody: "there is nobody to \(words.verb); add a player first"
        case .noTurnLeft: "all turns of this session are used; begin another session"
        case .orderFull:
            "the players changed too often for one \(words.game); begin another session"
        case .recordedOrder:
            "order is recorded by the first \(words.turn); change the seats with player order"
        case .wrongOrder:
            "this is not a \(words.verb)ing order; the game writes it by itself"
        case .unknownDetail(let name, known: []):
            "a \(words.turn) takes no option, not \(name.quoted) either"
        case .unknownDetail(let name, let known):
            "a \(words.turn) takes \(known.map { "--\($0)" }.together) and no other option, "
                + "not \(name.quoted)"
        case .nothingToReset(let part):
            "no \(words.turn) of this \(part) was entered yet; undo takes back what was before"
        case .modeFixed(let option):
            "\(words.turn)s count already, so \(option) stays as it is; begin a new \(words.game) "
                + "with session new --again --option \(option)=…, "
                + "for which the \(words.part) in progress is lost"
        case .modeRecorded(let mode, let chosen):
            "this \(words.game) has \(mode), as its first \(words.turn) recorded; \(chosen) holds "
                + "from the next \(words.game) on"
        }
    }

    private static func ending(_ winners: [String], _ game: String) -> String {
        if winners.isEmpty { return "the \(game) is over" }
        return "\(winners.together) \(winners.count == 1 ? "has" : "have") won the \(game)"
    }
}

extension Move {
    /// Refuses what is said beside the words, but for what the game knows.
    func checkDetails(_ words: TurnWords, known: [String] = []) throws(RuleViolation) {
        guard let strange = details.keys.filter({ !known.contains($0) }).min() else { return }
        throw .game(.turns(.unknownDetail(strange, known: known), words))
    }
}
