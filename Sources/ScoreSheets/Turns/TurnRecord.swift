import SessionCRDT

/// A game as its turns tell it, replayed from the first one, or from the last one before a change.
///
/// Turns count over the whole game. The replay stops at the first turn at which nothing counts, and
/// nothing behind it does. Law: after any updates it is what it is from scratch; a change costs the
/// turns that stand otherwise after it, at most `stride` around each, and never the whole game.
struct TurnRecord<Stand: TurnStand>: Sendable {
    typealias Terms = Stand.Terms
    typealias Turn = Stand.Turn

    /// What the game is played by and with whom.
    private(set) var terms: Terms
    /// The turns that count, from turn 1.
    var turns: Chunks<Turn> { played.turns }
    /// The parts of the game that ended.
    var parts: Chunks<Stand.Part> { played.parts }
    /// Where it stands by what is recorded.
    var recorded: Stand { played.recorded }
    /// Where it stands among those who are here.
    private(set) var stand: Stand
    /// Whether moves wait behind the open turn, which then is one of the past.
    private(set) var isPast = false

    private var played: PlayedTurns<Stand>
    /// What can be read as a move, turn by turn.
    private var written: SortedPieces<Place, Written>

    /// Whose turn.
    struct Place: Comparable {
        let turn: UInt32
        let seat: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.turn, left.seat) < (right.turn, right.seat)
        }
    }

    /// What stands in a cell.
    private struct Written: Sendable {
        let place: Place
        let move: Terms.Move
        let entry: Entry
        let isDisputed: Bool
        /// Why it does not count though another move of its turn does.
        var reason: RuleViolation?
    }

    /// The game of a book.
    init(_ terms: Terms, _ book: Book) {
        self.terms = terms
        played = PlayedTurns(terms)
        stand = played.recorded
        var found: [(key: Place, value: Written)] = []
        for player in terms.players.enumerated()
        where terms.seats[player.element.id] == player.offset {
            for cell in book.column(of: player.element.id).cells(of: Terms.row) ?? OrderedPieces() {
                guard let turn = cell.round else { continue }
                let place = Place(turn: turn, seat: player.offset)
                if let written = TurnRecord.reading(cell.live, at: place, terms) {
                    found.append((place, written))
                }
            }
        }
        written = SortedPieces(found)
        play()
    }

    /// The first turn of which nothing counts.
    var openTurn: UInt32 { UInt32(clamping: turns.count + 1) }

    /// Takes in that cells say something else.
    ///
    /// - Returns: the cells of the turns that are not as they were.
    mutating func update(to book: Book, _ cells: [Cell]) -> [Cell] {
        let before = played
        var touched: [UInt32] = []
        for cell in cells {
            let place = place(of: cell)
            if let place {
                written[place] = book[cell].flatMap { TurnRecord.reading($0, at: place, terms) }
            }
            // What is behind the open turn waits, and changes nothing.
            if let turn = place?.turn ?? terms.take(cell, of: book), turn <= openTurn {
                touched.append(turn)
            }
        }
        let (first, last) = (touched.min() ?? openTurn, touched.max() ?? openTurn)
        let kept = first < openTurn ? played.rewind(to: first) : turns.count
        let isSame = play(until: last, as: before)
        return turns(differingFrom: before.turns, in: kept..<(isSame ?? .max))
    }

    /// The turn that a cell is of; nil of one that can hold none.
    func place(of cell: Cell) -> Place? {
        guard cell.row == Terms.row, let turn = cell.round, turn > 0,
            let seat = terms.seats[cell.player]
        else { return nil }
        return Place(turn: turn, seat: seat)
    }

    private static func reading(_ live: LiveSet, at place: Place, _ terms: Terms) -> Written? {
        let cell = terms.cell(place.seat, Int(place.turn))
        guard let move = try? Terms.move(of: live.winner.value, in: cell, by: terms.sheet)
        else { return nil }
        return Written(
            place: place,
            move: move,
            entry: live.winner,
            isDisputed: live.isConflicting
        )
    }

    /// Plays what can be played; once it stands behind the last turn that changed as it did before,
    /// it goes on as it did.
    ///
    /// - Returns: from which turn on it did; nil where it never stood so.
    @discardableResult
    private mutating func play(
        until last: UInt32 = .max,
        as before: PlayedTurns<Stand>? = nil
    ) -> Int? {
        var same: Int?
        while !recorded.isOver {
            if turns.count >= last, let before, played.stands(as: before) {
                same = turns.count
                played.goOn(as: before)
                break
            }
            played.keepStand()
            played.recorded.begin(openTurn, terms)
            guard let turn = countingTurn() else { break }
            played.take(turn, terms)
        }
        isPast = written.last { _ in true }.map { $0.place.turn > openTurn } ?? false
        stand = recorded.seating(terms, isPast: isPast)
        return same
    }

    /// What counts at the open turn: of moves that fit the one that was written last.
    ///
    /// Several come from devices that were apart and did not know of each other.
    private mutating func countingTurn() -> Turn? {
        let candidates = candidates
        if candidates.count == 1 {
            let only = candidates[0]
            let result = try? recorded.result(of: only.move, by: only.place.seat, terms)
            return result.map { turn(of: only, $0) }
        }
        var counting: (written: Written, result: Stand.Result)?
        var reasons: [(Place, RuleViolation?)] = []
        for candidate in candidates {
            do throws(RuleViolation) {
                let seat = candidate.place.seat
                let result = try recorded.result(of: candidate.move, by: seat, terms)
                reasons.append((candidate.place, nil))
                if let counting, counting.written.entry.wins(over: candidate.entry) { continue }
                counting = (candidate, result)
            } catch { reasons.append((candidate.place, error)) }
        }
        guard let (found, result) = counting else { return nil }
        let other = terms.violation(at: openTurn, of: found.place.seat)
        for (place, reason) in reasons where place.seat != found.place.seat {
            written[place]?.reason = reason ?? other
        }
        return turn(of: found, result)
    }

    private func turn(of written: Written, _ result: Stand.Result) -> Turn {
        Turn(
            seat: written.place.seat,
            move: written.move,
            result: result,
            stamp: written.entry.stamp,
            isDisputed: written.isDisputed
        )
    }

    /// What stands at the open turn and could count.
    private var candidates: [Written] {
        if Stand.isMoverFixed {
            let place = recorded.mover.map { Place(turn: openTurn, seat: $0) }
            return place.flatMap { written[$0] }.map { [$0] } ?? []
        }
        let first = Place(turn: openTurn, seat: 0)
        return Array(written.values(from: first).prefix { $0.place.turn == first.turn })
    }

    /// The cells of the turns among these that are not as they were before.
    private func turns(differingFrom before: Chunks<Turn>, in range: Range<Int>) -> [Cell] {
        range.clamped(to: 0..<max(turns.count, before.count)).flatMap { index -> [Cell] in
            let old = index < before.count ? before[index] : nil
            let new = index < turns.count ? turns[index] : nil
            guard old != new else { return [] }
            return Set([old, new].compactMap { $0?.seat }).map { terms.cell($0, index + 1) }
        }
    }

    /// The game after a move of somebody at the open turn, and what it came to.
    func playing(
        _ move: Terms.Move,
        by seat: Int
    ) throws(RuleViolation) -> (record: TurnRecord, result: Stand.Result) {
        let result = try stand.result(of: move, by: seat, terms)
        var after = self
        let turn = Turn(seat: seat, move: move, result: result, stamp: nil, isDisputed: false)
        after.played.recorded = stand
        after.played.take(turn, terms)
        after.stand = after.recorded
        return (after, result)
    }

    /// Where it stood before a turn, or stands, where that turn has not come.
    func stand(before turn: UInt32) -> Stand {
        turn < openTurn && turn > 0 ? played.stand(before: turn, terms) : recorded
    }

    /// Why a move that can be read does not count, though others of its turn do; nil of none.
    func reason(kept place: Place) -> RuleViolation? { written[place]?.reason }

    /// Whether a move stands at a turn of somebody.
    func isWritten(at place: Place) -> Bool { written[place] != nil }
}
