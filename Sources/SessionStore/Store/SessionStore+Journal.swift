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
