import SessionCRDT

/// A game of Smash Up as its facts tell it, turn by turn from the first.
///
/// At each turn one player is to move, seat by seat; their mark ends it. Points count in the turn
/// in which they were gained, so that points which arrive late still decide whether somebody had
/// won when that turn ended. What stands in turns that have not begun, or after the end, does not
/// count and is flagged.
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

    /// The replay of a book.
    init(_ sheet: Sheet, _ book: Book) {
        facts = SmashUpFacts(sheet, book)
        reasons = facts.flaws
        games = [SmashUpGame(number: 1)]
        target = sheet.target.flatMap { Settings(sheet, book)($0) } ?? 15
        takeTurns()
        refuseLaterTurns()
        takeMadness()
        takeDeal()
    }

    /// The game that is on or just over.
    var game: SmashUpGame { games[games.count - 1] }

    /// Who has most of the points, and enough to win if it is nobody else, by seat.
    ///
    /// Madness is not looked at: it costs points only once the game is over.
    var leaders: [Int] {
        let seats = facts.players.indices.filter { facts.players[$0].isPresent }
        let most = seats.map { game.points[$0] }.max() ?? 0
        return most >= target ? seats.filter { game.points[$0] == most } : []
    }

    private mutating func takeTurns() {
        var last: Int?
        while turn <= TurnRounds.lastTurn {
            let marks = facts.turns[turn] ?? []
            mover = next(after: last, markedBy: Set(marks.map(\.place.player)))
            takePoints()
            let own = marks.first { $0.place.player == mover }
            for mark in marks where mark.place.player != mover {
                refuse(
                    mark.place,
                    .notTheTurn(of: mover.map { facts.players[$0].name } ?? "nobody")
                )
            }
            guard let own else { return }
            if game.isOver, own.mark == .end { return refuse(own.place, .over) }
            take(own)
            last = own.mark == .replay ? nil : mover
            turn += 1
        }
        mover = nil
    }

    /// Who moves after this player: the next seat.
    ///
    /// A removed player is passed over, except in turns that they ended while they took part: else
    /// everything that was played since would stand behind a gap.
    func next(after last: Int?, markedBy marked: Set<Int> = []) -> Int? {
        let count = facts.players.count
        let first = last.map { $0 + 1 } ?? 0
        return (first..<first + count).map { $0 % count }.first { seat in
            facts.players[seat].isPresent || marked.contains(seat)
        }
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
        case .end:
            games[games.count - 1].endTurn(at: facts[mark.place].live.winner.stamp)
            let leaders = leaders
            games[games.count - 1].isOver = leaders.count == 1
            games[games.count - 1].tied = leaders.count > 1 ? leaders : []
        case .replay:
            games.append(SmashUpGame(number: games.count + 1))
        }
    }

    private mutating func refuseLaterTurns() {
        let rule: SmashUpRule? = game.isOver ? .over : nil
        for (later, numbers) in facts.points where later > turn || later > TurnRounds.lastTurn {
            for fact in numbers {
                refuse(fact.place, rule ?? .turnNotBegun(later, now: turn))
            }
        }
        for (later, marks) in facts.turns where later > turn || later > TurnRounds.lastTurn {
            for fact in marks {
                refuse(fact.place, rule ?? .turnNotBegun(later, now: turn))
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
