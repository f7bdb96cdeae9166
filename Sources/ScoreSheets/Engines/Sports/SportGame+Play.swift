import SessionCRDT

extension SportGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        if let missing = terms.missing { throw missing }
        try move.checkDetails(SportMode.words)
        guard record.openTurn <= Cell.lastRound else { throw terms.violation(.noTurnLeft) }
        let (seat, count) = try entry(of: move)
        let player = terms.players[seat]
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        let after = try playing(count, by: seat).game
        return Played(
            by: player.id,
            writes: [Score(terms.cell(seat, turns.count + 1), .text("\(count)"))],
            options: recordedByNext,
            notes: after.scoreNote + after.notes(isFinished: false)
        )
    }

    /// Who won how many points by the words of a move: `Ann`, `Ann 3`, or of whoever enters it `3`
    /// or `point`.
    private func entry(of move: Move) throws(RuleViolation) -> (seat: Int, count: Int) {
        let words = move.words.flatMap { $0.split(separator: " ").map(String.init) }
        let most = terms.mode.most
        if let seat = try seat(named: words) {
            guard most == 1 else { throw SportRule.countMissing(terms.name(seat)).violation }
            return (seat, 1)
        }
        let own = move.player.flatMap { terms.seats[$0] }
        guard let last = words.last, let count = last == "point" ? 1 : Int(last) else {
            throw refusal(of: words)
        }
        let named = words.dropLast()
        guard let seat = named.isEmpty ? own : try seat(named: Array(named)) else {
            throw refusal(of: Array(named))
        }
        guard (1...most).contains(count) else {
            throw SportRule.tooMany(count, most: most).violation
        }
        return (seat, count)
    }

    /// The side that words name; nil of none.
    private func seat(named words: [String]) throws(RuleViolation) -> Int? {
        let text = words.joined(separator: " ")
        switch Match(text, among: terms.sides, terms.name) {
        case .one(let seat): return seat
        case .none: return nil
        case .many: throw SportRule.ambiguousWinner(text).violation
        }
    }

    /// What to say of words that name no side.
    private func refusal(of words: [String]) -> RuleViolation {
        let names = terms.sides.map(terms.name)
        let text = words.joined(separator: " ")
        guard !text.isEmpty else { return SportRule.winnerMissing(players: names).violation }
        let watching = terms.match.present.filter { terms.side(of: $0) == nil }
        if case .one(let seat) = Match(text, among: watching, terms.name) {
            return SportRule.watches(terms.name(seat), players: terms.whoPlays).violation
        }
        return SportRule.unknownWinner(text, players: names).violation
    }

    /// What the next point records: who plays, and how the match is set.
    private var recordedByNext: [Symbol: Value] {
        guard !terms.isRecorded || terms.match.recorded?.mode == nil else { return [:] }
        let order = TurnOrder(terms.sides.map { terms.players[$0].id }).setting(terms.mode.text)
        return order == terms.match.recorded ? [:] : [TurnOrder.option: .text(order.description)]
    }

    /// The points of the part in progress, and what is written behind them and does not count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        let part = terms.mode.best > 1 ? terms.part.rawValue : "match"
        return try reset(of: book, from: stand.partStart + 1, part: part) { count in
            let lost = "\(count) \(count == 1 ? "point" : "points")"
            let which = terms.mode.best > 1 ? "\(part) \(board.parts.count + 1)" : "the match"
            return "Take back \(which), which loses \(lost)?"
        }
    }
}
