/// Copies all valid rows of a damaged database into a new one, table by table.
///
/// Rows are copied unchanged; a row that does not match the columns of its table is dropped.
struct RowCopier {
    private(set) var damaged: DamagedDatabase
    private(set) var gaps = EntryGaps()
    /// The tables that could not be read completely.
    private(set) var incomplete: Set<String> = []
    private let connection: Connection

    /// Creates a copier; the new database has the latest schema and foreign keys disabled.
    init(_ damaged: DamagedDatabase, into connection: Connection) {
        (self.damaged, self.connection) = (damaged, connection)
    }

    mutating func run() throws(StoreError) {
        for shape in TableShape.all { try copy(shape) }
        gaps.finish()
        try copyUnreferencedPages()
    }

    private mutating func copy(_ shape: TableShape) throws(StoreError) {
        let isEntries = shape.table == "entry"
        var (gaps, doubtful) = (gaps, [[SQLValue]]())
        var isIncomplete = false
        try damaged.read(shape) { [connection] finding throws(StoreError) in
            guard case .row(let record, let isTrusted) = finding,
                let values = shape.values(of: record)
            else {
                isIncomplete = true
                if isEntries { gaps.open() }
                return
            }
            guard isTrusted else { return doubtful.append(values) }
            if isEntries, let position = EntryPosition(values) { gaps.close(at: position) }
            try RowCopier.insert(values, into: shape, connection)
        }
        self.gaps = gaps
        guard isIncomplete else { return }
        incomplete.insert(shape.table)
        try copyIndex(of: shape)
        for values in doubtful {
            try RowCopier.insert(RowCopier.unseen(values, shape), into: shape, connection)
            guard shape.table == "session" else { continue }
            // Completes a session that was copied from an index, which has no key; the ids must
            // agree.
            try connection.run(
                """
                UPDATE session SET secret = ?3, joined = ?4
                WHERE number = ?1 AND id = ?2 AND length(secret) = 0
                """,
                values
            )
        }
    }

    /// Copies the ids of sessions, actors, authors and keys that are only left in an index.
    private mutating func copyIndex(of shape: TableShape) throws(StoreError) {
        guard ["session", "actor", "author", "subject"].contains(shape.table) else { return }
        try damaged.readIndex(of: shape.table) { [connection] record throws(StoreError) in
            guard case .integer(let number)? = record.values.last else { return }
            let rest: [SQLValue] =
                switch shape.table {
                case "session": [.blob([]), 0]
                case "actor": [.integer(VectorRebuilder.unknownSeen)]
                default: []
                }
            let columns = [.null] + record.values.dropLast() + rest
            let row = StoredRecord(number: number, values: columns)
            guard let values = shape.values(of: row) else { return }
            try RowCopier.insert(values, into: shape, connection)
        }
    }

    /// Replaces the last seen write of an actor by `unknownSeen`, because its row is not trusted.
    private static func unseen(_ values: [SQLValue], _ shape: TableShape) -> [SQLValue] {
        shape.table == "actor"
            ? values.dropLast() + [.integer(VectorRebuilder.unknownSeen)] : values
    }

    /// Copies rows from unreferenced pages if they match the columns of an incomplete table.
    private func copyUnreferencedPages() throws(StoreError) {
        guard !incomplete.isEmpty else { return }
        let shapes = TableShape.all.filter { incomplete.contains($0.table) }
        try damaged.readUnreferencedPages { record throws(StoreError) in
            for shape in shapes {
                guard let values = shape.values(of: record) else { continue }
                if shape.table == "entry", let position = EntryPosition(values),
                    !gaps.contains(position)
                {
                    return
                }
                let row = RowCopier.unseen(values, shape)
                return try RowCopier.insert(row, into: shape, connection)
            }
        }
    }

    /// Inserts a row, unless a row with its key exists.
    private static func insert(
        _ values: [SQLValue],
        into shape: TableShape,
        _ connection: Connection
    ) throws(StoreError) {
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        try connection.run("INSERT OR IGNORE INTO \(shape.table) VALUES (\(places))", values)
    }

    /// Removes the rows that refer to a lost session, line or result.
    func removeOrphans() throws(StoreError) {
        func delete(_ table: String, where condition: String) throws(StoreError) {
            try connection.run("DELETE FROM \(table) WHERE \(condition)")
        }
        for table in ["session_setting", "peer", "actor", "author", "subject", "line"] {
            try delete(table, where: "session NOT IN (SELECT number FROM session)")
        }
        try delete("entry", where: "actor NOT IN (SELECT number FROM actor)")
        // Journal lines and replaced entries refer to a key, an actor and an author.
        let names = """
            actor NOT IN (SELECT number FROM actor) OR author NOT IN (SELECT number FROM author)
            """
        try delete("line", where: "subject NOT IN (SELECT number FROM subject) OR \(names)")
        try delete("replaced", where: names)
        try connection.run(
            """
            UPDATE line SET replaced_sequence = NULL WHERE replaced_sequence IS NOT NULL
            AND (replaced_actor NOT IN (SELECT number FROM actor)
            OR replaced_author NOT IN (SELECT number FROM author))
            """
        )
        try delete("replaced", where: "(session, line) NOT IN (SELECT session, line FROM line)")
        try delete("result_player", where: "result NOT IN (SELECT number FROM result)")
    }
}

/// The primary key of a row in the table of live entries.
struct EntryPosition: Hashable, Comparable {
    let actor: Int64
    /// The sequence number as it is stored: the signed integer with the same bits.
    let sequence: Int64

    static func < (left: EntryPosition, right: EntryPosition) -> Bool {
        (left.actor, left.sequence) < (right.actor, right.sequence)
    }
}

extension EntryPosition {
    fileprivate init?(_ values: [SQLValue]) {
        guard case .integer(let actor)? = values.first, case .integer(let sequence) = values[1]
        else { return nil }
        self.init(actor: actor, sequence: sequence)
    }

    init(_ row: Row) throws(StoreError) {
        self.init(actor: try row.integer(0), sequence: try row.integer(1))
    }
}

/// The unreadable parts of the table of live entries, each between two trusted rows.
///
/// The entries in a gap are unknown, so no write in its range counts as seen.
struct EntryGaps {
    private var gaps: [(low: EntryPosition?, high: EntryPosition?)] = []
    private var last: EntryPosition?
    private var isOpen = false

    /// Starts a gap after the last trusted row.
    mutating func open() { isOpen = true }

    /// Ends the gap at a trusted row; does nothing if there is no gap.
    mutating func close(at position: EntryPosition) {
        if isOpen { gaps.append((low: last, high: position)) }
        isOpen = false
        last = position
    }

    /// Ends the gap at the end of the table; does nothing if there is no gap.
    mutating func finish() {
        if isOpen { gaps.append((low: last, high: nil)) }
        isOpen = false
    }

    func contains(_ position: EntryPosition) -> Bool {
        gaps.contains { gap in
            gap.low.map { $0 < position } ?? true && gap.high.map { position < $0 } ?? true
        }
    }

    /// Returns the last sequence number of an actor before any possible loss.
    func soundSequence(of actor: Int64) -> UInt64 {
        var sound = UInt64.max
        for gap in gaps
        where gap.low.map({ $0.actor <= actor }) ?? true
            && gap.high.map({ actor <= $0.actor }) ?? true
        {
            guard let low = gap.low, low.actor == actor else { return 0 }
            sound = min(sound, UInt64(bitPattern: low.sequence))
        }
        // From 2⁶³ on, the stored signed integers do not sort like the sequence numbers.
        return sound > UInt64(Int64.max) && sound != .max ? 0 : sound
    }
}
