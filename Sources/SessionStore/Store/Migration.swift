/// One step from a schema to the next.
///
/// Steps that have shipped are never edited: a database in the field has run them as they were.
package struct Migration: Hashable, Sendable {
    /// The statements, each on its own.
    package let statements: [String]

    /// A step of these statements.
    package init(_ statements: [String]) {
        self.statements = statements
    }
}

extension Connection {
    /// Brings the database to the last schema; step n makes schema n.
    ///
    /// Each step is one transaction with its number, so that a cut between two leaves a database
    /// that goes on from there. Must run while foreign keys are off, as SQLite wants it for tables
    /// that a step rebuilds.
    ///
    /// - Parameters:
    ///   - migrations: the steps.
    ///   - keepCopy: called before the first step of a database that holds something, with the
    ///     number of its schema.
    /// - Throws: `StoreError.newerSchema` for a database that knows more steps.
    func migrate(
        by migrations: [Migration],
        keepCopy: (Int) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        action = "read the schema's number"
        let found = Int(try number("PRAGMA user_version"))
        guard found <= migrations.count, found >= 0 else {
            throw .newerSchema(path: path, found: found, known: migrations.count)
        }
        guard found < migrations.count else { return }
        if found > 0 { try keepCopy(found) }
        for (index, migration) in migrations.enumerated().dropFirst(found) {
            action = "bring the database to schema \(index + 1)"
            try transaction { () throws(StoreError) in
                for statement in migration.statements { try run(statement) }
                try run("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// The one number that a statement gives; zero when it gives none.
    func number(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { row throws(StoreError) in try row.integer(0) } ?? 0
    }
}
