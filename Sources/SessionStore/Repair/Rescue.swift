internal import SessionCRDT

/// Moves everything that can be read of a damaged database into a new one, table by table.
///
/// Rows are taken as they are; what does not look like a row of its table is left behind. What the
/// loss means for what has been seen is decided by `Resettling`.
struct Rescue {
    private var damaged: DamagedDatabase
    private let connection: Connection
    private var gaps = EntryGaps()
    /// The tables of which something could not be read.
    private var incomplete: Set<String> = []

    /// What became of it.
    struct Outcome {
        /// The tables of which something is lost.
        let incomplete: Set<String>
        /// The sessions of which live entries are lost, or may be.
        let sessions: [SessionID]
        /// The sessions whose keys are lost.
        let keyless: [SessionID]
    }

    /// The rescue out of a database into a new one of the last schema, whose foreign keys are off.
    init(_ damaged: DamagedDatabase, into connection: Connection) {
        self.damaged = damaged
        self.connection = connection
    }

    /// Moves everything in one transaction.
    mutating func run(
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> Outcome {
        connection.action = "move what can be read out of the damaged database"
        for shape in TableShape.all { try move(shape) }
        gaps.finish()
        try moveStrays()
        var resettling = Resettling(
            connection,
            gaps,
            isStale: damaged.image.isStale,
            hasJournal: incomplete.isDisjoint(with: ["line", "replaced"])
        )
        let sessions = try resettling.run(using: &generator)
        try removeOrphans()
        return Outcome(
            incomplete: incomplete,
            sessions: sessions,
            keyless: try SessionStore.keylessSessions(connection)
        )
    }

    private mutating func move(_ shape: TableShape) throws(StoreError) {
        let isEntries = shape.table == "entry"
        var (gaps, doubtful) = (gaps, [[SQLValue]]())
        var missing = false
        try damaged.read(shape) { [connection] finding throws(StoreError) in
            guard case .row(let record, let isTrusted) = finding,
                let values = shape.values(of: record)
            else {
                missing = true
                if isEntries { gaps.open() }
                return
            }
            guard isTrusted else { return doubtful.append(values) }
            if isEntries, let place = EntryPlace(values) { gaps.pass(place) }
            try Rescue.insert(values, into: shape, connection)
        }
        self.gaps = gaps
        guard missing else { return }
        incomplete.insert(shape.table)
        try moveIndex(of: shape)
        for values in doubtful {
            try Rescue.insert(Rescue.unseen(values, shape), into: shape, connection)
            guard shape.table == "session" else { continue }
            // Its index knows the session and not its key; where both agree, the row is right.
            try connection.run(
                """
                UPDATE session SET secret = ?3, joined = ?4
                WHERE number = ?1 AND id = ?2 AND length(secret) = 0
                """,
                values
            )
        }
    }

    /// Names that an index still knows: those of sessions, actors, authors and keys.
    private mutating func moveIndex(of shape: TableShape) throws(StoreError) {
        guard ["session", "actor", "author", "subject"].contains(shape.table) else { return }
        try damaged.readIndex(of: shape.table) { [connection] record throws(StoreError) in
            guard case .integer(let number)? = record.values.last else { return }
            let rest: [SQLValue] =
                switch shape.table {
                case "session": [.blob([]), 0]
                case "actor": [.integer(Resettling.unknownSeen)]
                default: []
                }
            let columns = [.null] + record.values.dropLast() + rest
            let row = StoredRecord(number: number, values: columns)
            guard let values = shape.values(of: row) else { return }
            try Rescue.insert(values, into: shape, connection)
        }
    }

    /// What was seen of an actor is not believed of a row that is not trusted.
    private static func unseen(_ values: [SQLValue], _ shape: TableShape) -> [SQLValue] {
        shape.table == "actor" ? values.dropLast() + [.integer(Resettling.unknownSeen)] : values
    }

    /// Rows of pages that nothing leads to are of the tables that they look like, where such a
    /// table is incomplete.
    private func moveStrays() throws(StoreError) {
        guard !incomplete.isEmpty else { return }
        let shapes = TableShape.all.filter { incomplete.contains($0.table) }
        try damaged.readStrays { record throws(StoreError) in
            for shape in shapes {
                guard let values = shape.values(of: record) else { continue }
                if shape.table == "entry", let place = EntryPlace(values), !gaps.contains(place) {
                    return
                }
                return try Rescue.insert(Rescue.unseen(values, shape), into: shape, connection)
            }
        }
    }

    /// Inserts a row, unless one with its key is there.
    private static func insert(
        _ values: [SQLValue],
        into shape: TableShape,
        _ connection: Connection
    ) throws(StoreError) {
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let sql = "INSERT OR IGNORE INTO \(shape.table) VALUES (\(places))"
        try connection.run(sql, values)
    }

    /// Removes what belonged to sessions, lines or results that are lost.
    private func removeOrphans() throws(StoreError) {
        for table in ["session_setting", "peer", "actor", "author", "subject", "line"] {
            try connection.run(
                "DELETE FROM \(table) WHERE session NOT IN (SELECT number FROM session)"
            )
        }
        try connection.run("DELETE FROM entry WHERE actor NOT IN (SELECT number FROM actor)")
        // A line names its key, its actor and its author, and so does what it replaced.
        let names = """
            actor NOT IN (SELECT number FROM actor) OR author NOT IN (SELECT number FROM author)
            """
        try connection.run(
            "DELETE FROM line WHERE subject NOT IN (SELECT number FROM subject) OR \(names)"
        )
        try connection.run("DELETE FROM replaced WHERE \(names)")
        try connection.run(
            """
            UPDATE line SET replaced_sequence = NULL WHERE replaced_sequence IS NOT NULL
            AND (replaced_actor NOT IN (SELECT number FROM actor)
            OR replaced_author NOT IN (SELECT number FROM author))
            """
        )
        try connection.run(
            "DELETE FROM replaced WHERE (session, line) NOT IN (SELECT session, line FROM line)"
        )
        try connection.run(
            "DELETE FROM result_player WHERE result NOT IN (SELECT number FROM result)"
        )
    }
}

extension EntryPlace {
    /// The place of a row of the table.
    fileprivate init?(_ values: [SQLValue]) {
        guard case .integer(let actor)? = values.first, case .integer(let sequence) = values[1]
        else { return nil }
        self.init(actor: actor, sequence: sequence)
    }
}

/// Where an entry stands in the table of live entries: by its actor's number and its sequence, the
/// way the table is ordered.
struct EntryPlace: Hashable, Comparable {
    let actor: Int64
    /// The bits of the sequence, as they are stored.
    let sequence: Int64

    static func < (left: EntryPlace, right: EntryPlace) -> Bool {
        (left.actor, left.sequence) < (right.actor, right.sequence)
    }
}

/// The parts of the table of live entries that could not be read, each between two trusted rows.
///
/// Which entries stood there nobody knows; so nothing in a gap may count as seen.
struct EntryGaps {
    private var gaps: [(low: EntryPlace?, high: EntryPlace?)] = []
    private var last: EntryPlace?
    private var isOpen = false

    /// Whether everything could be read.
    var isEmpty: Bool { gaps.isEmpty && !isOpen }

    /// Notes the next trusted row.
    mutating func pass(_ place: EntryPlace) {
        if isOpen { gaps.append((low: last, high: place)) }
        isOpen = false
        last = place
    }

    /// Notes that something after the last trusted row cannot be read.
    mutating func open() { isOpen = true }

    /// Notes that no row follows.
    mutating func finish() {
        if isOpen { gaps.append((low: last, high: nil)) }
        isOpen = false
    }

    /// Whether something that stood there may be lost.
    func contains(_ place: EntryPlace) -> Bool {
        gaps.contains { gap in
            gap.low.map { $0 < place } ?? true && gap.high.map { place < $0 } ?? true
        }
    }

    /// Up to which sequence no entry of an actor can be lost.
    func soundSequence(of actor: Int64) -> UInt64 {
        var sound = UInt64.max
        for gap in gaps
        where gap.low.map({ $0.actor <= actor }) ?? true
            && gap.high.map({ actor <= $0.actor }) ?? true
        {
            guard let low = gap.low, low.actor == actor else { return 0 }
            sound = min(sound, UInt64(bitPattern: low.sequence))
        }
        // Past 2⁶³ the order of the bits is not that of the numbers.
        return sound > UInt64(Int64.max) && sound != .max ? 0 : sound
    }
}
