import SessionCRDT

struct SportGame: TurnGame {
    let rules: SportRules
    var record: TurnRecord<SportState>
    var cached: CachedStandings

    var match: SportMatch { state.match }
    var options: SportOptions { setup.options }

    var totalLabel: String {
        if options.best > 1 { return setup.part.title }
        return options.hasGames ? SportPartName.game.title : "Points"
    }

    /// Returns the lines; no player leads before a part is won or, in a match of one part, a point.
    func lines(of book: Book) -> StandingLines {
        let isBegun = MatchSide.allCases.contains { match.total(of: $0) > 0 }
        return StandingLines(book, isOver: state.isOver, mover: nil) { seat in
            let total = setup.side(of: seat).map { Int64(match.total(of: $0)) }
            return (total ?? 0, isBegun ? total.map { [$0] } : nil)
        }
    }

    var endings: Standings.Endings {
        guard let winner = match.winner else { return .outcomes([]) }
        let players = zip(MatchSide.allCases, setup.sides).map { side, seat in
            let won: StandingLines.Score = (Int64(match.total(of: side)), [side == winner ? 1 : 0])
            return (setup.players[seat], won, SportRules.tally(of: match, side))
        }
        return .outcomes([Outcome(at: state.latest, of: players)])
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        guard let (entry, place, before) = try placing(score, in: book),
            place.turn == record.openTurn
        else { return }
        try before.check(entry, by: place.seat, setup)
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        try check(option: option, of: options.fixed, areOpen: setup.isUnrecorded, in: book)
    }

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        if let violation = setup.tooFewPlayers { throw violation }
        guard record.openTurn <= Cell.lastRound else { throw setup.words.noTurnLeft }
        let (seat, entry) = try entry(of: move)
        let player = setup.players[seat]
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        try state.check(entry, by: seat, setup)
        let after = try playing(entry, by: seat).game
        return Played(
            by: player.id,
            writes: [Score(setup.cell(seat, turns.count + 1), .text(entry.text))],
            options: setup.recordedByNextTurn,
            notes: after.replyToPoint + after.notes(isFinished: false)
        )
    }

    /// Parses a move: the winner and the number of points, as `Ann`, `Ann 3`, or `3` or `point` for
    /// the player who enters it; or the choice of the side that has it, as `set two`.
    private func entry(of move: Move) throws(RuleViolation) -> (seat: Int, entry: SportEntry) {
        let words = move.words.flatMap { $0.split(separator: " ").map(String.init) }
        if let choice = try choice(in: words) { return choice }
        let (seat, count) = try points(in: words, by: move.player)
        return (seat, .points(count))
    }

    /// Parses `set two`, perhaps after the name of the side that chooses; nil for other words.
    private func choice(in words: [String]) throws(RuleViolation) -> (Int, SportEntry)? {
        let found = words.indices.lazy.compactMap { index in
            SportSetting(typed: words[index...]).map { (words[..<index], $0) }
        }
        guard let (named, setting) = found.first else { return nil }
        guard let side = match.chooser else { throw setup.noChoice }
        guard named.isEmpty else {
            guard let seat = try setup.seat(named: named) else {
                throw unknownWinner(named)
            }
            return (seat, .setting(setting))
        }
        return (setup.sides[side.index], .setting(setting))
    }

    private func points(
        in words: [String],
        by player: PlayerID?
    ) throws(RuleViolation) -> (seat: Int, count: Int) {
        if let seat = try setup.seat(named: words) {
            guard options.most == 1 else {
                throw RuleViolation(
                    "how many points did \(name(seat)) win?",
                    hint: "for example: scorectl play \(name(seat)) 3"
                )
            }
            return (seat, 1)
        }
        let own = player.flatMap { setup.seats[$0] }
        guard let last = words.last, let count = last == "point" ? 1 : Int(last) else {
            throw unknownWinner(words)
        }
        let named = words.dropLast()
        guard let seat = named.isEmpty ? own : try setup.seat(named: named) else {
            throw unknownWinner(named)
        }
        try setup.checkCount(count)
        return (seat, count)
    }

    /// Returns the reason why words do not name a side.
    private func unknownWinner(_ words: some Collection<String>) -> RuleViolation {
        setup.unknownSide(words, asking: "who won the point?")
    }

    /// Returns a reset of the points of the part in progress, and of later points that do not
    /// count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        let part = options.best > 1 ? setup.part.rawValue : "match"
        return try reset(of: book, from: state.partStart + 1, part: part) { count in
            let lost = "\(count) \(count == 1 ? "point" : "points")"
            let which = options.best > 1 ? "\(part) \(match.parts.count + 1)" : "the match"
            return "Take back \(which), which loses \(lost)?"
        }
    }
}

extension SportRules {
    private static let parts = Symbol(known: "parts-won")
    private static let points = Symbol(known: "points-won")
    private static let pointsLost = Symbol(known: "points-lost")
    private static let run = Symbol(known: "longest-run")

    static func tally(of match: SportMatch, _ side: MatchSide) -> [Symbol: Int64] {
        [
            parts: Int64(match.won[side]), points: Int64(match.allPoints[side]),
            pointsLost: Int64(match.allPoints[side.other]), run: Int64(match.longestRun[side]),
        ]
    }

    package func statistics(of matches: [PlayerOutcome]) -> [Statistic] {
        let won = matches.sum(of: Self.points)
        let share = Statistic.average(won * 100, won + matches.sum(of: Self.pointsLost))
        return [
            .count("matches", "Matches", matches),
            .wins("wins", "Matches won", matches),
            .sum(Self.parts, "\(part.title) won", matches),
            Statistic(Self.points, "Points won", "\(won)"),
            Statistic("points-share", "Share of all points", share.map { $0 + " %" }),
            .most(Self.run, "Longest run of points", matches),
        ]
    }
}
