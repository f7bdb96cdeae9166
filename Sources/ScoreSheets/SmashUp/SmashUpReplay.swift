import SessionCRDT

/// A game of Smash Up as its facts tell it, turn by turn from the first.
///
/// A turn ends with the mark of whoever was to move. That it was their turn is checked when the
/// mark is entered and not here: it depended on who was seated where at that time, of which nothing
/// is known any more, so that players who come, go and change seats leave the past as it was.
/// Points count in the turn in which they were gained, so that points which arrive late still
/// decide whether somebody had won when that turn ended. What stands in turns that have not begun,
/// or after the end, does not count and is flagged.
struct SmashUpReplay {
    /// What was read.
    let facts: SmashUpFacts
    /// The games, the first first; the last one is on or just over.
    private(set) var games: [SmashUpGame]
    /// The turn that is on.
    private(set) var turn: UInt32 = 1
    /// Who is to move, by seat; nil where nobody is, and after the last turn that there can be.
    private(set) var mover: Int?
    /// The deal that counts.
    private(set) var deal: FactionDeal?
    /// Whether it was revealed.
    private(set) var isRevealed = false
    /// The points and the Madness that count: the game, by place in `games`, and the number.
    private(set) var counted: [SmashUpFacts.Place: (game: Int, number: Int64)] = [:]
    /// What does not count, and why.
    private(set) var reasons: [SmashUpFacts.Place: RuleViolation]

    private let target: Int64
    private let allowed: Bounds
    private let present: [Int]

    /// The replay of a book.
    init(_ sheet: Sheet, _ book: Book) {
        facts = SmashUpFacts(sheet, book)
        reasons = facts.flaws
        games = [SmashUpGame(number: 1, firstTurn: 1)]
        allowed = sheet.players(of: book)
        present = facts.players.indices.filter { [facts] in facts.players[$0].isPresent }
        target = sheet.target.flatMap { Settings(sheet, book)($0) } ?? 15
        takeTurns()
        refuseLaterTurns()
        takeMadness()
        takeDeal()
    }

    /// The game that is on or just over.
    var game: SmashUpGame { games[games.count - 1] }

    /// Who of those at the table has most of the points, and enough to win if it is nobody else, by
    /// seat.
    var leaders: [Int] { leaders { facts.players[$0].isPresent } }

    /// Who has played this game and left, those with most points first: what the end of a turn
    /// records.
    var absent: [PlayerID] {
        let game = game
        let seats = game.active.filter { !facts.players[$0].isPresent }
        let ordered = seats.sorted { (game.points[$1], $0) < (game.points[$0], $1) }
        return ordered.prefix(TurnMark.mostAbsent).map { facts.players[$0].id }
    }

    /// Who leads, of those who took part.
    ///
    /// Madness is not looked at: it costs points only once the game is over.
    private func leaders(among tookPart: (Int) -> Bool) -> [Int] {
        let seats = game.seats(from: target).filter(tookPart)
        let most = seats.map { game.points[$0] }.max()
        return seats.filter { game.points[$0] == most }
    }

    /// Whether a player is counted in a game: who won or lost one that is over did so for good.
    func takesPart(_ seat: Int, in game: SmashUpGame) -> Bool {
        let player = facts.players[seat]
        guard game.isOver else { return player.isPresent }
        return !game.absent.contains(player.id) && (player.isPresent || game.hasPlayed(seat))
    }

    /// Why a game that is over has no result; nil where enough played.
    func flaw(of game: SmashUpGame) -> SmashUpRule? {
        var seats = Set(game.active.filter { takesPart($0, in: game) })
        for seat in present where seats.count < allowed.from {
            if takesPart(seat, in: game) { seats.insert(seat) }
        }
        return seats.count < allowed.from
            ? .tooFewPlayed(game: game.number, of: games.count, allowed: allowed) : nil
    }

    /// The games that ended: those that somebody won, and the last one where the session is
    /// finished.
    ///
    /// A game that was given up for another one ended without a winner and is none of them.
    func ended(isSettled: Bool) -> [SmashUpGame] {
        games.filter { game in
            game.isOver || (isSettled && game.number == games.count && game.isScored)
        }
    }

    private mutating func takeTurns() {
        var last: Int?
        while turn <= TurnRounds.lastTurn {
            takePoints()
            let marks = facts.turns[turn] ?? []
            let counting = counting(marks)
            for mark in marks where mark.place != counting?.place {
                let name = counting.map { facts.players[$0.place.player].name }
                refuse(mark.place, name.map(SmashUpRule.notTheTurn) ?? .over)
            }
            guard let counting else {
                mover = next(after: last)
                return
            }
            take(counting)
            last = counting.mark == .replay ? nil : counting.place.player
            turn += 1
        }
    }

    /// The mark that ends the turn: of several the last one.
    ///
    /// Several come from laptops that were apart and had others at the table.
    private func counting(_ marks: [SmashUpFacts.Mark]) -> SmashUpFacts.Mark? {
        marks.filter { $0.mark == .replay || !game.isOver }.max { left, right in
            facts[right.place].live.winner.wins(over: facts[left.place].live.winner)
        }
    }

    /// Who moves after this player, as everybody is seated now.
    func next(after last: Int?) -> Int? {
        let count = facts.players.count
        let first = last.map { $0 + 1 } ?? 0
        return (first..<first + count).lazy.map { $0 % count }
            .first { facts.players[$0].isPresent }
    }

    private mutating func takePoints() {
        for fact in facts.points[turn] ?? [] {
            guard !game.isOver else {
                refuse(fact.place, .over)
                continue
            }
            let entry = facts[fact.place]
            games[games.count - 1]
                .gain(fact.value, by: fact.place.player, at: entry.live.winner.stamp)
            counted[fact.place] = (games.count - 1, fact.value)
            // Different values are shown as a conflict; equal ones only here.
            if entry.live.count > 1, !entry.live.isConflicting {
                refuse(fact.place, .enteredAtOnce)
            }
        }
    }

    private mutating func take(_ mark: SmashUpFacts.Mark) {
        switch mark.mark {
        case .end(let absent):
            let stamp = facts[mark.place].live.winner.stamp
            games[games.count - 1].endTurn(of: mark.place.player, at: stamp)
            games[games.count - 1].absent = Set(absent)
            let leaders = leaders { !absent.contains(facts.players[$0].id) }
            games[games.count - 1].isOver = leaders.count == 1
            games[games.count - 1].tied = leaders.count > 1 ? leaders : []
        case .replay:
            games.append(SmashUpGame(number: games.count + 1, firstTurn: turn + 1))
        }
    }

    private mutating func refuseLaterTurns() {
        let game = game
        let rule: SmashUpRule? = game.isOver ? .over : nil
        func notBegun(_ later: UInt32) -> SmashUpRule {
            .turnNotBegun(game.count(of: later), now: game.count(of: turn))
        }
        for (later, numbers) in facts.points where later > turn || later > TurnRounds.lastTurn {
            for fact in numbers {
                refuse(fact.place, rule ?? notBegun(later))
            }
        }
        for (later, marks) in facts.turns where later > turn || later > TurnRounds.lastTurn {
            for fact in marks {
                refuse(fact.place, rule ?? notBegun(later))
            }
        }
    }

    private mutating func takeMadness() {
        for (number, held) in facts.madness {
            for fact in held {
                guard number <= games.count else {
                    refuse(fact.place, .gameNotBegun(number, now: games.count))
                    continue
                }
                let index = Int(number) - 1
                let stamp = facts[fact.place].live.winner.stamp
                games[index].hold(fact.value, by: fact.place.player, at: stamp)
                counted[fact.place] = (index, fact.value)
            }
        }
    }

    private mutating func takeDeal() {
        let winner = facts.deals.max { left, right in
            facts[right.place].live.winner.wins(over: facts[left.place].live.winner)
        }
        deal = winner?.deal
        for other in facts.deals where other.place != winner?.place {
            refuse(other.place, .otherDeal)
        }
        for reveal in facts.reveals {
            if let deal, reveal.value == deal.value {
                isRevealed = true
            } else {
                refuse(reveal.place, .otherDealRevealed)
            }
        }
    }

    private mutating func refuse(_ place: SmashUpFacts.Place, _ rule: SmashUpRule) {
        reasons[place] = rule.violation
    }
}
