package import SessionCRDT

/// The difference between two states of a score sheet, as watchers receive it.
///
/// It has the structure of the score sheet: a field that is present has the new value, a field that
/// is absent is unchanged. Fields that are missing here (the session, names, seats, teams, the
/// game) change only with a snapshot.
package struct ShowChange: Document {
    package var document = ShowDocument.Change()
    package var context = ShowContext.Change()

    package init() {}

    package var isEmpty: Bool { document.isEmpty && context == ShowContext.Change() }
}

extension ShowDocument {
    package struct Change: Document {
        /// The players that differ, in seat order.
        package var players: [ShownPlayer.Change]?
        package var teams: [ShownTeam]?
        package var finished: Bool?
        package var turn: ExplicitNull<String>?
        package var turnNumber: ExplicitNull<Int>?
        package var winners: [String]?
        package var flags: [ShownFlag]?
        package var panels: [ShownPanel]?
        package var darts: ExplicitNull<[String]>?

        package init() {}

        package var isEmpty: Bool { self == Change() }
    }

    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        for change in change.players ?? [] {
            // New players come only with a snapshot.
            guard let index = players.firstIndex(where: { $0.id == change.id }) else { continue }
            players[index].apply(change, by: order)
        }
        if let new = change.teams { teams = new }
        if let new = change.finished { finished = new }
        if let new = change.turn { turn = new.wrappedValue }
        if let new = change.turnNumber { turnNumber = new.wrappedValue }
        if let new = change.winners { winners = new }
        if let new = change.flags { flags = new }
        if let new = change.panels { panels = new }
        if let new = change.darts { darts = new.wrappedValue }
    }
}

extension ShownPlayer {
    package struct Change: Document {
        package var id: String
        /// The player's name, unchanged since the last snapshot, so that an event can be read
        /// alone.
        package var name: String
        package var total: Points?
        package var rank: ExplicitNull<Int>?
        package var tieBreak: ExplicitNull<String>?
        package var winner: Bool?
        package var computed: [ShownPoints]?
        package var headline: ExplicitNull<ShownHeadline>?
        package var advice: ExplicitNull<String>?
        /// The new cells, and the cells whose value or points have changed.
        package var cells: [ShownCell]?
        package var cleared: [ShownPosition]?

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }

        package var isEmpty: Bool { self == Change(id: id, name: name) }
    }

    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        if let new = change.total { total = new }
        if let new = change.rank { rank = new.wrappedValue }
        if let new = change.tieBreak { tieBreak = new.wrappedValue }
        if let new = change.winner { winner = new }
        if let new = change.computed { computed = new }
        if let new = change.headline { headline = new.wrappedValue }
        if let new = change.advice { advice = new.wrappedValue }
        for position in change.cleared ?? [] { cells.remove(position, by: order) }
        for cell in change.cells ?? [] { cells.put(cell, by: order) }
    }
}

extension ShowContext {
    package struct Change: Document {
        package var rows: [ShownRow]?
        package var gone: [ShownPosition]?
        package var me: ExplicitNull<String>?
        package var leaders: [String]?
        package var peers: [PeerSummary]?
        package var offline: Bool?
        package var unsynced: Int?
        package var notes: [String]?
        package var knocks: ExplicitNull<[KnockSummary]>?
        package var next: ExplicitNull<NamedSession>?
        package var inUse: ExplicitNull<NamedSession>?

        package init() {}
    }

    fileprivate mutating func apply(_ change: Change, by order: ShownOrder) {
        for position in change.gone ?? [] { rows.remove(position, by: order) }
        for row in change.rows ?? [] { rows.put(row, by: order) }
        if let new = change.me { me = new.wrappedValue }
        if let new = change.leaders { leaders = new }
        if let new = change.peers { peers = new }
        if let new = change.offline { offline = new }
        if let new = change.unsynced { unsynced = new }
        if let new = change.notes { notes = new }
        if let new = change.knocks { knocks = new.wrappedValue }
        if let new = change.next { next = new.wrappedValue }
        if let new = change.inUse { inUse = new.wrappedValue }
    }
}

extension KeyedDecodingContainer {
    /// Distinguishes null (a new value) from an absent field (unchanged).
    ///
    /// The synthesized decoding of changes calls this overload; the standard one returns nil in
    /// both cases.
    func decodeIfPresent<Wrapped>(
        _ type: ExplicitNull<Wrapped>.Type,
        forKey key: Key
    ) throws -> ExplicitNull<Wrapped>? { contains(key) ? try decode(type, forKey: key) : nil }
}

extension ShowReply {
    /// Applies the difference between two states.
    ///
    /// Law: a snapshot, after all later changes are applied in order, equals a snapshot of that
    /// time.
    package mutating func apply(_ change: ShowChange) {
        let order = ShownOrder(context.order)
        document.apply(change.document, by: order)
        context.apply(change.context, by: order)
    }
}

package struct ShownPosition: Document {
    package var row: String
    @ExplicitNull package var round: Int?

    package init(row: String, round: Int? = nil) { (self.row, self.round) = (row, round) }
}

/// The sort order of cells: by row as in the sheet, unknown rows last by id, then by round.
///
/// A snapshot contains the order of rows, so that a watcher can insert new cells.
struct ShownOrder {
    private let indices: [String: Int]

    init(_ rows: [String]) { indices = Dictionary(zip(rows, 0...)) { first, _ in first } }

    func precedes(_ left: ShownPosition, _ right: ShownPosition) -> Bool {
        (indices[left.row] ?? .max, left.row, left.round ?? -1)
            < (indices[right.row] ?? .max, right.row, right.round ?? -1)
    }
}

/// An element of a list that is sorted by position.
protocol ColumnElement {
    var position: ShownPosition { get }
}

extension ShownCell: ColumnElement {
    var position: ShownPosition { ShownPosition(row: row, round: round) }
}

extension ShownRow: ColumnElement {
    var position: ShownPosition { ShownPosition(row: row, round: round) }
}

extension Array where Element: ColumnElement {
    /// Inserts an element at its position, or replaces the element with that position.
    mutating func put(_ element: Element, by order: ShownOrder) {
        let index = index(of: element.position, by: order)
        if index < count, self[index].position == element.position {
            self[index] = element
        } else {
            insert(element, at: index)
        }
    }

    /// Removes the element at a position, if there is one.
    mutating func remove(_ position: ShownPosition, by order: ShownOrder) {
        let index = index(of: position, by: order)
        if index < count, self[index].position == position { remove(at: index) }
    }

    /// Returns the index of the first element that does not come before a position.
    private func index(of position: ShownPosition, by order: ShownOrder) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(self[middle].position, position) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
