import SessionCRDT

/// The rounds of fields that somebody types without a round: those typed together are of one.
///
/// It is the round that any of them says; else the first one that is begun and waits for one of
/// them; else the last one that is begun, where none of them stands in it, and else the next one.
/// So a round that was left half-entered is filled, and a second helping begins a round of its own
/// and never fills what was left empty in the one before.
struct FieldRounds {
    private let sheet: Sheet
    private let player: PlayerID
    private let book: Book
    /// The fields that are typed together, by the row of their rounds, in batches of a round each.
    private var batches: [Symbol: [[Row]]] = [:]
    /// The rounds that fields say, by the same.
    private var said: [Symbol: UInt32] = [:]
    /// The last round that a batch has, by the same.
    private var given: [Symbol: UInt32] = [:]

    /// The rounds of what is typed in these rows of a player, each perhaps with a round.
    init(
        of sheet: Sheet,
        _ typed: [(row: Row, round: UInt32?)],
        for player: PlayerID,
        in book: Book
    ) {
        self.sheet = sheet
        self.player = player
        self.book = book
        for (row, round) in typed {
            guard let group = row.group?.row else { continue }
            if let round {
                said[group] = said[group] ?? round
            } else if batches[group]?.last?.contains(row) == false {
                let place = (batches[group]?.count ?? 1) - 1
                batches[group]?[place].append(row)
            } else {
                batches[group, default: []].append([row])
            }
        }
    }

    /// The round of the next field that was typed without one, in the order in which all were.
    mutating func next(for field: Row) throws(RuleViolation) -> UInt32? {
        guard let group = field.group?.row, let batch = batches[group]?.first else { return nil }
        if batch.first == field {
            if let known = given[group].map(FieldRounds.following) ?? said[group] {
                given[group] = known
            } else {
                given[group] = try round(of: batch)
            }
        }
        if batch.last == field { batches[group]?.removeFirst() }
        return given[group]
    }

    /// The round of fields that nobody said.
    private func round(of batch: [Row]) throws(RuleViolation) -> UInt32 {
        let ids = batch.map(\.id)
        let group = sheet.rows.filter { $0.group == batch.first?.group }.map(\.id)
        for field in batch where field.isAwaited {
            let round = try book.nextRound(of: field.id, for: player)
            if isWritten(anyOf: group, in: round), !isWritten(anyOf: ids, in: round) {
                return round
            }
        }
        let most = batch.first?.lastRound ?? Cell.lastRound
        let last = group.compactMap { book.lastRound(of: $0, for: player, upTo: most) }.max()
        guard let last else { return 1 }
        return isWritten(anyOf: ids, in: last) ? FieldRounds.following(last) : last
    }

    /// The round after a round; of the last one that there can be no other.
    private static func following(_ round: UInt32) -> UInt32 {
        UInt32(clamping: Int64(round) + 1)
    }

    private func isWritten(anyOf rows: [Symbol], in round: UInt32) -> Bool {
        rows.contains { book.isWritten(Cell(player: player, row: $0, round: round)) }
    }
}
