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

extension TurnRecord {
    /// What a cell comes to: what its turn counts for, where it counts.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        if let place = place(of: bookCell.cell), place.turn < openTurn {
            let counting = turns[Int(place.turn) - 1]
            if counting.seat == place.seat {
                let points = Stand.points(of: counting.result)
                return TurnColumns.Verdict(points: points, isFlagged: false)
            }
        }
        return TurnColumns.Verdict(uncounted: bookCell, by: terms.sheet)
    }

    /// Why nothing behind the open turn counts.
    var reasonBehind: RuleViolation { stand.reasonBehind(openTurn, terms) }

    /// Why a cell of somebody, with which something is wrong, does not count.
    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            let read = try Terms.move(of: bookCell.value, in: bookCell.cell, by: terms.sheet)
            guard let move = read else { return reasonBehind }
            guard let place = place(of: bookCell.cell) else {
                return terms.violation(byStranger: player, at: bookCell.cell.round ?? 0)
            }
            if place.turn < openTurn {
                return reason(kept: place)
                    ?? terms.violation(atPast: place.turn, of: turns[Int(place.turn) - 1].seat)
            }
            if place.turn > openTurn || stand.isOver { return reasonBehind }
            return reason(against: move, at: place, on: recorded) ?? reasonBehind
        } catch { return error }
    }

    /// Why a move that somebody wishes to write in a cell would not count; nil when it would.
    func reason(against move: Terms.Move, in cell: Cell, of player: Player?) -> RuleViolation? {
        guard let place = place(of: cell) else {
            return terms.violation(byStranger: player, at: cell.round ?? 0)
        }
        guard place.turn <= openTurn else {
            // Another move behind the open turn: it is the past.
            return recorded.seating(terms, isPast: true).reasonBehind(openTurn, terms)
        }
        if place.turn == openTurn, stand.isOver { return reasonBehind }
        if isSeatedAnew(place) { return terms.violation(ofSeatedAnew: openTurn) }
        let before = stand(before: place.turn)
        if let reason = reason(against: move, at: place, on: before) { return reason }
        guard place.turn < openTurn else { return nil }
        // Somebody else may have moved then.
        let mover = turns[Int(place.turn) - 1].seat
        return mover == place.seat ? nil : terms.violation(at: place.turn, of: mover)
    }

    /// Why a move does not fit where the game stands at its turn; nil when it does.
    private func reason(
        against move: Terms.Move,
        at place: Place,
        on stand: Stand
    ) -> RuleViolation? {
        guard !Stand.isMoverFixed || stand.mover == place.seat else {
            return terms.violation(at: place.turn, of: stand.mover)
        }
        do throws(RuleViolation) {
            _ = try stand.result(of: move, by: place.seat, terms)
            return nil
        } catch { return error }
    }

    /// Whether the open turn is that of somebody because the players changed, which only `play`
    /// records.
    private func isSeatedAnew(_ place: Place) -> Bool {
        guard Stand.isMoverFixed, place.turn == openTurn, recorded.mover != place.seat,
            stand.mover == place.seat
        else { return false }
        return recorded.mover.map { !isWritten(at: Place(turn: openTurn, seat: $0)) } ?? true
    }

    /// What is written from a turn on, also what does not count.
    func cells(from turn: Int, in book: Book) -> [Cell] {
        book.players.flatMap { book.cells(of: $0.id) }.filter { bookCell in
            bookCell.cell.row == Terms.row && !bookCell.isEmpty
                && bookCell.cell.round.map { $0 >= turn } ?? false
        }
        .map(\.cell)
    }
}

/// A turn that counts.
struct CountedTurn<Move: Hashable & Sendable, Result: Hashable & Sendable>: Hashable, Sendable {
    /// Whose it was, by seat.
    let seat: Int
    /// What was entered.
    let move: Move
    /// What it came to.
    let result: Result
    /// When it was written; nil where that is still a wish.
    let stamp: Stamp?
    /// Whether devices wrote different things in its cell while apart.
    let isDisputed: Bool
}

/// What ends within a game and has a winner of its own, as a leg.
protocol TurnPart: Sendable {
    /// Its turns, by their place among all.
    var turns: Range<Int> { get }
}

/// Of games that have no parts.
extension Never: TurnPart {
    /// None, since there is no such part.
    var turns: Range<Int> { switch self {} }
}

extension Stamp? {
    /// Becomes the later one of both, where there is another.
    mutating func rise(to other: Stamp?) {
        if let other { self = max(self ?? other, other) }
    }
}

/// The turns of a game that were played, with where it stood every so many of them.
struct PlayedTurns<Stand: TurnStand>: Sendable {
    /// The turns that count, from turn 1.
    private(set) var turns = Chunks<Stand.Turn>()
    /// The parts of the game that ended.
    private(set) var parts = Chunks<Stand.Part>()
    /// Where the game stands.
    var recorded: Stand

    /// Where it stood every so many turns, the first before turn 1.
    private var stands = Chunks<Stand>()
    /// How many turns are played again at most before the first that changed.
    ///
    /// More where many play, so that all that is kept grows with the turns and not with turns and
    /// players; whole pieces of a list, so that lists can share what is behind.
    private let stride: Int

    /// Before the first turn.
    init(_ terms: Stand.Terms) {
        let size = Chunks<Stand.Turn>.size
        stride = (terms.players.count / size + 1) * size
        recorded = Stand(terms)
    }

    /// Keeps where it stands, where it is time to.
    mutating func keepStand() {
        if turns.count == stands.count * stride { stands.append(recorded) }
    }

    /// Takes in a turn that counts.
    mutating func take(_ turn: Stand.Turn, _ terms: Stand.Terms) {
        if let part = recorded.take(turn, at: turns.count, terms) { parts.append(part) }
        turns.append(turn)
    }

    /// Goes back to where it stood before a turn that was played, or before one not far before it.
    ///
    /// - Returns: how many turns are left.
    mutating func rewind(to turn: UInt32) -> Int {
        let index = Int(turn - 1) / stride
        recorded = stands[index]
        turns.removeAll(from: index * stride)
        stands.removeAll(from: index)
        while let part = parts.last, part.turns.upperBound > turns.count {
            parts.removeAll(from: parts.count - 1)
        }
        return turns.count
    }

    /// Whether it is time to keep where it stands, and it once stood here as it does now.
    func stands(as before: PlayedTurns) -> Bool {
        turns.count == stands.count * stride && stands.count < before.stands.count
            && before.stands[stands.count] == recorded
    }

    /// Goes on as it did before, since it stands as it stood.
    mutating func goOn(as before: PlayedTurns) {
        let count = turns.count
        let next = before.parts.partitioningIndex { $0.turns.upperBound > count }
        turns.append(before.turns, from: count)
        stands.append(before.stands, from: stands.count)
        parts.append(before.parts, from: next)
        recorded = before.recorded
    }

    /// Where it stood before a turn that was played.
    func stand(before turn: UInt32, _ terms: Stand.Terms) -> Stand {
        let place = Int(turn) - 1
        let start = place / stride
        var stand = stands[start]
        for index in start * stride..<place {
            stand.begin(UInt32(clamping: index + 1), terms)
            _ = stand.take(turns[index], at: index, terms)
        }
        stand.begin(turn, terms)
        return stand
    }
}
