import SessionCRDT

/// The turns of a game that were played, with where it stood every so many of them.
struct PlayedTurns<Stand: TurnStand>: Sendable {
    /// The turns that count, from turn 1.
    private(set) var turns = Chunks<Stand.Turn>()
    /// The parts of the game that ended.
    private(set) var parts = Chunks<Stand.Part>()
    /// Where the game stands.
    var recorded: Stand

    /// Where it stood every so many turns, the first before turn 1.
    private var stands = Chunks<Stand>()
    /// How many turns are played again at most before the first that changed.
    ///
    /// More where many play, so that all that is kept grows with the turns and not with turns and
    /// players; whole pieces of a list, so that lists can share what is behind.
    private let stride: Int

    /// Before the first turn.
    init(_ terms: Stand.Terms) {
        let size = Chunks<Stand.Turn>.size
        stride = (terms.players.count / size + 1) * size
        recorded = Stand(terms)
    }

    /// Keeps where it stands, where it is time to.
    mutating func keepStand() {
        if turns.count == stands.count * stride { stands.append(recorded) }
    }

    /// Takes in a turn that counts.
    mutating func take(_ turn: Stand.Turn, _ terms: Stand.Terms) {
        if let part = recorded.take(turn, at: turns.count, terms) { parts.append(part) }
        turns.append(turn)
    }

    /// Goes back to where it stood before a turn that was played, or before one not far before it.
    ///
    /// - Returns: how many turns are left.
    mutating func rewind(to turn: UInt32) -> Int {
        let index = Int(turn - 1) / stride
        recorded = stands[index]
        turns.removeAll(from: index * stride)
        stands.removeAll(from: index)
        while let part = parts.last, part.turns.upperBound > turns.count {
            parts.removeAll(from: parts.count - 1)
        }
        return turns.count
    }

    /// Whether it is time to keep where it stands, and it once stood here as it does now.
    func stands(as before: PlayedTurns) -> Bool {
        turns.count == stands.count * stride && stands.count < before.stands.count
            && before.stands[stands.count] == recorded
    }

    /// Goes on as it did before, since it stands as it stood.
    mutating func goOn(as before: PlayedTurns) {
        let count = turns.count
        let next = before.parts.partitioningIndex { $0.turns.upperBound > count }
        turns.append(before.turns, from: count)
        stands.append(before.stands, from: stands.count)
        parts.append(before.parts, from: next)
        recorded = before.recorded
    }

    /// Where it stood before a turn that was played.
    func stand(before turn: UInt32, _ terms: Stand.Terms) -> Stand {
        let place = Int(turn) - 1
        let start = place / stride
        var stand = stands[start]
        for index in start * stride..<place {
            stand.begin(UInt32(clamping: index + 1), terms)
            _ = stand.take(turns[index], at: index, terms)
        }
        stand.begin(turn, terms)
        return stand
    }
}
