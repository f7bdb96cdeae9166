package import SessionCRDT

// The journals of sessions: history, pruning, export and import.

extension SessionStore {
    /// Returns the newest lines of a session's journal that match a filter, the newest first, or
    /// the oldest ones, the oldest first.
    package func history(
        of session: SessionID,
        _ filter: HistoryFilter = HistoryFilter(),
        oldestFirst: Bool = false,
        limit: Int
    ) throws(StoreError) -> [JournalRecord] {
        connection.action = "read the journal"
        let number = try number(of: session)
        var conditions = "x.session = ? AND x.line < ? AND x.line > ?"
        var values: [SQLValue] = [
            .integer(number), .integer(filter.before ?? .max), .integer(filter.after ?? .min),
        ]
        if let author = filter.author {
            conditions += " AND x.author = (SELECT number FROM author WHERE session = ? AND id = ?)"
            values += [.integer(number), .id(author)]
        }
        if let keys = filter.keyCondition {
            let subjects = "SELECT number FROM subject WHERE session = ? AND (\(keys.condition))"
            conditions += " AND x.subject IN (\(subjects))"
            values += [.integer(number)] + keys.values
        }
        let query = """
            SELECT \(SessionStore.entryColumns), x.line, x.recorded, s.key,
            b.id, x.replaced_sequence, x.replaced_stamp, e.id, x.replaced_kind,
            x.replaced_foreign_kind, x.replaced_value
            FROM line x LEFT JOIN subject s ON s.number = x.subject \(SessionStore.entryJoins)
            LEFT JOIN actor b ON b.number = x.replaced_actor
            LEFT JOIN author e ON e.number = x.replaced_author
            WHERE \(conditions) ORDER BY x.line \(oldestFirst ? "ASC" : "DESC") LIMIT ?
            """
        values.append(.integer(Int64(max(limit, 0))))
        return try connection.all(query, values) { row throws(StoreError) in
            let line = try row.integer(7)
            // The first replaced entry must be complete or absent.
            let first = row.isNull(11) ? [] : [try Entry(row, from: 10)]
            let journalLine = JournalLine(
                key: try row.key(9),
                entry: try Entry(row, from: 0),
                replaced: first + (try replaced(by: line, in: number))
            )
            return JournalRecord(number: line, recordedAt: try row.word(8), line: journalLine)
        }
    }

    /// Removes old lines from a session's journal, one part of the journal per call.
    ///
    /// A line is removed only if its entry is not live any more and, if this device wrote it, a
    /// peer has the entry. Entries that a remaining line replaced stay readable, because each line
    /// has copies of them. One call checks up to `linesPerPrune` lines, so that other users of the
    /// store need not wait long. The newest `kept` lines are never removed, and at least one line
    /// stays, so that no number is used twice. Returns the number of removed lines, and the next
    /// line to check, nil at the end.
    package func prune(
        _ session: SessionID,
        acknowledged: VersionVector,
        keepingNewest kept: Int,
        from first: Int64 = .min
    ) throws(StoreError) -> (removed: Int, next: Int64?) {
        try transaction(to: "prune the journal") { () throws(StoreError) in
            let number = try number(of: session)
            let oldestKept = try connection.firstNumber(
                "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1 OFFSET ?",
                [.integer(number), .integer(Int64(max(kept, 1) - 1))]
            )
            guard let oldestKept else { return (0, nil) }
            let checked = try superseded(in: number, from: first, before: oldestKept, acknowledged)
            let delete = "DELETE FROM line WHERE session = ? AND line = ?"
            for line in checked.lines {
                try connection.run(delete, [.integer(number), .integer(line)])
            }
            return (checked.lines.count, checked.next)
        }
    }

    package static let linesPerPrune = 1_000

    private static let entryColumns =
        "a.id, x.sequence, x.stamp, d.id, x.kind, x.foreign_kind, x.value"

    // Left joins, so that a line whose actor is lost causes an error instead of being omitted.
    private static let entryJoins = """
        LEFT JOIN actor a ON a.number = x.actor LEFT JOIN author d ON d.number = x.author
        """

    private func replaced(by line: Int64, in session: Int64) throws(StoreError) -> [Entry] {
        let query = """
            SELECT \(SessionStore.entryColumns) FROM replaced x \(SessionStore.entryJoins)
            WHERE x.session = ? AND x.line = ? ORDER BY x.place
            """
        return try connection.all(query, [.integer(session), .integer(line)]) {
            row throws(StoreError) in try Entry(row, from: 0)
        }
    }

    /// Returns the removable lines of one part of the journal, and the start of the next part.
    private func superseded(
        in session: Int64,
        from first: Int64,
        before end: Int64,
        _ acknowledged: VersionVector
    ) throws(StoreError) -> (lines: [Int64], next: Int64?) {
        let query = """
            SELECT x.line, a.id, x.sequence, d.id, EXISTS
            (SELECT 1 FROM entry e WHERE e.actor = x.actor AND e.sequence = x.sequence)
            FROM line x \(SessionStore.entryJoins)
            WHERE x.session = ? AND x.line >= ? AND x.line < ? ORDER BY x.line LIMIT ?
            """
        let limit = SessionStore.linesPerPrune
        var lines: [Int64] = []
        var (count, last) = (0, first)
        let values = [session, first, end, Int64(limit)].map(SQLValue.integer)
        try connection.each(query, values) { row throws(StoreError) in
            count += 1
            last = try row.integer(0)
            guard try row.integer(4) == 0 else { return }
            let dot = Dot(actor: try row.id(1), sequence: try row.word(2))
            let isOwn = try row.id(3) == device
            if !isOwn || acknowledged.covers(dot) { lines.append(last) }
        }
        return (lines, count == limit ? last + 1 : nil)
    }
}

extension Entry {
    /// Reads an entry from columns like `SessionStore.entryColumns`, which start at `column`.
    fileprivate init(_ row: Row, from column: Int32) throws(StoreError) {
        self.init(
            dot: Dot(actor: try row.id(column), sequence: try row.word(column + 1)),
            stamp: Stamp(bits: try row.word(column + 2)),
            author: try row.id(column + 3),
            value: try Value(row, from: column + 4)
        )
    }
}

extension SessionStore {
    /// Returns the number of the last line of a session's journal and the count of lines; nil if
    /// the journal is empty.
    package func journalEnd(
        of session: SessionID
    ) throws(StoreError) -> (last: Int64, count: Int)? {
        connection.action = "read the journal"
        let number = SQLValue.integer(try number(of: session))
        let newest = "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1"
        guard let last = try connection.firstNumber(newest, [number]) else { return nil }
        let query = "SELECT count(*) FROM line WHERE session = ?"
        return (last, Int(try connection.number(query, [number])))
    }

    package func journalDots(of session: SessionID) throws(StoreError) -> Set<Dot> {
        connection.action = "read the journal"
        return try journalDots(of: try number(of: session))
    }

    /// Appends lines with their times to a session's journal.
    package func append(
        _ lines: some Collection<(recordedAt: UInt64, line: JournalLine)>,
        to session: SessionID
    ) throws(StoreError) {
        try transaction(to: "save the journal") { () throws(StoreError) in
            let number = try number(of: session)
            try append(lines.lazy.map { ($0.recordedAt, nil, $0.line) }, to: number)
            numbers[number].trim()
        }
    }

    /// Adds lines before a session's journal, except those that the journal has.
    func prepend(
        _ lines: [JournalLine],
        to session: Int64,
        at milliseconds: UInt64
    ) throws(StoreError) {
        guard !lines.isEmpty else { return }
        let known = try journalDots(of: session)
        let missing = lines.filter { !known.contains($0.entry.dot) }
        let oldest = "SELECT line FROM line WHERE session = ? ORDER BY line LIMIT 1"
        let first = try connection.firstNumber(oldest, [.integer(session)])
        guard let first, first > Int64.min / 2 else {
            return try append(missing.map { (milliseconds, nil, $0) }, to: session)
        }
        let start = first - Int64(missing.count)
        let numbered = missing.enumerated().map { index, line in
            (at: milliseconds, number: Optional(start + Int64(index)), line: line)
        }
        try append(numbered, to: session)
    }

    private func journalDots(of session: Int64) throws(StoreError) -> Set<Dot> {
        let actors: [Int64: ActorID] = try ids("actor", of: session)
        var dots: Set<Dot> = []
        let query = "SELECT actor, sequence FROM line WHERE session = ?"
        try connection.each(query, [.integer(session)]) { row throws(StoreError) in
            guard let actor = actors[try row.integer(0)] else { throw row.unreadable(0) }
            dots.insert(Dot(actor: actor, sequence: try row.word(1)))
        }
        return dots
    }
}

extension HistoryFilter {
    /// The condition on the column `key` with its values; nil if all keys match.
    ///
    /// Keys are selected by ranges of their text form, for which there is an index. A key with a
    /// zero byte is stored as a blob and is in no range; only foreign keys can have one.
    var keyCondition: (condition: String, values: [SQLValue])? {
        switch subject {
        case .anything: return nil
        case .key(let key): return ("key = ?", [.text(key.description)])
        case .player(let player):
            let ranges = within("cell/\(player)/") + within("player/\(player)/")
            let condition = "\(isWithin) OR \(isWithin) OR key = ?"
            return (condition, ranges + [.text(Key.membership(player).description)])
        case .cells(nil, nil): return (isWithin, within("cell/"))
        case .cells(let player?, nil): return (isWithin, within("cell/\(player)/"))
        case .cells(let player?, let row?):
            let cell = Key.cell(Cell(player: player, row: row)).description
            return ("key = ? OR \(isWithin)", [.text(cell)] + within(cell + "/"))
        case .cells(nil, let row?):
            // The row's id follows "cell/" and the 32 digits of the player.
            let rest = "/\(row)/"
            let condition = "\(isWithin) AND substr(key || '/', 38, ?) = ?"
            let length = SQLValue.integer(Int64(rest.utf8.count))
            return (condition, within("cell/") + [length, .text(rest)])
        }
    }

    private var isWithin: String { "(key >= ? AND key < ?)" }

    /// Returns the range of texts that start with `prefix`, which must end with a slash; "0" is the
    /// next character after the slash.
    private func within(_ prefix: String) -> [SQLValue] {
        [.text(prefix), .text(prefix.dropLast() + "0")]
    }
}

/// Selects lines of a journal.
package struct HistoryFilter: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case anything
        case key(Key)
        case player(PlayerID)
        /// Scores, optionally only those of one player, or those of one row in all rounds.
        case cells(player: PlayerID? = nil, row: Symbol? = nil)
    }

    package var subject: Subject
    package var author: DeviceID?
    /// The number of the line before which the result ends, for paging.
    package var before: Int64?
    /// The number of the line after which the result begins, for paging.
    package var after: Int64?

    package init(
        _ subject: Subject = .anything,
        author: DeviceID? = nil,
        before: Int64? = nil,
        after: Int64? = nil
    ) {
        (self.subject, self.author) = (subject, author)
        (self.before, self.after) = (before, after)
    }
}

package struct JournalRecord: Hashable, Sendable {
    /// The number of the line, which increases within a session and is never used twice.
    package let number: Int64
    /// The time of the commit, in milliseconds since 1970 by this device's clock.
    package let recordedAt: UInt64
    package let line: JournalLine

    package init(number: Int64, recordedAt: UInt64, line: JournalLine) {
        (self.number, self.recordedAt, self.line) = (number, recordedAt, line)
    }
}
