import SessionCRDT

/// What the letters of a book come to, played again from the first turn.
///
/// A turn goes to the letter that fits. That it was its player's turn is checked when it is entered
/// and not here: a player who was away was passed over, and of who was away at that time nothing is
/// known any more, so that players who leave and come back leave the past as it was. What does not
/// fit does not count, and what follows a turn without a letter that counts waits for it. Each
/// letter is looked at once, so that the work grows with the letters and not with their square.
struct GhostReplay {
    /// Who plays.
    let circle: GhostCircle
    /// How many lives each has left, by place.
    private(set) var lives: [Int]
    /// The rounds that were lost, the first first.
    private(set) var losses: [GhostLoss] = []
    /// The turn that has no letter yet, from 1.
    private(set) var turn: UInt32 = 1
    /// The first turn of the round under way; of the last round once the game is over.
    private(set) var firstTurn: UInt32 = 1
    /// The letters of the round so far.
    private(set) var beginning = ""
    /// The round under way, from 1; the last one once the game is over.
    var round: Int { losses.count + (isOver ? 0 : 1) }
    /// Whether the rules ended the game.
    private(set) var isOver = false
    /// The stamp of the latest letter that counts.
    private(set) var latest: Stamp?
    /// Whose letter counts at each turn, by place.
    private(set) var movers: [Int] = []
    /// How many letters of each player count, by place.
    private(set) var counts: [Int]
    /// Why letters do not count.
    private(set) var reasons: [Cell: GhostRule] = [:]

    /// Whether a lost round costs one of five lives and not the game.
    let isTable: Bool
    /// How many letters a word has at least that can be completed.
    private let minimum: Int64
    /// The place where the turn goes to, present or not.
    private var next = 0
    /// How many have lives left.
    private var contenders: Int

    /// What stands in a cell.
    private struct Written {
        let turn: UInt32
        let place: Int
        let letter: GhostLetter?
        let entry: Entry
        let cell: Cell
    }

    /// Plays what the book has, or only what comes before a turn.
    init(_ book: Book, _ terms: GhostTerms, by sheet: Sheet, before end: UInt32 = .max) {
        circle = GhostCircle(book, recorded: terms.circle)
        lives = circle.players.map { _ in terms.lives }
        counts = circle.players.map { _ in 0 }
        contenders = circle.players.count
        isTable = terms.isTable
        minimum = terms.minimum
        let written = written(in: book, by: sheet, before: end)
        var rest = written[...]
        while let first = rest.first {
            let group = rest.prefix { $0.turn == first.turn }
            rest = rest.dropFirst(group.count)
            play(group)
        }
    }

    /// The letters of everybody, turn by turn.
    private mutating func written(
        in book: Book,
        by sheet: Sheet,
        before end: UInt32
    ) -> [Written] {
        var written: [Written] = []
        for player in book.players {
            let place = circle.place(of: player.id)
            for entry in book.cells(of: player.id)
            where entry.cell.row == GhostTerms.letter {
                let winner = entry.live.winner
                let value = winner.value
                guard value != .null, sheet.violation(of: value, in: entry.cell) == nil else {
                    continue
                }
                guard let turn = entry.cell.round else {
                    reasons[entry.cell] = .unjudged
                    continue
                }
                guard turn < end else { continue }
                guard let place else {
                    reasons[entry.cell] = .notPlaying(player.name)
                    continue
                }
                written.append(
                    Written(
                        turn: turn,
                        place: place,
                        letter: GhostLetter(value),
                        entry: winner,
                        cell: entry.cell
                    )
                )
            }
        }
        return written.sorted { ($0.turn, $0.place) < ($1.turn, $1.place) }
    }

    /// Plays what stands at one turn: of letters that fit the last one.
    ///
    /// Several come from laptops that were apart and did not have the same players there.
    private mutating func play(_ group: ArraySlice<Written>) {
        let fitting = group.filter {
            reason(against: $0.letter, at: $0.turn, by: $0.place) == nil
        }
        let counting = fitting.max { $1.entry.wins(over: $0.entry) }
        for written in group where written.cell != counting?.cell {
            reasons[written.cell] =
                reason(against: written.letter, at: written.turn, by: written.place)
                ?? .turn(of: counting.map { circle.players[$0.place].name } ?? "")
        }
        if let counting, let letter = counting.letter {
            latest = max(latest ?? counting.entry.stamp, counting.entry.stamp)
            enter(letter, by: counting.place)
        }
    }

    /// Who is to move: nobody once the game is over, or while fewer than two are left.
    var mover: Player? {
        let contenders = circle.places(from: next).filter {
            lives[$0] > 0 && circle.players[$0].isPresent
        }
        return isOver || contenders.count < 2 ? nil : circle.players[contenders[0]]
    }

    /// Why a letter does not count at a turn; nil when it does.
    func reason(against letter: GhostLetter?, at turn: UInt32, by place: Int) -> GhostRule? {
        if isOver { return .over }
        if turn != self.turn { return .gap(turn: self.turn) }
        guard lives[place] > 0 else { return .turn(of: mover?.name ?? "nobody") }
        guard let letter else { return .unjudged }
        guard letter.goesOn(from: beginning) else {
            return .otherBeginning(letter.beginning, now: beginning)
        }
        // Of a verdict this much can be checked without a list.
        guard letter.verdict != .complete || letter.beginning.utf8.count >= minimum else {
            return .tooShort(letter.beginning, minimum: minimum)
        }
        return nil
    }

    /// Enters a letter of a player at the turn that has none.
    mutating func enter(_ letter: GhostLetter, by place: Int) {
        counts[place] += 1
        movers.append(place)
        turn += 1
        beginning = letter.beginning
        guard letter.verdict != .open else {
            next = following(place)
            return
        }
        lives[place] -= 1
        losses.append(GhostLoss(place: place, letter: letter, livesLeft: lives[place]))
        if lives[place] == 0 { contenders -= 1 }
        isOver = !isTable || contenders < 2
        guard !isOver else { return }
        next = following(place)
        beginning = ""
        firstTurn = turn
    }

    /// The next place of somebody who is in the game.
    private func following(_ place: Int) -> Int {
        circle.places(from: place).dropFirst().first { lives[$0] > 0 } ?? place
    }
}
