import SessionCRDT

extension SmashUpGame {
    func notes(isFinished: Bool) -> [Note] {
        guard !isSettled else { return ending }
        if setup.deal != nil, !setup.isRevealed {
            return [Note("the factions are dealt; reveal shows them")]
        }
        guard !game.leaders.isEmpty else { return [] }
        let names = game.leaders.map(name).together
        return [Note("\(names) were tied when the last turn ended: play on")]
    }

    /// The winners, and the commands to go on.
    private var ending: [Note] {
        let again = "again: replay keeps the factions, reset lets you choose others"
        let next = game.isOver ? [Note(again)] : []
        let winners = cached.lines.lines.filter { $0.rank == 1 }
        guard let total = winners.first?.total else { return next }
        let verb = winners.count == 1 ? "has won" : "share the win"
        return [Note("\(winners.map(\.player.name).together) \(verb) with \(total)")] + next
    }

    var panels: [Panel] { [.table(table), setup.deal == nil ? setup.sets : setup.setsOfDeal] }

    var moveInput: MoveInput {
        if game.isOver {
            return MoveInput(
                kind: .text,
                title: "The game is over",
                help: "Madness cards, as madness NAME=3; replay keeps the factions.",
                words: ["replay"]
            )
        }
        let factions = setup.deal == nil ? ["deal"] : setup.isRevealed ? [] : ["reveal"]
        return MoveInput(
            kind: .text,
            title: "Your points",
            help: "Your points, as +3; a whole base, as base 4 2 1 NAME=10; end ends the turn.",
            words: factions + ["+1", "+2", "+3", "+4", "+5", "-1", "end"]
        )
    }

    var table: Panel.Grid {
        let seats = setup.present
        let showsMadness = seats.contains { game.madness(of: $0) > 0 }
        let rows = seats.map { seat in
            var cells = ["\(game.points(of: seat))"]
            if showsMadness {
                let penalty = game.penalty(of: seat)
                cells.append("\(game.madness(of: seat))" + (penalty > 0 ? " (-\(penalty))" : ""))
            }
            if let deal = setup.deal {
                let dealt = deal.factions(of: setup.players[seat].id)
                    .map { setup.factionNames[$0] ?? $0.description }
                let shown = setup.isRevealed ? dealt.joined(separator: " + ") : "hidden"
                cells.append(dealt.isEmpty ? "none: came after the deal" : shown)
            }
            return Panel.GridRow(setup.players[seat].name, cells)
        }
        return Panel.Grid(
            title: title,
            columns: ["Points"] + (showsMadness ? ["Madness"] : [])
                + (setup.deal == nil ? [] : ["Factions"]),
            rows: rows
        )
    }

    private var title: String {
        let which = gameCount > 1 ? "Game \(game.number), " : ""
        if isSettled { return which.isEmpty ? "Over" : which + "over" }
        let turn = (which.isEmpty ? "Turn" : which + "turn") + " \(game.count(of: record.openTurn))"
        return turn + (state.mover.map { ": \(name($0))" } ?? "")
    }

    /// Returns the lines.
    ///
    /// During a game the total is the points. At the end, by the rules or because the session was
    /// finished, Madness costs a point for every two cards, and the fewest cards decide between
    /// equals (The Obligatory Cthulhu Set, Smash Up).
    func lines(of book: Book) -> StandingLines {
        let isNone = isSettled && !isValid(game)
        let tie = StandingLines.Tie(index: 0) { merit, isBroken in
            "tied at \(merit[0])" + (isBroken ? ", Madness \(0 - merit[1])" : "")
        }
        return StandingLines(
            book,
            isOver: game.isOver,
            mover: mover,
            canBeBrokenOff: false,
            tie: isSettled ? tie : nil
        ) { seat in
            let score = score(of: seat, in: game, isSettled: isSettled)
            return isNone ? (score.total, nil) : score
        }
    }

    /// Returns the score of a player in a game, without a merit for players who take no part and
    /// before the first points.
    private func score(
        of seat: Int,
        in game: SmashUpPlaythrough,
        isSettled: Bool
    ) -> StandingLines.Score {
        let total = isSettled ? game.total(of: seat) : game.points(of: seat)
        guard participates(seat, in: game), game.isScored else { return (total, nil) }
        return (total, [total, isSettled ? 0 - game.madness(of: seat) : 0])
    }

    /// Whether a player takes part in a game; a recorded result has priority.
    private func participates(_ seat: Int, in game: SmashUpPlaythrough) -> Bool {
        let player = setup.players[seat]
        guard game.isOver, let roster = game.roster else { return player.isPresent }
        let isKnown = roster.players != nil || player.isPresent || game.hasPlayed(seat)
        return isKnown && roster.counts(player.id)
    }

    /// Returns the seats that take part in a game, in order.
    private func participants(in game: SmashUpPlaythrough) -> [Int] {
        if game.isOver, let players = game.roster?.players {
            return Set(players.compactMap { setup.seats[$0] }).sorted()
        }
        // In a crowded session, idle players are left out, so that the outcomes of many games stay
        // small.
        let active = Set(game.active)
        let isCrowd = setup.present.count > Sheet.Limits.dealtPlayers
        let known = isCrowd ? active : active.union(setup.present)
        return known.filter { participates($0, in: game) }.sorted()
    }

    /// Whether enough players took part for a result.
    ///
    /// A recorded end was checked by the options at that time, so it is invalid only with fewer
    /// players than any options allow.
    func isValid(_ game: SmashUpPlaythrough) -> Bool {
        let isRecorded = game.isOver && game.roster?.players != nil
        let least = isRecorded ? setup.fewest : setup.allowed.from
        var seats = Set(participants(in: game))
        for seat in setup.present where seats.count < least {
            if participates(seat, in: game) { seats.insert(seat) }
        }
        return seats.count >= least
    }

    var outcomes: [Outcome] { results.compactMap(\.outcome) }

    /// The games with a result: won games, and the last one if the session is finished.
    var endings: Standings.Endings {
        let outcomes = outcomes
        let last = isLastEnded && isValid(game) ? [outcome(of: game, as: outcomes.count + 1)] : []
        return .outcomes(outcomes + last)
    }

    func flagsOfGame(in book: Book) -> [Flag] { setup.flags(of: book) + flawsOfGames }

    private var flawsOfGames: [Flag] {
        let last = isLastEnded && !isValid(game) ? [game.number] : []
        return (results.filter { $0.outcome == nil }.map(\.game) + last).map { number in
            let game = gameCount > 1 ? "game \(number)" : "the game"
            let takes = "it takes \(setup.allowed.playerCount), and fewer played"
            return Flag(.game, RuleViolation("\(game) has no result: \(takes)"))
        }
    }

    private var isLastEnded: Bool { game.isOver || (setup.isFinished && game.isScored) }

    func outcome(of game: SmashUpPlaythrough, as number: Int) -> Outcome {
        Outcome(
            number,
            at: game.latest,
            of: participants(in: game).map { seat in
                let tally = [
                    Symbol(known: "points"): game.points(of: seat),
                    Symbol(known: "madness"): game.madness(of: seat),
                    Symbol(known: "turns"): game.turnCount,
                ]
                return (setup.players[seat], score(of: seat, in: game, isSettled: true), tally)
            }
        )
    }

    /// Returns a name for a gain, by its turn, and for Madness, by its game; nil for turns, which
    /// are entered by their number within the session.
    func name(of cell: Cell) -> String? {
        guard let round = cell.round, let label = setup.sheet.row(cell.row)?.label else {
            return nil
        }
        switch SmashUpRow(cell.row) {
        case .points:
            let place = place(of: TurnRounds.turn(of: round))
            return "\(label) in turn \(place.turn)"
                + (gameCount > 1 ? " of game \(place.game)" : "")
        case .madness: return "\(label) of game \(round)"
        case .turn, .deal, .reveal, nil: return nil
        }
    }

    /// Returns the words for a deal, and for the end of a turn with its target; the players are
    /// named only if other players are present now.
    ///
    /// Only a revealed deal is readable, even if it does not count: one that was cleared or
    /// replaced may be restored.
    func words(of score: Score, in book: Book) -> ValueWords? {
        let row = SmashUpRow(score.cell.row)
        switch row {
        case .deal, .reveal:
            guard let deal = FactionDeal(score.value, by: setup) else { return nil }
            let isShown = row == .reveal || score.value == setup.shownDeal
            return isShown
                ? ValueWords(shown: hands(of: deal, in: book).joined(separator: "; "))
                : ValueWords(shown: "hidden", isHidden: true)
        case .turn:
            guard case .end(let roster) = TurnMark(score.value) else { return nil }
            guard let target = roster.target else {
                let absent = roster.listed
                return absent.isEmpty
                    ? nil : ValueWords(shown: "end without \(list(absent, in: book))")
            }
            let present = book.players.filter(\.isPresent).map(\.id)
            let others = ", with \(list(roster.listed, in: book))"
            let isOfAll = Set(roster.listed) == Set(present)
            return ValueWords(shown: "end, \(target) to win" + (isOfAll ? "" : others))
        case .points, .madness, nil: return nil
        }
    }

    /// Returns the names of players in the order of the seats.
    private func list(_ players: [PlayerID], in book: Book) -> String {
        let players = Set(players)
        let known = book.players.filter { players.contains($0.id) }.map(\.name)
        let strangers = players.filter { book.player($0) == nil }.map { _ in "another player" }
        return (known + strangers).joined(separator: ", ")
    }

    /// Returns the factions of each player: `Ann: Ninjas + Pirates`.
    func hands(of deal: FactionDeal, in book: Book) -> [String] {
        deal.hands.compactMap { hand in
            book.player(hand.player).map { player in
                let factions = hand.factions.map { setup.factionNames[$0] ?? $0.description }
                return "\(player.name): \(factions.joined(separator: " + "))"
            }
        }
    }
}
