package import SessionCRDT

/// Rebuilds a damaged database in three stages: reads its pages without SQLite, copies the valid
/// rows into a new database, and rebuilds the version vectors so that they cover no write that may
/// be lost.
///
/// The damaged database stays in place until the new one is complete and flushed; then it is set
/// aside and never deleted.
struct DatabaseRepair {
    let files: StoreFiles
    let reason: String
    let migrations: [Migration]
    /// The id of this device, in case the database has lost it.
    let device: DeviceID

    func run(using generator: inout some RandomNumberGenerator) throws(StoreError) -> RepairReport {
        let damaged = try readPages()
        try files.createPartial()
        let losses = try copyRows(of: damaged, using: &generator)
        try files.completePartial()
        let file = try files.setAside()
        let report = RepairReport(file, reason: reason, losses)
        try files.save(report.text, nextTo: file)
        try files.finishRepair()
        return report
    }

    private func readPages() throws(StoreError) -> DamagedDatabase {
        let damaged = DamagedDatabase(DatabasePages(database: files.database))
        guard let schema = damaged.schema, let owner = damaged.owner else { return damaged }
        guard owner == Schema.applicationID || owner == 0 else {
            throw .otherProgram(path: files.database, applicationID: Int(owner))
        }
        guard schema <= migrations.count else {
            let known = migrations.count
            throw .newerSchema(path: files.database, found: schema, known: known)
        }
        return damaged
    }

    private func copyRows(
        of damaged: DamagedDatabase,
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> RepairLosses {
        let connection = try Connection(path: files.partial)
        // The new database is not used before it is complete, so it needs no journal on disk.
        try connection.run("PRAGMA journal_mode = MEMORY")
        try connection.run("PRAGMA synchronous = OFF")
        try connection.migrate(by: migrations)
        connection.action = "copy what can be read out of the damaged database"
        try connection.run("BEGIN IMMEDIATE")
        var copier = RowCopier(damaged, into: connection)
        try copier.run()
        var losses = RepairLosses(incomplete: copier.incomplete)
        var rebuilder = VectorRebuilder(
            connection,
            copier.gaps,
            isStale: copier.damaged.pages.isStale,
            hasJournal: copier.incomplete.isDisjoint(with: ["line", "replaced"])
        )
        losses.sessions = try rebuilder.run(using: &generator)
        try copier.removeOrphans()
        losses.keyless = try connection.all(
            """
            SELECT id FROM session WHERE length(secret) != \(SessionStore.keyBytes)
            ORDER BY number
            """
        ) { row throws(StoreError) in try row.id(0) }
        try connection.run("INSERT OR IGNORE INTO identity VALUES (1, ?)", [.id(device)])
        try connection.run("COMMIT")
        return losses
    }
}

struct RepairLosses {
    var incomplete: Set<String>
    /// The sessions that have lost live entries, or may have.
    var sessions: [SessionID] = []
    /// The sessions whose key is lost; it comes back when a member invites this device again.
    var keyless: [SessionID] = []

    var descriptions: [String] {
        func names(_ sessions: [SessionID]) -> String {
            sessions.map { String($0.description.prefix(8)) }.joined(separator: ", ")
        }
        var texts: [String] = []
        if !keyless.isEmpty {
            texts.append("the keys of sessions \(names(keyless)): join them again")
        } else if incomplete.contains("session") {
            texts.append("possibly sessions: join again any that are missing")
        }
        if !sessions.isEmpty {
            texts.append(
                "possibly scores of sessions \(names(sessions)): other members send what they have"
            )
        }
        for (tables, text) in [
            (["line", "replaced"], "part of the history"),
            (["setting", "session_setting"], "settings"),
            (["peer"], "addresses of other laptops"),
            (["identity"], "possibly this laptop's identity"),
            (["person"], "people of this laptop"),
            (["result", "result_player"], "results of sessions that you left"),
            (["sheet"], "your own games"),
        ] where !incomplete.isDisjoint(with: tables) {
            texts.append(text)
        }
        return texts
    }
}

package struct RepairReport: Hashable, Sendable {
    package let file: String
    /// A description of the damage and the losses, for users; also saved next to the damaged
    /// database.
    package let text: String

    init(_ file: String, reason: String, _ losses: RepairLosses) {
        self.file = file
        let lost = losses.descriptions
        let loss = lost.isEmpty ? "nothing was lost" : "lost: " + lost.joined(separator: "; ")
        // SQLite's report has several lines, the first of which only names the database.
        let lines = reason.split(separator: "\n").filter { !$0.hasPrefix("***") }
        text =
            "the database was damaged (\(lines.joined(separator: "; "))) and was rebuilt from "
            + "what could be read of it; \(loss)"
    }
}

extension SessionStore {
    /// Rebuilds the database, and sets the damaged one aside.
    ///
    /// `sessions`, which a running program holds in memory with everything that was committed,
    /// replace what was read from the database. Returns the report, which is also saved next to the
    /// damaged database. After an error the database is as it was before.
    package func repair(
        _ reason: String,
        keeping sessions: [(record: SessionRecord, replica: ReplicaSnapshot)] = [],
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> RepairReport {
        // Otherwise the files of another program would be set aside.
        guard filesAreCurrent else { throw movedError }
        let report = try reopen { files, device throws(StoreError) in
            try DatabaseRepair(files: files, reason: reason, migrations: migrations, device: device)
                .run(using: &generator)
        }
        for (record, replica) in sessions { try restore(record, replica) }
        return report
    }

    private func restore(_ record: SessionRecord, _ replica: ReplicaSnapshot) throws(StoreError) {
        try atomically(to: "store a session again") { () throws(StoreError) in
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
                inserted: replica.entries,
                advanced: replica.vector.sorted,
                journal: []
            )
            try commit([(record.id, batch)], at: 0)
        }
    }
}
