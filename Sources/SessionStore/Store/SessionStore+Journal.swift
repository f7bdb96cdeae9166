package import SessionCRDT

// Journals that go out into a file and come back.

extension SessionStore {
    /// The number of the last line of a session's journal, and about how many there are; nil where
    /// there is none.
    package func journalEnd(
        of session: SessionID
    ) throws(StoreError) -> (last: Int64, count: Int)? {
        connection.action = "read the journal"
        let number = SQLValue.integer(try number(of: session))
        let newest = "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1"
        guard let last = try firstNumber(newest, [number]) else { return nil }
        let query = "SELECT count(*) FROM line WHERE session = ?"
        return (last, Int(try firstNumber(query, [number]) ?? 0))
    }

    /// The entries that the lines of a session's journal are about.
    package func journalDots(of session: SessionID) throws(StoreError) -> Set<Dot> {
        connection.action = "read the journal"
        return try journalDots(of: try number(of: session))
    }

    /// Adds lines behind all others, each with when it was noted.
    package func append(
        _ lines: some Collection<(recordedAt: UInt64, line: JournalLine)>,
        to session: SessionID
    ) throws(StoreError) {
        try transaction(to: "write the journal") { () throws(StoreError) in
            let number = try number(of: session)
            try append(lines.lazy.map { ($0.recordedAt, nil, $0.line) }, to: number)
            numbers[number].trim()
        }
    }

    /// Writes lines in front of all others, but those whose entries are there.
    func insert(
        earlier lines: [JournalLine],
        into session: Int64,
        at milliseconds: UInt64
    ) throws(StoreError) {
        guard !lines.isEmpty else { return }
        let known = try journalDots(of: session)
        let missing = lines.filter { !known.contains($0.entry.dot) }
        let oldest = "SELECT line FROM line WHERE session = ? ORDER BY line LIMIT 1"
        let first = try firstNumber(oldest, [.integer(session)])
        guard let first, first > Int64.min / 2 else {
            return try append(missing.map { (milliseconds, nil, $0) }, to: session)
        }
        let begin = first - Int64(missing.count)
        let numbered = missing.enumerated().map { place, line in
            (at: milliseconds, number: Optional(begin + Int64(place)), line: line)
        }
        try append(numbered, to: session)
    }

    private func journalDots(of session: Int64) throws(StoreError) -> Set<Dot> {
        var actors: [Int64: ActorID] = [:]
        try connection.each(
            "SELECT number, id FROM actor WHERE session = ?",
            [.integer(session)]
        ) { row throws(StoreError) in actors[try row.integer(0)] = try row.id(1) }
        var dots: Set<Dot> = []
        try connection.each(
            "SELECT actor, sequence FROM line WHERE session = ?",
            [.integer(session)]
        ) { row throws(StoreError) in
            guard let actor = actors[try row.integer(0)] else { throw row.unreadable(0) }
            dots.insert(Dot(actor: actor, sequence: try row.word(1)))
        }
        return dots
    }
}

extension HistoryFilter {
    /// What the subject asks of the column `key`, and its values; nil for nothing.
    ///
    /// Keys are found by ranges of their text form, which the index of the keys serves; a key with
    /// a zero byte is stored as a blob and in no range, and no known key has one.
    var keys: (condition: String, values: [SQLValue])? {
        switch subject {
        case .anything:
            return nil
        case .key(let key):
            return ("key = ?", [.text(key.description)])
        case .player(let player):
            let ranges = within("cell/\(player)/") + within("player/\(player)/")
            let condition = "\(isWithin) OR \(isWithin) OR key = ?"
            return (condition, ranges + [.text(Key.membership(player).description)])
        case .cells(nil, nil):
            return (isWithin, within("cell/"))
        case .cells(let player?, nil):
            return (isWithin, within("cell/\(player)/"))
        case .cells(let player?, let row?):
            let cell = Key.cell(Cell(player: player, row: row)).description
            return ("key = ? OR \(isWithin)", [.text(cell)] + within(cell + "/"))
        case .cells(nil, let row?):
            // After "cell/" and the 32 digits of the player: the row, whole.
            let rest = "/\(row)/"
            let condition = "\(isWithin) AND substr(key || '/', 38, ?) = ?"
            let length = SQLValue.integer(Int64(rest.utf8.count))
            return (condition, within("cell/") + [length, .text(rest)])
        }
    }

    private var isWithin: String { "(key >= ? AND key < ?)" }

    /// The texts that start with `prefix`, which ends with a slash: up to the character after it.
    private func within(_ prefix: String) -> [SQLValue] {
        [.text(prefix), .text(prefix.dropLast() + "0")]
    }
}

/// Which lines of the journal are wanted.
package struct HistoryFilter: Hashable, Sendable {
    /// What lines are about.
    package enum Subject: Hashable, Sendable {
        /// Anything.
        case anything
        /// One key.
        case key(Key)
        /// One player: scores, fields and membership.
        case player(PlayerID)
        /// Scores, where given of one player and of one row in all its rounds.
        case cells(player: PlayerID? = nil, row: Symbol? = nil)
    }

    /// What the lines are about.
    package var subject: Subject
    /// Who wrote the entries; nil for everybody.
    package var author: DeviceID?
    /// Only lines before the one with this number, for the next page; nil for the newest.
    package var before: Int64?
    /// Only lines after the one with this number; nil for all.
    package var after: Int64?

    /// The lines about `subject`, by `author`, between two lines.
    package init(
        _ subject: Subject = .anything,
        author: DeviceID? = nil,
        before: Int64? = nil,
        after: Int64? = nil
    ) {
        self.subject = subject
        self.author = author
        self.before = before
        self.after = after
    }
}

/// A line of the journal as it is stored.
package struct JournalRecord: Hashable, Sendable {
    /// The line's number: it grows within a session and is never used twice.
    package let number: Int64
    /// When this device noted it, in milliseconds since 1970 by its own clock.
    package let recordedAt: UInt64
    /// What happened.
    package let line: JournalLine

    package init(number: Int64, recordedAt: UInt64, line: JournalLine) {
        self.number = number
        self.recordedAt = recordedAt
        self.line = line
    }
}
