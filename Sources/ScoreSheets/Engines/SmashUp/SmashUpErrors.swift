package import SessionCRDT

/// Why something cannot be done in Smash Up, or does not count.
package enum SmashUpRule: Error, Hashable {
    /// Nothing would change.
    case noPoints
    /// A base pays nothing to anybody.
    case basePaysNobody
    /// It is the turn of somebody else, whichever turn of the game.
    case notTheTurn(of: String)
    /// The turn has not begun.
    case turnNotBegun(UInt32, now: UInt32)
    /// The turn is past, and a new score in it could end the game in hindsight.
    case turnPast(UInt32, now: UInt32)
    /// A turn has no more places for points.
    case turnFull(UInt32)
    /// What is written is not what ends a turn.
    case notATurnMark(String)
    /// The end of a turn that somebody writes by hand.
    case endByHand
    /// The game is over.
    case over
    /// The game is not over.
    case notOver
    /// So few played that nobody has won.
    case tooFewPlayed(game: Int, of: Int, allowed: Bounds)
    /// The game of the Madness has not begun.
    case gameNotBegun(UInt32, now: Int)
    /// Two devices entered the same gain in one place.
    case enteredAtOnce
    /// The factions are dealt.
    case dealt
    /// The factions are not dealt.
    case notDealt
    /// The deal is shown.
    case revealed
    /// There are too few factions to deal.
    case tooFewFactions(chosen: Int, players: Int)
    /// What is written is no deal.
    case notADeal
    /// Another deal counts.
    case otherDeal
    /// What is revealed is not the deal that counts.
    case otherDealRevealed

    /// The rule as everybody outside is told it.
    var violation: RuleViolation { .game(.smashUp(self)) }
}

extension SmashUpRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPoints: "0 points would change nothing"
        case .basePaysNobody: "the base pays nobody anything"
        case .notTheTurn(let name): "it is the turn of \(name)"
        case .turnNotBegun(let turn, let now):
            "turn \(turn) has not begun: this is turn \(now)"
        case .turnPast(let turn, let now):
            "turn \(turn) is past: this is turn \(now); write: play NAME +3"
        case .turnFull(let turn): "turn \(turn) has no place left for points"
        case .notATurnMark(let found): "a turn takes end or replay, not \(found)"
        case .endByHand: "a turn ends with: play end"
        case .over:
            "the game is over; play replay begins another with the same factions, undo takes the "
                + "last move back"
        case .notOver: "the game is not over; 'scorectl reset' clears it"
        case .tooFewPlayed(let game, let count, let allowed):
            (count > 1 ? "game \(game)" : "the game") + " has no result: it takes "
                + "\(allowed.playerCount), and fewer played"
        case .gameNotBegun(let game, let now):
            "game \(game) has not begun: this is game \(now); write: play madness NAME=5"
        case .enteredAtOnce: "two devices entered this at once; it counts once"
        case .dealt: "the factions are dealt; a reset takes the deal and the points back"
        case .notDealt: "the factions are not dealt yet; write: play deal"
        case .revealed: "the deal is shown already"
        case .tooFewFactions(let chosen, let players):
            "\(chosen) \(chosen == 1 ? "faction is" : "factions are") chosen and "
                + "\(players) players need "
                + "\(players * FactionDeal.factionsEach); choose more with: play use SET"
        case .notADeal: "this is no deal of two factions to each of these players"
        case .otherDeal: "another deal counts"
        case .otherDealRevealed: "this reveals a deal that does not count"
        }
    }
}

/// Why the words that somebody typed after `play` are no move of Smash Up.
package enum SmashUpWording: Error, Hashable {
    /// The words are no move.
    case notAMove(String)
    /// The name is nobody's.
    case unknownName(String, known: [String])
    /// The name could be several players'.
    case ambiguousName(String, known: [String])
    /// Two players have one name.
    case sameName(String)
    /// The move says one player and is made for another.
    case twoPlayers(String, String)
    /// The same player is named twice.
    case namedTwice(String)
    /// A number without a sign could be a change or a total.
    case signMissing(String)
    /// A base needs three numbers and somebody's power.
    case notABase
    /// A word is not of the form NAME=NUMBER.
    case equalsMissing(String)
    /// The number is none or too large.
    case badNumber(String)
    /// No set or faction was named.
    case nothingNamed(FactionSwitch, known: [Symbol])
    /// There is no such set or faction.
    case unknownFaction(String, known: [Symbol])
    /// Several sets or factions could be meant.
    case ambiguousFaction(String, candidates: [String])

    /// The rule as everybody outside is told it.
    var violation: RuleViolation { .game(.smashUpMove(self)) }
}

extension SmashUpWording: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAMove(let text):
            "\(text.quoted) is no move; there are: NAME +3, base 4 2 1 NAME=10 NAME=8, end, "
                + "madness NAME=5, deal, reveal, replay, use SET or FACTION, also without, only"
        case .unknownName(let name, let known):
            "there is no player \(name.quoted); there are: \(known.joined(separator: ", "))"
        case .ambiguousName(let name, let known):
            "\(name.quoted) could be any of: \(known.joined(separator: ", "))"
        case .sameName(let name): "two players are called \(name.quoted); rename one of them"
        case .twoPlayers(let one, let other): "is it for \(one) or for \(other)?"
        case .namedTwice(let name): "\(name) is there twice"
        case .signMissing(let text): "write +\(text) or -\(text), to say up or down"
        case .notABase:
            "say the three numbers printed on the base, then everybody's power: base 4 2 1 NAME=10"
        case .equalsMissing(let text): "write NAME=NUMBER, not \(text.quoted)"
        case .badNumber(let text): "\(text.quoted) is not a whole number from 0 to 999"
        case .nothingNamed(let change, let known):
            "say which set or faction, as in: play \(change.rawValue) SET; there are: "
                + "all, \(known.list)"
        case .unknownFaction(let name, let known):
            "there is no set or faction \(name.quoted); the sets are: all, \(known.list)"
        case .ambiguousFaction(let name, let candidates):
            "\(name.quoted) could be any of: \(candidates.joined(separator: ", "))"
        }
    }
}

/// What Smash Up tells: of a move that was just made, and below the table.
package enum SmashUpNote: Hashable, Sendable {
    /// The factions that can be dealt, and the sets that they are of, each in words.
    case pool(count: Int, sets: [String])
    /// Factions are dealt to these players, and hidden.
    case dealt(to: [String])
    /// The factions are dealt, and hidden.
    case hidden
    /// What a player was dealt.
    case hand(player: String, factions: [String])
    /// A turn has ended, and another has begun.
    case turn(Int, player: String?)
    /// A turn has ended, and with it the game, which somebody wins.
    case ended(winner: String)
    /// A turn has ended, and these are tied at the target or above.
    case tied([String], points: Int64)
    /// These were tied when the last turn ended.
    case stillTied([String])
    /// What a base pays to each.
    case base([Pay])
    /// Another game begins.
    case again
    /// Who won, all with the same total.
    case won([String], total: Int64)
    /// What can follow a game.
    case next

    /// What a base pays to somebody.
    package struct Pay: Hashable, Sendable {
        /// The player.
        package let player: String
        /// What they gain; less than nothing where they lose.
        package let points: Int64

        /// So much for a player.
        package init(_ player: String, _ points: Int64) {
            self.player = player
            self.points = points
        }
    }
}

extension SmashUpNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pool(let count, let sets):
            FactionChoice.words(ofPool: count)
                + (sets.isEmpty ? "" : ": " + sets.joined(separator: "; "))
        case .dealt(let players):
            "two factions each are dealt to \(players.together); show them: play reveal"
        case .hidden: "the factions are dealt; show them: play reveal"
        case .hand(let player, let factions): "\(player): \(factions.joined(separator: " + "))"
        case .turn(let turn, let player): "turn \(turn): \(player ?? "nobody")"
        case .ended(let winner):
            "\(winner) ends the game; Madness counts now, if there is any: play madness NAME=5"
        case .tied(let players, let points):
            "\(players.together) are tied at \(points): play on"
        case .stillTied(let players):
            "\(players.together) were tied when the last turn ended: play on"
        case .base(let pays):
            "the base pays "
                + pays.map { "\($0.player) \($0.points > 0 ? "+" : "")\($0.points)" }
                .joined(separator: ", ")
        case .again: "a new game begins with the same players and factions"
        case .won(let players, let total):
            players.together + (players.count == 1 ? " has won" : " share the win")
                + " with \(total)"
        case .next: "again: play replay (same factions), reset (choose again), session new --again"
        }
    }
}

/// What people call the cells and values of Smash Up.
struct SmashUpNames: Sendable {
    private let table: SmashUpTable
    private let book: Book

    private var terms: SmashUpTerms { table.terms }

    /// The names of a book.
    init(_ table: SmashUpTable, in book: Book) {
        self.table = table
        self.book = book
    }

    /// The turn of a gain, whose round is a place by chance, and the game of Madness; nil of turns,
    /// which are entered by the number that they have in the session.
    func name(of cell: Cell) -> String? {
        guard let round = cell.round, let label = terms.sheet.row(cell.row)?.label else {
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

    /// Who was dealt what, and by what the points were looked at when a turn ended: with whom only
    /// where others are at the table now.
    ///
    /// Only the deal that was revealed is told, whichever counts now: one that was taken back, or
    /// that lost to another, may be brought back.
    func words(of score: Score) -> ValueWords? {
        let row = SmashUpRow(score.cell.row)
        switch row {
        case .deal, .reveal:
            guard let deal = FactionDeal(score.value, by: terms) else { return nil }
            let isShown = row == .reveal || score.value == terms.shownDeal
            return isShown
                ? ValueWords(shown: hands(of: deal).map(\.description).joined(separator: "; "))
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

    /// What everybody was dealt.
    func hands(of deal: FactionDeal) -> [SmashUpNote] {
        deal.hands.compactMap { hand in
            book.player(hand.player).map { player in
                let factions = hand.factions.map { terms.factions[$0] ?? $0.description }
                return .hand(player: player.name, factions: factions)
            }
        }
    }

    /// Whether a value is of the whole table: a deal, its reveal, and what begins another game.
    static func isOfTable(_ score: Score) -> Bool {
        switch SmashUpRow(score.cell.row) {
        case .deal, .reveal: true
        case .turn: TurnMark(score.value) == .replay
        case .points, .madness, nil: false
        }
    }
}
