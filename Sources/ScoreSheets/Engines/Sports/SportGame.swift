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
        let isBegun = SportSide.allCases.contains { match.total(of: $0) > 0 }
        return StandingLines(book, isOver: state.isOver, mover: nil) { seat in
            let total = setup.side(of: seat).map { Int64(match.total(of: $0)) }
            return (total ?? 0, isBegun ? total.map { [$0] } : nil)
        }
    }

    var endings: Standings.Endings {
        guard let winner = match.winner else { return .outcomes([]) }
        let players = zip(SportSide.allCases, setup.sides).map { side, seat in
            let won: StandingLines.Score = (Int64(match.total(of: side)), [side == winner ? 1 : 0])
            return (setup.players[seat], won, SportRules.tally(of: match, side))
        }
        return .outcomes([Outcome(at: state.latest, of: players)])
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let read = try SportSetup.move(of: score.value, in: score.cell, by: rules.sheet)
        guard let entry = read else { return }
        guard let place = record.place(of: score.cell), place.turn <= record.openTurn,
            place.turn < record.openTurn || !state.isOver
        else { throw record.reasonAfterOpenTurn }
        // The point may have been the other side's until now: the later entry counts.
        let before = record.state(before: place.turn)
        _ = try before.result(of: entry, by: place.seat, setup)
        if place.turn == record.openTurn { try before.check(entry, by: place.seat, setup) }
    }

    /// Whether the next point must record the sides and the options.
    private var isUnrecorded: Bool { !setup.isRecorded || setup.match.recorded?.options == nil }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        try check(option: option, of: options.fixed, areOpen: isUnrecorded, in: book)
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
            options: recordedByNextPoint,
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
            guard let seat = try seat(named: Array(named)) else {
                throw unknownWinner(Array(named))
            }
            return (seat, .setting(setting))
        }
        return (setup.sides[side.index], .setting(setting))
    }

    private func points(
        in words: [String],
        by player: PlayerID?
    ) throws(RuleViolation) -> (seat: Int, count: Int) {
        if let seat = try seat(named: words) {
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
        guard let seat = named.isEmpty ? own : try seat(named: Array(named)) else {
            throw unknownWinner(Array(named))
        }
        try setup.checkCount(count)
        return (seat, count)
    }

    private func seat(named words: [String]) throws(RuleViolation) -> Int? {
        let text = words.joined(separator: " ")
        switch Match(text, among: setup.sides, name) {
        case .one(let seat): return seat
        case .none:
            let members = setup.match.partners?.everybody ?? []
            guard case .one(let member) = Match(text, among: members, \.name) else { return nil }
            return setup.match.partners.flatMap { setup.seats[$0.side(of: member.id)] }
                .flatMap { setup.sides.contains($0) ? $0 : nil }
        case .many: throw RuleViolation("\(text.quoted) could be either side")
        }
    }

    /// Returns the reason why words do not name a side.
    private func unknownWinner(_ words: [String]) -> RuleViolation {
        let names = setup.sides.map(name)
        let text = words.joined(separator: " ")
        let hint = names.map { "scorectl play \($0)" }.joined(separator: ", or ")
        guard !text.isEmpty else { return RuleViolation("who won the point?", hint: hint) }
        let watching = setup.match.present.filter { setup.side(of: $0) == nil }
        if case .one(let seat) = Match(text, among: watching, name) {
            return setup.onlyWatches(name(seat))
        }
        return RuleViolation(
            "\(text.quoted) does not play this match; \(names.together) do",
            hint: hint
        )
    }

    /// The sides and options, if the next point must record them.
    private var recordedByNextPoint: [Symbol: Value] {
        guard isUnrecorded else { return [:] }
        let players = setup.sides.map { setup.players[$0].id }
        let order = TurnOrder(players).setting(options: options.text)
        return order == setup.match.recorded ? [:] : [TurnOrder.option: .text(order.description)]
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

    static func tally(of match: SportMatch, _ side: SportSide) -> [Symbol: Int64] {
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
