import SessionCRDT

/// The turns of a game that count, replayed from the first one.
///
/// Turns are numbered over the whole game. The replay stops at the first turn at which nothing
/// counts (the open turn); nothing after it does. Every `stride` turns a snapshot of the state is
/// kept. After a change the replay goes back to the last snapshot before it and stops as soon as it
/// reaches a snapshot that equals the one from before the change: from there on all turns are the
/// same. Law: after any updates it equals a record from scratch; a change costs the turns that
/// differ after it and at most `stride` around them, never the whole game.
struct TurnRecord<State: TurnState>: Sendable {
    typealias Setup = State.Setup
    typealias Turn = State.Turn

    private(set) var setup: Setup
    /// The turns that count, from turn 1.
    var turns: Chunks<Turn> { played.turns }
    var parts: Chunks<State.Part> { played.parts }
    /// The state by the recorded order alone, before it is adjusted to the present players.
    var recorded: State { played.recorded }
    /// The state among the players who are present.
    private(set) var state: State
    /// Whether moves follow the open turn, which then is one of the past.
    private(set) var isPast = false
    /// The reason why the moves after the open turn do not count; nil if there are none.
    private var reasonOfMovesAfter: RuleViolation?
    private var played: PlayedTurns<State>
    /// The entries that can be read as moves, turn by turn.
    private var written: SortedChunks<Written>
    /// The reasons why moves do not count although another move of the same turn does.
    private var reasons: [Place: RuleViolation] = [:]

    struct Place: Comparable, Hashable {
        let turn: UInt32
        let seat: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.turn, left.seat) < (right.turn, right.seat)
        }
    }

    private struct Written: SortedElement, Sendable {
        let place: Place
        let move: Setup.Move
        let recency: Entry.Recency
        let isDisputed: Bool
        /// The member of the side who wrote it, by index.
        let member: Int
    }

    init(_ setup: Setup, _ book: Book) {
        self.setup = setup
        played = PlayedTurns(setup)
        state = played.recorded
        var found: [Written] = []
        found.reserveCapacity(book.valueCount)
        let row = setup.sheet.row(Setup.row)
        for player in setup.players.enumerated()
        where setup.seats[player.element.id] == player.offset {
            for cell in book.column(of: player.element.id).cells(of: Setup.row) ?? SortedChunks() {
                guard let turn = cell.round else { continue }
                let place = Place(turn: turn, seat: player.offset)
                if let written = TurnRecord.reading(cell.live, at: place, in: row, setup, book) {
                    found.append(written)
                }
            }
        }
        written = SortedChunks(found)
        play()
    }

    /// The first turn at which nothing counts.
    var openTurn: UInt32 { UInt32(clamping: turns.count + 1) }

    /// Updates the turns after cells changed.
    ///
    /// - Returns: the cells of the turns that differ.
    mutating func update(to book: Book, _ cells: [Cell]) -> [Cell] {
        let before = played
        let row = setup.sheet.row(Setup.row)
        var touched: [UInt32] = []
        for cell in cells {
            let place = place(of: cell)
            if let place {
                reasons[place] = nil
                written[place] = book[cell].flatMap { live in
                    TurnRecord.reading(live, at: place, in: row, setup, book)
                }
            }
            // A move after the open turn has no effect until the turns before it exist.
            if let turn = place?.turn ?? setup.update(cell, of: book), turn <= openTurn {
                touched.append(turn)
            }
        }
        let (first, last) = (touched.min() ?? openTurn, touched.max() ?? openTurn)
        let kept = first < openTurn ? played.rewind(to: first) : turns.count
        let isSame = play(until: last, as: before)
        return turns(differingFrom: before.turns, in: kept..<(isSame ?? .max))
    }

    /// Returns the turn of a cell; nil if the cell cannot hold one.
    func place(of cell: Cell) -> Place? {
        guard cell.row == Setup.row, let turn = cell.round, turn > 0,
            let seat = setup.seats[cell.player]
        else { return nil }
        return Place(turn: turn, seat: seat)
    }

    func isNextTurn(_ cell: Cell) -> Bool {
        guard let place = place(of: cell) else { return false }
        return place.turn == openTurn && !isPast && !state.isOver && written[place] == nil
    }

    private static func reading(
        _ live: LiveSet,
        at place: Place,
        in row: Row?,
        _ setup: Setup,
        _ book: Book
    ) -> Written? {
        let entry = live.winner
        guard let row, entry.value != .null, row.violation(ofRound: place.turn) == nil,
            row.violation(of: entry.value) == nil, let move = try? Setup.move(of: entry.value)
        else { return nil }
        return Written(
            place: place,
            move: move,
            recency: entry.recency,
            isDisputed: live.isConflicting,
            member: book.member(of: setup.cell(place.seat, Int(place.turn)))
        )
    }

    /// Replays turns until a snapshot after the last changed turn equals the previous one, and
    /// reuses the rest.
    ///
    /// - Returns: the number of turns before that snapshot; nil if there was none.
    @discardableResult
    private mutating func play(
        until last: UInt32 = .max,
        as before: PlayedTurns<State>? = nil
    ) -> Int? {
        var same: Int?
        // Read one after the other, which is faster than looking up each turn.
        var entries = written.from(Place(turn: openTurn, seat: 0))
        var next = entries.next()
        var candidates: [Written] = []
        while !played.recorded.isOver {
            if turns.count >= last, let before, played.isAtSnapshot(of: before) {
                same = turns.count
                played.append(remainderOf: before)
                break
            }
            played.keepSnapshot()
            played.recorded.prepare(for: openTurn, setup)
            candidates.removeAll(keepingCapacity: true)
            while let entry = next, entry.place.turn == openTurn {
                if !State.isMoverFixed || entry.place.seat == played.recorded.mover {
                    candidates.append(entry)
                }
                next = entries.next()
            }
            guard let turn = countingTurn(among: candidates) else { break }
            played.apply(turn, setup)
        }
        isPast = written.last.map { $0.place.turn > openTurn } ?? false
        state = recorded.adjusted(to: setup, isPast: isPast)
        reasonOfMovesAfter = isPast ? state.reasonAfterOpenTurn(openTurn, setup) : nil
        return same
    }

    /// Returns the move that counts at the open turn: the latest valid one.
    ///
    /// There are several candidates if disconnected devices wrote one each.
    private mutating func countingTurn(among candidates: [Written]) -> Turn? {
        if candidates.count == 1 {
            let only = candidates[0]
            let result = try? played.recorded.result(of: only.move, by: only.place.seat, setup)
            return result.map { turn(of: only, $0) }
        }
        var counting: (written: Written, result: State.Result)?
        var found: [(Place, RuleViolation?)] = []
        for candidate in candidates {
            do throws(RuleViolation) {
                let seat = candidate.place.seat
                let result = try played.recorded.result(of: candidate.move, by: seat, setup)
                found.append((candidate.place, nil))
                if let counting, counting.written.recency > candidate.recency { continue }
                counting = (candidate, result)
            } catch { found.append((candidate.place, error)) }
        }
        guard let (move, result) = counting else { return nil }
        let other = setup.violation(at: openTurn, of: move.place.seat)
        for (place, reason) in found where place.seat != move.place.seat {
            reasons[place] = reason ?? other
        }
        return turn(of: move, result)
    }

    private func turn(of written: Written, _ result: State.Result) -> Turn {
        Turn(
            seat: written.place.seat,
            move: written.move,
            result: result,
            stamp: written.recency.stamp,
            isDisputed: written.isDisputed,
            member: written.member
        )
    }

    /// Returns the cells of the turns in a range that differ from before.
    private func turns(differingFrom before: Chunks<Turn>, in range: Range<Int>) -> [Cell] {
        range.clamped(to: 0..<max(turns.count, before.count)).flatMap { index -> [Cell] in
            let old = index < before.count ? before[index] : nil
            let new = index < turns.count ? turns[index] : nil
            guard old != new else { return [] }
            return Set([old, new].compactMap { $0?.seat }).map { setup.cell($0, index + 1) }
        }
    }

    /// Returns the record after a move at the open turn, and the result of the move.
    func playing(
        _ move: Setup.Move,
        by seat: Int
    ) throws(RuleViolation) -> (record: TurnRecord, result: State.Result) {
        let result = try state.result(of: move, by: seat, setup)
        var after = self
        let turn = Turn(seat: seat, move: move, result: result, stamp: nil, isDisputed: false)
        after.played.recorded = state
        after.played.apply(turn, setup)
        after.state = after.recorded
        after.reasonOfMovesAfter = nil
        return (after, result)
    }

    func state(before turn: UInt32) -> State {
        turn < openTurn && turn > 0 ? played.state(before: turn, setup) : recorded
    }

    /// Returns the score of a cell: the points of its turn if it counts.
    func score(of bookCell: BookCell) -> CellScore {
        if let place = place(of: bookCell.cell), place.turn < openTurn {
            let counting = turns[Int(place.turn) - 1]
            if counting.seat == place.seat {
                let points = State.points(of: counting.result)
                return CellScore(points: points, isFlagged: false)
            }
        }
        return CellScore(uncounted: bookCell, by: setup.sheet)
    }

    var reasonAfterOpenTurn: RuleViolation {
        reasonOfMovesAfter ?? state.reasonAfterOpenTurn(openTurn, setup)
    }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            let read = try Setup.move(of: bookCell.value, in: bookCell.cell, by: setup.sheet)
            guard let move = read else { return reasonAfterOpenTurn }
            guard let place = place(of: bookCell.cell) else {
                return setup.violation(byStranger: player, at: bookCell.cell.round ?? 0)
            }
            if place.turn < openTurn {
                return reasons[place]
                    ?? setup.violation(atPast: place.turn, of: turns[Int(place.turn) - 1].seat)
            }
            if place.turn > openTurn || state.isOver { return reasonAfterOpenTurn }
            if isNewlySeated(place) { return setup.words.newlySeated(at: openTurn) }
            return reason(against: move, at: place, on: recorded) ?? reasonAfterOpenTurn
        } catch { return error }
    }

    /// Returns the reason why a move would not count if it were written in a cell; nil if it would.
    func reason(against move: Setup.Move, in cell: Cell, of player: Player?) -> RuleViolation? {
        guard let place = place(of: cell) else {
            return setup.violation(byStranger: player, at: cell.round ?? 0)
        }
        guard place.turn <= openTurn else {
            // Because a move follows it, the open turn is a past one.
            return recorded.adjusted(to: setup, isPast: true).reasonAfterOpenTurn(openTurn, setup)
        }
        if place.turn == openTurn, state.isOver { return reasonAfterOpenTurn }
        if isNewlySeated(place) { return setup.words.newlySeated(at: openTurn) }
        let before = state(before: place.turn)
        if let reason = reason(against: move, at: place, on: before) { return reason }
        guard place.turn < openTurn else { return nil }
        // Another player may have made the move of that turn.
        let mover = turns[Int(place.turn) - 1].seat
        return mover == place.seat ? nil : setup.violation(at: place.turn, of: mover)
    }

    private func reason(
        against move: Setup.Move,
        at place: Place,
        on state: State
    ) -> RuleViolation? {
        guard !State.isMoverFixed || state.mover == place.seat else {
            return setup.violation(at: place.turn, of: state.mover)
        }
        do throws(RuleViolation) {
            _ = try state.result(of: move, by: place.seat, setup)
            return nil
        } catch { return error }
    }

    /// Whether the open turn has moved to this seat because the players changed, which only `play`
    /// records.
    private func isNewlySeated(_ place: Place) -> Bool {
        guard State.isMoverFixed, place.turn == openTurn, recorded.mover != place.seat,
            state.mover == place.seat
        else { return false }
        return recorded.mover.map { written[Place(turn: openTurn, seat: $0)] == nil } ?? true
    }

    /// Returns the cells written from a turn on, including those that do not count.
    func cells(from turn: Int, in book: Book) -> [Cell] {
        book.players.flatMap { book.cells(of: $0.id) }.filter { bookCell in
            bookCell.cell.row == Setup.row && !bookCell.isEmpty
                && bookCell.cell.round.map { $0 >= turn } ?? false
        }
        .map(\.cell)
    }
}

struct CountedTurn<Move: Hashable & Sendable, Result: Hashable & Sendable>: Hashable, Sendable {
    let seat: Int
    let move: Move
    let result: Result
    /// The time at which it was written; nil for a move that is not written yet.
    let stamp: Stamp?
    /// Whether disconnected devices wrote different values in its cell.
    let isDisputed: Bool
    /// The member of the side who had the turn, by index; 0 for a player without partners.
    var member = 0
}

extension Stamp? {
    mutating func advance(to other: Stamp?) {
        if let other { self = max(self ?? other, other) }
    }
}

/// The turns that were played, with a snapshot of the state every `stride` turns.
private struct PlayedTurns<State: TurnState>: Sendable {
    /// The turns that count, from turn 1.
    private(set) var turns = Chunks<State.Turn>()
    private(set) var parts = Chunks<State.Part>()
    var recorded: State

    /// For each part, the number of turns up to its end.
    private var partEnds = Chunks<Int>()
    /// The state every `stride` turns, the first before turn 1.
    private var snapshots = Chunks<State>()
    /// The number of turns between snapshots.
    ///
    /// It grows with the number of players, so that memory is proportional to the turns and not to
    /// turns times players, and is a multiple of the chunk size, so that lists share the other
    /// chunks.
    private let stride: Int

    init(_ setup: State.Setup) {
        let size = Chunks<State.Turn>.size
        stride = (setup.players.count / size + 1) * size
        recorded = State(setup)
    }

    mutating func keepSnapshot() {
        if turns.count == snapshots.count * stride { snapshots.append(recorded) }
    }

    mutating func apply(_ turn: State.Turn, _ setup: State.Setup) {
        let part = recorded.apply(turn, at: turns.count, setup)
        turns.append(turn)
        if let part {
            parts.append(part)
            partEnds.append(turns.count)
        }
    }

    /// Goes back to the last snapshot before a turn that was played.
    ///
    /// - Returns: the number of turns left.
    mutating func rewind(to turn: UInt32) -> Int {
        let index = Int(turn - 1) / stride
        recorded = snapshots[index]
        turns.removeAll(from: index * stride)
        snapshots.removeAll(from: index)
        let count = partEnds.partitioningIndex { $0 > turns.count }
        parts.removeAll(from: count)
        partEnds.removeAll(from: count)
        return turns.count
    }

    /// Whether a snapshot is due and equals the one that was kept here before.
    func isAtSnapshot(of before: PlayedTurns) -> Bool {
        turns.count == snapshots.count * stride && snapshots.count < before.snapshots.count
            && before.snapshots[snapshots.count] == recorded
    }

    /// Appends the turns of the previous record after the last turn of this one.
    mutating func append(remainderOf before: PlayedTurns) {
        let count = turns.count
        let next = before.partEnds.partitioningIndex { $0 > count }
        turns.append(before.turns, from: count)
        snapshots.append(before.snapshots, from: snapshots.count)
        parts.append(before.parts, from: next)
        partEnds.append(before.partEnds, from: next)
        recorded = before.recorded
    }

    func state(before turn: UInt32, _ setup: State.Setup) -> State {
        let last = Int(turn) - 1
        let start = last / stride
        var state = snapshots[start]
        for index in start * stride..<last {
            state.prepare(for: UInt32(clamping: index + 1), setup)
            _ = state.apply(turns[index], at: index, setup)
        }
        state.prepare(for: turn, setup)
        return state
    }
}
