import SessionCRDT

/// Notes, tables, standings and results of Smash Up.
extension SmashUpGame {
    func notes(isFinished: Bool) -> [Note] {
        guard !isSettled else { return ending }
        if setup.deal != nil, !setup.isRevealed {
            return [Note("the factions are dealt; show them: play reveal")]
        }
        guard !game.leaders.isEmpty else { return [] }
        let names = game.leaders.map(name).together
        return [Note("\(names) were tied when the last turn ended: play on")]
    }

    /// The winners, and what can follow.
    private var ending: [Note] {
        let again =
            "again: play replay (same factions), reset (choose again), session new --again"
        let next = game.isOver ? [Note(again)] : []
        let winners = kept.lines.lines.filter { $0.rank == 1 }
        guard let total = winners.first?.total else { return next }
        let verb = winners.count == 1 ? "has won" : "share the win"
        return [Note("\(winners.map(\.player.name).together) \(verb) with \(total)")] + next
    }

    /// The scoreboard, and the sets to deal from.
    var panels: [Panel] { [.table(board), setup.deal == nil ? setup.sets : setup.setsOfDeal] }

    var moveInput: MoveInput {
        MoveInput(
            .text,
            title: "Your move",
            help: "Your points, as +3; end ends the turn.",
            words: [
                "+1", "+2", "+3", "+4", "+5", "-1", "end", "deal", "reveal", "replay",
            ]
        )
    }

    /// The points of the present players, and their factions.
    var board: Panel.Grid {
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
                    .map { setup.factions[$0] ?? $0.description }
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
}

extension SmashUpGame {
    /// The lines.
    ///
    /// During a game the total is the points. At the end, by the rules or because the session was
    /// finished, Madness costs a point for every two cards, and the fewest cards decide between
    /// equals (The Obligatory Cthulhu Set, Smash Up).
    func lines(of book: Book) -> StandingLines {
        let (isSettled, isNone) = (isSettled, isSettled && !isValid(game))
        let tie = StandingLines.Tie(index: 0) { merit, isBroken in
            "tied at \(merit[0])" + (isBroken ? ", Madness \(0 - merit[1])" : "")
        }
        return StandingLines(
            ranking: setup.players,
            isFinished: isSettled,
            turn: isSettled ? nil : state.mover.map { setup.players[$0].id },
            showsAbsent: false,
            tie: isSettled ? tie : nil
        ) { seat in
            StandingLines.Score(
                total: isSettled ? game.total(of: seat) : game.points(of: seat),
                merit: isNone ? nil : merit(of: seat, in: game, isSettled: isSettled)
            )
        }
    }

    /// The numbers that decide between the players of a game; nil for others, and before the first
    /// points.
    private func merit(of seat: Int, in game: SmashUpPlaythrough, isSettled: Bool) -> [Int64]? {
        guard takesPart(seat, in: game), game.isScored else { return nil }
        return isSettled
            ? [game.total(of: seat), 0 - game.madness(of: seat)] : [game.points(of: seat), 0]
    }

    /// Whether a player takes part in a game; a result that is recorded holds.
    private func takesPart(_ seat: Int, in game: SmashUpPlaythrough) -> Bool {
        let player = setup.players[seat]
        guard game.isOver, let roster = game.roster else { return player.isPresent }
        let isKnown = roster.players != nil || player.isPresent || game.hasPlayed(seat)
        return isKnown && roster.counts(player.id)
    }

    /// The seats that take part in a game, in order.
    private func participants(in game: SmashUpPlaythrough) -> [Int] {
        if game.isOver, let players = game.roster?.players {
            return Set(players.compactMap { setup.seats[$0] }).sorted()
        }
        // A session with too many players must not make an outcome of each game for all of them.
        let active = Set(game.active)
        let isCrowd = setup.present.count > Sheet.Limits.dealtPlayers
        let known = isCrowd ? active : active.union(setup.present)
        return known.filter { takesPart($0, in: game) }.sorted()
    }

    /// Whether enough players took part for a result.
    ///
    /// A recorded end was checked by the options of that time, so only fewer players than the sheet
    /// ever allows invalidate it.
    func isValid(_ game: SmashUpPlaythrough) -> Bool {
        let isRecorded = game.isOver && game.roster?.players != nil
        let least = isRecorded ? setup.fewest : setup.allowed.from
        var seats = Set(participants(in: game))
        for seat in setup.present where seats.count < least {
            if takesPart(seat, in: game) { seats.insert(seat) }
        }
        return seats.count >= least
    }

    /// The games with a result: those that were won, and the last one if the session is finished.
    var endings: Standings.Endings {
        let last =
            isLastEnded && isValid(game)
            ? [outcome(of: game, as: results.outcomes.count + 1)] : []
        return .outcomes(results.outcomes + last)
    }

    func flagsOfGame(in book: Book) -> [Flag] { setup.flags(of: book) + flawsOfGames }

    private var flawsOfGames: [Flag] {
        let last = isLastEnded && !isValid(game) ? [game.number] : []
        return (results.flawed + last).map { number in
            let game = gameCount > 1 ? "game \(number)" : "the game"
            let takes = setup.allowed.playerCount
            return Flag(
                .game,
                RuleViolation("\(game) has no result: it takes \(takes), and fewer played")
            )
        }
    }

    private var isLastEnded: Bool { game.isOver || (setup.isFinished && game.isScored) }

    /// A game that ended, for statistics.
    func outcome(of game: SmashUpPlaythrough, as number: Int) -> Outcome {
        let seats = participants(in: game)
        let ranks = CompetitionRanking.ranks(
            seats.map { merit(of: $0, in: game, isSettled: true) }
        )
        return Outcome(
            number: number,
            at: game.latest,
            players: zip(seats, ranks).map { seat, rank in
                PlayerOutcome(
                    player: setup.players[seat].id,
                    name: setup.players[seat].name,
                    isWinner: rank == 1,
                    rank: rank,
                    total: game.total(of: seat),
                    tally: [
                        Symbol(known: "points"): game.points(of: seat),
                        Symbol(known: "madness"): game.madness(of: seat),
                        Symbol(known: "turns"): game.turnCount,
                    ]
                )
            }
        )
    }
}

/// The words for the cells and values of Smash Up.
struct SmashUpNames: Sendable {
    private let table: SmashUpGame
    private let book: Book

    private var setup: SmashUpSetup { table.setup }

    init(_ table: SmashUpGame, in book: Book) {
        (self.table, self.book) = (table, book)
    }

    /// Names a gain by its turn and Madness by its game; nil for turns, which are entered by their
    /// number in the session.
    func name(of cell: Cell) -> String? {
        guard let round = cell.round, let label = setup.sheet.row(cell.row)?.label else {
            return nil
        }
        switch SmashUpRow(cell.row) {
        case .points:
            let place = table.place(of: TurnRounds.turn(of: round))
            return "\(label) in turn \(place.turn)"
                + (table.gameCount > 1 ? " of game \(place.game)" : "")
        case .madness: return "\(label) of game \(round)"
        case .turn, .deal, .reveal, nil: return nil
        }
    }

    /// The words for a deal, and for the end of a turn with its target; the players are named only
    /// if others are present now.
    ///
    /// Only a revealed deal is readable, also if it does not count: one that was taken back, or
    /// lost to another, may be restored.
    func words(of score: Score) -> ValueWords? {
        let row = SmashUpRow(score.cell.row)
        switch row {
        case .deal, .reveal:
            guard let deal = FactionDeal(score.value, by: setup) else { return nil }
            let isShown = row == .reveal || score.value == setup.shownDeal
            return isShown
                ? ValueWords(shown: hands(of: deal).joined(separator: "; "))
                : ValueWords(shown: "hidden", isHidden: true)
        case .turn:
            switch TurnMark(score.value) {
            case .end(.recorded(let target, let players)):
                let isOfAll = Set(players) == Set(book.players.filter(\.isPresent).map(\.id))
                let others = isOfAll ? "" : ", with \(list(players))"
                return ValueWords(shown: "end, \(target) to win" + others)
            case .end(.without(let absent)) where !absent.isEmpty:
                return ValueWords(shown: "end without \(list(absent))")
            case .end, .replay, nil: return nil
            }
        case .points, .madness, nil: return nil
        }
    }

    /// Players by name, in the order of the seats.
    private func list(_ players: [PlayerID]) -> String {
        let players = Set(players)
        let known = book.players.filter { players.contains($0.id) }.map(\.name)
        let strangers = players.filter { book.player($0) == nil }.map { _ in "somebody" }
        return (known + strangers).joined(separator: ", ")
    }

    /// The factions of each player: `Ann: Ninjas + Pirates`.
    func hands(of deal: FactionDeal) -> [String] {
        deal.hands.compactMap { hand in
            book.player(hand.player).map { player in
                let factions = hand.factions.map { setup.factions[$0] ?? $0.description }
                return "\(player.name): \(factions.joined(separator: " + "))"
            }
        }
    }

    /// Whether a value belongs to the whole table: a deal, its reveal, and a replay.
    static func isOfTable(_ score: Score) -> Bool {
        switch SmashUpRow(score.cell.row) {
        case .deal, .reveal: true
        case .turn: TurnMark(score.value) == .replay
        case .points, .madness, nil: false
        }
    }
}
