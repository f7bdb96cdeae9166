package import SessionCRDT

/// What became of a damaged database: where it is now, and what could not be read of it.
package struct Salvage: Hashable, Sendable {
    /// The damaged database, which stays beside the new one.
    package let file: String
    /// What became of it, for people; it also stands in a file beside the damaged one.
    package let text: String

    init(_ file: String, because finding: String, _ outcome: Rescue.Outcome) {
        self.file = file
        let lost = Salvage.losses(of: outcome)
        let loss =
            lost.isEmpty ? "nothing was lost" : "what was lost: " + lost.joined(separator: "; ")
        // SQLite says it in several lines, of which the first only names the database.
        let lines = finding.split(separator: "\n").filter { !$0.hasPrefix("***") }
        let said = lines.joined(separator: "; ")
        text =
            "the database was damaged (\(said)) and was made anew from what could be read of "
            + "it; \(loss)"
    }

    /// What is lost, as people call it.
    private static func losses(of outcome: Rescue.Outcome) -> [String] {
        var losses: [String] = []
        let incomplete = outcome.incomplete
        if incomplete.contains("session") || !outcome.keyless.isEmpty {
            let names = outcome.keyless.map { String($0.description.prefix(8)) }
            losses.append(
                names.isEmpty
                    ? "perhaps sessions: join again what is missing"
                    : "the keys of sessions \(names.joined(separator: ", ")): join them again"
            )
        }
        if !outcome.sessions.isEmpty {
            let names = outcome.sessions.map { String($0.description.prefix(8)) }
            let what = "perhaps scores of sessions \(names.joined(separator: ", "))"
            losses.append("\(what): other members give back what they have")
        }
        for (tables, words) in [
            (["line", "replaced"], "a part of the history"),
            (["setting", "session_setting"], "settings"),
            (["peer"], "addresses of other laptops"),
            (["identity"], "perhaps who this laptop is to the others"),
            (["person"], "people of this laptop"),
            (["result", "result_player"], "results of sessions that were left"),
            (["sheet"], "games of your own"),
        ] where !incomplete.isDisjoint(with: tables) {
            losses.append(words)
        }
        return losses
    }
}

/// A session as a program that runs holds it: what a damaged file cannot take away.
package struct KeptSession: Sendable {
    /// The session, with its key.
    package let record: SessionRecord
    /// All that was on disk of it.
    package let replica: ReplicaSnapshot

    package init(record: SessionRecord, replica: ReplicaSnapshot) {
        self.record = record
        self.replica = replica
    }
}

extension SessionStore {
    /// Makes the database anew from what can be read of it, and of what is kept in memory, and sets
    /// the old one aside.
    ///
    /// - Parameters:
    ///   - finding: what is wrong with it.
    ///   - kept: the sessions that are in memory, which are stored as they are there.
    ///   - generator: mints an actor for what must be written anew; see `Resettling`.
    /// - Returns: what became of the old one.
    /// - Throws: what the disk says; then the database is as it was.
    package func mend(
        _ finding: String,
        keeping kept: [KeptSession] = [],
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> Salvage {
        // Else another program's files would be set aside.
        guard isInPlace else { throw lost }
        let salvage = try reopen { files, device throws(StoreError) in
            try SessionStore.salvage(files, finding, migrations, device, &generator)
        }
        for session in kept { try restore(session) }
        return salvage
    }

    /// Makes a new database beside the damaged one and puts it in its place.
    ///
    /// The damaged one stays in its place until the new one is whole and on disk.
    static func salvage(
        _ files: StoreFiles,
        _ finding: String,
        _ migrations: [Migration],
        _ device: DeviceID,
        _ generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> Salvage {
        let damaged = DamagedDatabase(DamagedImage(database: files.database))
        if let schema = damaged.schema, let owner = damaged.owner {
            guard owner == Schema.applicationID || owner == 0 else {
                throw .otherProgram(path: files.database, applicationID: Int(owner))
            }
            guard schema <= migrations.count else {
                let known = migrations.count
                throw .newerSchema(path: files.database, found: schema, known: known)
            }
        }
        try files.makePartial()
        let outcome = try rescue(damaged, into: files.partial, migrations, device, &generator)
        try files.keepPartial()
        let aside = try files.setAside()
        let salvage = Salvage(aside, because: finding, outcome)
        try files.note(salvage.text, beside: aside)
        try files.finishSalvage()
        return salvage
    }

    private static func rescue(
        _ damaged: DamagedDatabase,
        into path: String,
        _ migrations: [Migration],
        _ device: DeviceID,
        _ generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> Rescue.Outcome {
        let connection = try Connection(path: path)
        // Nobody sees it before it is whole.
        try connection.run("PRAGMA journal_mode = MEMORY")
        try connection.run("PRAGMA synchronous = OFF")
        try connection.migrate(by: migrations)
        var rescue = Rescue(damaged, into: connection)
        try connection.run("BEGIN IMMEDIATE")
        let outcome = try rescue.run(using: &generator)
        try connection.run("INSERT OR IGNORE INTO identity VALUES (1, ?)", [.id(device)])
        try connection.run("COMMIT")
        return outcome
    }

    /// The sessions of which the key is lost; a member who lets this device in brings it again.
    static func keylessSessions(_ connection: Connection) throws(StoreError) -> [SessionID] {
        let query = "SELECT id FROM session WHERE length(secret) != \(keyBytes) ORDER BY number"
        return try connection.all(query) { row throws(StoreError) in try row.id(0) }
    }

    /// Stores a session as it is in memory, whatever could be read of it.
    private func restore(_ session: KeptSession) throws(StoreError) {
        let record = session.record
        try atomically(to: "write a session down again") { () throws(StoreError) in
            try connection.run(
                """
                INSERT INTO session (id, secret, joined) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET secret = excluded.secret, joined = excluded.joined
                """,
                [.id(record.id), .blob(record.key), .word(record.joinedAt)]
            )
            let number = SQLValue.integer(try number(of: record.id))
            try connection.run(
                "DELETE FROM entry WHERE actor IN (SELECT number FROM actor WHERE session = ?)",
                [number]
            )
            try connection.run("UPDATE actor SET seen = 0 WHERE session = ?", [number])
            let batch = Batch(
                removed: [],
                inserted: session.replica.entries,
                advanced: session.replica.vector.sorted,
                journal: []
            )
            try commit([(record.id, batch)], at: 0)
        }
    }
}
