import SessionCRDT

/// Gains, bases and Madness.
extension SmashUpTable {
    /// What somebody gains or loses.
    struct Gain: Hashable {
        let player: Player
        let points: Int64
    }

    /// Whose points were meant; without a name those of the mover.
    func gains(
        _ points: [SmashUpMove.NamedNumber],
        by mover: PlayerID?,
        in book: Book
    ) throws(RuleViolation) -> [Gain] {
        let own = mover ?? stand.mover.map { terms.players[$0].id }
        var gains: [Gain] = []
        for point in points {
            if let name = point.name {
                gains.append(Gain(player: try player(name, in: book), points: point.number))
            } else {
                guard let player = own.flatMap(book.player) else {
                    throw terms.violation(.nobody)
                }
                gains.append(Gain(player: player, points: point.number))
            }
        }
        return gains
    }

    /// Writes each gain as a fact of its own, all in one commit.
    func gain(
        _ gains: [Gain],
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        if game.isOver { throw SmashUpRule.over.violation }
        if stand.isOver { throw terms.violation(.noTurnLeft) }
        var writes: [Score] = []
        for gain in gains {
            let id = gain.player.id
            guard !writes.contains(where: { $0.cell.player == id }) else {
                throw SmashUpWording.namedTwice(gain.player.name).violation
            }
            // Rounds that were cleared are not used again: undo may bring them back.
            let round = TurnRounds.free(in: record.openTurn, using: &chance) { round in
                book[Cell(player: id, row: SmashUpRow.points.id, round: round)] != nil
            }
            guard let round else { throw SmashUpRule.turnFull(record.openTurn).violation }
            let cell = Cell(player: id, row: SmashUpRow.points.id, round: round)
            let score = Score(cell, .integer(gain.points))
            try rules.checkForm(score, in: book)
            writes.append(score)
        }
        return Played(by: gains.count == 1 ? gains[0].player.id : nil, writes: writes)
    }

    func base(
        _ printed: [Int64],
        _ powers: [SmashUpMove.NamedNumber],
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        let players = try players(powers, in: book)
        let awards = BaseScoring.awards(printed: printed, powers: powers.map(\.number))
        let gains = zip(players, awards).map { Gain(player: $0, points: $1) }
            .filter { $0.points != 0 }
        guard !gains.isEmpty else { throw SmashUpRule.basePaysNobody.violation }
        let played = try gain(gains, in: book, using: &chance)
        let pays = gains.map { SmashUpNote.Pay($0.player.name, $0.points) }
        return Played(
            by: played.player,
            writes: played.writes,
            notes: [.smashUp(.base(pays))]
        )
    }

    func madness(
        _ held: [SmashUpMove.NamedNumber],
        in book: Book
    ) throws(RuleViolation) -> Played {
        let players = try players(held, in: book)
        var writes: [Score] = []
        for (player, cards) in zip(players, held.map(\.number)) {
            let round = UInt32(clamping: gameCount)
            let cell = Cell(player: player.id, row: SmashUpRow.madness.id, round: round)
            let score = Score(cell, .integer(cards))
            try rules.checkForm(score, in: book)
            writes.append(score)
        }
        return Played(by: players.count == 1 ? players[0].id : nil, writes: writes)
    }

    /// The players of some numbers, each once.
    private func players(
        _ named: [SmashUpMove.NamedNumber],
        in book: Book
    ) throws(RuleViolation) -> [Player] {
        var players: [Player] = []
        for namedNumber in named {
            let player = try player(namedNumber.name ?? "", in: book)
            guard !players.contains(player) else {
                throw SmashUpWording.namedTwice(player.name).violation
            }
            players.append(player)
        }
        return players
    }

    /// The player that a name means, which may be shortened.
    private func player(_ name: String, in book: Book) throws(RuleViolation) -> Player {
        let present = book.players.filter(\.isPresent)
        switch Match(name, among: present, \.name) {
        case .one(let player): return player
        case .many(let players):
            throw SmashUpWording.ambiguousName(name, known: players.map(\.name)).violation
        case .none:
            let removed = book.players.filter { !$0.isPresent }
            if case .one(let player) = Match(name, among: removed, \.name) {
                throw .removedPlayer(name: player.name)
            }
            throw SmashUpWording.unknownName(name, known: present.map(\.name)).violation
        }
    }
}
