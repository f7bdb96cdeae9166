internal import SessionCRDT

/// The statements of a commit, prepared once: what a score runs.
///
/// The columns of an entry come after that of what it is about, as `EntryColumns` adds them.
struct CommitStatements {
    let insert: RowInsertion
    let replace: Statement
    let remove: Statement
    let advance: Statement
    let append: RowInsertion
    let appendReplaced: RowInsertion

    init(_ connection: Connection) throws(StoreError) {
        let entry = "actor, sequence, stamp, author, kind, foreign_kind, value"
        let columns = entry.split(separator: ", ")
        insert = try RowInsertion("INSERT OR REPLACE INTO entry (subject, \(entry))", connection)
        let changes = columns.map { "\($0) = ?" }.joined(separator: ", ")
        replace = try connection.prepare(
            "UPDATE OR REPLACE entry SET subject = ?, \(changes) WHERE actor = ? AND sequence = ?"
        )
        remove = try connection.prepare("DELETE FROM entry WHERE actor = ? AND sequence = ?")
        advance = try connection.prepare("UPDATE actor SET seen = ? WHERE number = ?")
        let replaced = columns.map { "replaced_\($0)" }.joined(separator: ", ")
        append = try RowInsertion(
            "INSERT INTO line (session, line, recorded, subject, \(entry), \(replaced))",
            connection
        )
        appendReplaced = try RowInsertion(
            "INSERT INTO replaced (session, line, place, \(entry))",
            connection
        )
    }
}

/// An insertion of any number of rows, prepared for some numbers of them: a row of a long statement
/// costs two thirds of one by itself.
struct RowInsertion {
    private let statements: [(rows: Int, statement: Statement)]

    /// The insertion whose SQL ends with the names of the columns.
    init(_ sql: String, _ connection: Connection) throws(StoreError) {
        let count = sql.split(separator: ",").count
        let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
        // A score has two lines, with that of the player's membership.
        statements = try [16, 2, 1].map { rows throws(StoreError) in
            let values = Array(repeating: row, count: rows).joined(separator: ", ")
            return (rows, try connection.prepare("\(sql) VALUES \(values)"))
        }
    }

    /// Inserts rows, each with the values that `bind` adds for it.
    func run<Element>(
        _ rows: some Collection<Element>,
        on connection: Connection,
        _ bind: (inout Bindings, Element) throws(StoreError) -> Void
    ) throws(StoreError) {
        var rest = rows[...]
        for (count, statement) in statements {
            while rest.count >= count {
                let share = rest.prefix(count)
                rest = rest.dropFirst(count)
                try connection.run(statement) { bindings throws(StoreError) in
                    for row in share { try bind(&bindings, row) }
                }
            }
        }
    }
}
