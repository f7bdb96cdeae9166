package import SessionCRDT

extension SessionStore {
    /// Everything that is live in a session, and what has been seen.
    package func load(_ session: SessionID) throws(StoreError) -> ReplicaSnapshot {
        connection.action = "load a session"
        let number = try number(of: session)
        let authors = try authors(of: number)
        var entries: [KeyedEntry] = []
        var sequences: [ActorID: UInt64] = [:]
        let actors = try connection.all(
            "SELECT number, id, seen FROM actor WHERE session = ?",
            [.integer(number)]
        ) { row throws(StoreError) in
            (number: try row.integer(0), id: try row.id(1) as ActorID, seen: try row.word(2))
        }
        for actor in actors {
            sequences[actor.id] = actor.seen
            try load(actor.id, actor.number, authors, into: &entries)
        }
        return ReplicaSnapshot(entries: entries, vector: VersionVector(sequences))
    }

    private func load(
        _ actor: ActorID,
        _ number: Int64,
        _ authors: [Int64: DeviceID],
        into entries: inout [KeyedEntry]
    ) throws(StoreError) {
        // A left join, so that an entry whose key is lost is an error and not left out.
        let query = """
            SELECT e.sequence, e.stamp, e.author, e.kind, e.foreign_kind, e.value, s.key
            FROM entry e LEFT JOIN subject s ON s.number = e.subject WHERE e.actor = ?
            """
        try connection.each(query, [.integer(number)]) { row throws(StoreError) in
            guard let author = authors[try row.integer(2)] else { throw row.unreadable(2) }
            let entry = Entry(
                dot: Dot(actor: actor, sequence: try row.word(0)),
                stamp: Stamp(bits: try row.word(1)),
                author: author,
                value: try Value(row, from: 3)
            )
            entries.append(KeyedEntry(key: Key(try row.text(6)), entry: entry))
        }
    }

    private func authors(of session: Int64) throws(StoreError) -> [Int64: DeviceID] {
        var authors: [Int64: DeviceID] = [:]
        try connection.each(
            "SELECT number, id FROM author WHERE session = ?",
            [.integer(session)]
        ) { row throws(StoreError) in authors[try row.integer(0)] = try row.id(1) }
        return authors
    }
}
