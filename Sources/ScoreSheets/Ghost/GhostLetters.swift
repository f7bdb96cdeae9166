import SessionCRDT

/// The letters of a book turn by turn, played from the first, or from the last turn before a
/// change.
///
/// A turn goes to the letter that fits. That it was its player's turn is checked when it is entered
/// and not here: a player who was away was passed over, and of who was away at that time nothing is
/// known any more, so that players who leave and come back leave the past as it was. What does not
/// fit does not count, and what follows a turn without a letter that counts waits for it. Each
/// letter is looked at once, so that the work grows with the letters and not with their square.
struct GhostLetters {
    /// Where the game stands.
    private(set) var replay: GhostReplay
    /// Whose letter counts at each turn, by place.
    private(set) var movers = Chunks<Int>()

    private let sheet: Sheet
    private var written = SortedPieces<Place, Written>()
    /// Where it stood every so many turns, the first before turn 1.
    private var stands = Chunks<GhostReplay>()
    /// How many turns are played again at most before the first that changed.
    private let stride: Int

    /// Whose letter at which turn.
    private struct Place: Comparable {
        let turn: UInt32
        let player: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.turn, left.player) < (right.turn, right.player)
        }
    }

    /// What stands in a cell.
    private struct Written {
        let place: Place
        let letter: GhostLetter?
        let entry: Entry
        /// Why it does not count though another letter of its turn does.
        var reason: GhostRule?
    }

    /// The letters of a book.
    init(_ book: Book, _ terms: GhostTerms, by sheet: Sheet) {
        self.sheet = sheet
        let circle = GhostCircle(book, recorded: terms.circle)
        replay = GhostReplay(circle, circle.isRecorded ? terms.begun() : terms)
        stride = max(32, circle.players.count)
        for player in circle.players {
            for bookCell in book.cells(of: player.id) { read(bookCell.live, in: bookCell.cell) }
        }
        play()
    }

    /// Takes in that cells say something else.
    ///
    /// - Returns: how many turns are surely as they were.
    mutating func update(to book: Book, _ cells: [Cell]) -> Int {
        let turns = cells.compactMap { cell -> UInt32? in
            book[cell].flatMap { read($0, in: cell) }
        }
        guard let first = turns.min(), first < replay.turn else {
            let kept = movers.count
            play()
            return kept
        }
        let index = Int(first - 1) / stride
        replay = stands[index]
        movers.removeAll(from: index * stride)
        stands.removeAll(from: index + 1)
        play()
        return index * stride
    }

    /// Keeps what a cell says at its turn, which it gives back; nil of a cell that has none.
    @discardableResult
    private mutating func read(_ live: LiveSet, in cell: Cell) -> UInt32? {
        guard let place = place(of: cell) else { return nil }
        let winner = live.winner
        let isLetter =
            winner.value != .null && sheet.violation(of: winner.value, in: cell) == nil
        written[place] =
            isLetter
            ? Written(place: place, letter: GhostLetter(winner.value), entry: winner) : nil
        return place.turn
    }

    private func place(of cell: Cell) -> Place? {
        guard cell.row == GhostTerms.letter, let turn = cell.round, turn > 0,
            let player = replay.circle.place(of: cell.player)
        else { return nil }
        return Place(turn: turn, player: player)
    }

    private mutating func play() {
        repeat {
            if movers.count == stands.count * stride { stands.append(replay) }
        } while playTurn()
    }

    /// Plays what stands at the open turn, and says whether anything there counts: of letters that
    /// fit the last one.
    ///
    /// Several come from laptops that were apart and did not have the same players there.
    private mutating func playTurn() -> Bool {
        let turn = replay.turn
        let group = written.values(from: Place(turn: turn, player: 0)).prefix {
            $0.place.turn == turn
        }
        let reasons = group.map { written in
            (written, replay.reason(against: written.letter, at: turn, by: written.place.player))
        }
        let fitting = reasons.filter { $0.1 == nil }.map(\.0)
        guard let counting = fitting.max(by: { $1.entry.wins(over: $0.entry) }),
            let letter = counting.letter
        else { return false }
        let mover = replay.circle.players[counting.place.player].name
        for (written, reason) in reasons where written.place != counting.place {
            self.written[written.place]?.reason = reason ?? .turn(of: mover)
        }
        movers.append(counting.place.player)
        replay.enter(letter, by: counting.place.player, at: counting.entry.stamp)
        return true
    }

    /// The cells of the turns that others made than before, behind so many that surely are as they
    /// were.
    func turns(differingFrom before: GhostLetters, after kept: Int) -> [Cell] {
        let count = max(movers.count, before.movers.count)
        return (kept..<max(count, kept)).flatMap { index -> [Cell] in
            let old = index < before.movers.count ? before.movers[index] : nil
            let new = index < movers.count ? movers[index] : nil
            guard old != new else { return [] }
            return [old, new].compactMap(\.self).map { place in
                let player = replay.circle.players[place].id
                let turn = UInt32(clamping: index + 1)
                return Cell(player: player, row: GhostTerms.letter, round: turn)
            }
        }
    }

    /// Where the game stood before a turn, or stands, where that turn has not come.
    func replay(before turn: UInt32) -> GhostReplay {
        guard turn < replay.turn, turn > 0 else { return replay }
        let start = Int(turn - 1) / stride
        var stand = stands[start]
        for index in start * stride..<Int(turn - 1) {
            let place = Place(turn: stand.turn, player: movers[index])
            guard let written = written[place], let letter = written.letter else { break }
            stand.enter(letter, by: place.player, at: written.entry.stamp)
        }
        return stand
    }

    /// Whether the letter of a cell counts.
    func counts(_ cell: Cell) -> Bool {
        guard let place = place(of: cell), place.turn < replay.turn else { return false }
        return movers[Int(place.turn) - 1] == place.player
    }

    /// Why the letter of a cell, which does not count, does not.
    func reason(against bookCell: BookCell, of player: Player) -> GhostRule {
        guard let place = place(of: bookCell.cell) else { return .notPlaying(player.name) }
        if place.turn < replay.turn, let reason = written[place]?.reason { return reason }
        let letter = GhostLetter(bookCell.value)
        return replay.reason(against: letter, at: place.turn, by: place.player) ?? .unjudged
    }
}
