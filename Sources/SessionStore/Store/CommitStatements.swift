internal import SessionCRDT

/// The statements of a commit, prepared once: what a score runs.
///
/// The columns of an entry come after that of what it is about, as `EntryColumns` adds them.
struct CommitStatements {
    let insert: Statement
    let replace: Statement
    let remove: Statement
    let advance: Statement
    let append: Statement
    let appendTwo: Statement
    let appendReplaced: Statement

    private static let entry = "actor, sequence, stamp, author, kind, foreign_kind, value"

    init(_ connection: Connection) throws(StoreError) {
        let entry = CommitStatements.entry
        let columns = entry.split(separator: ", ")
        insert = try connection.prepare(
            "INSERT OR REPLACE INTO entry (subject, \(entry)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        let changes = columns.map { "\($0) = ?" }.joined(separator: ", ")
        replace = try connection.prepare(
            "UPDATE OR REPLACE entry SET subject = ?, \(changes) WHERE actor = ? AND sequence = ?"
        )
        remove = try connection.prepare("DELETE FROM entry WHERE actor = ? AND sequence = ?")
        advance = try connection.prepare("UPDATE actor SET seen = ? WHERE number = ?")
        let replaced = columns.map { "replaced_\($0)" }.joined(separator: ", ")
        let row = "(" + Array(repeating: "?", count: 18).joined(separator: ", ") + ")"
        let line =
            "INSERT INTO line (session, line, recorded, subject, \(entry), \(replaced)) VALUES "
        append = try connection.prepare(line + row)
        appendTwo = try connection.prepare(line + row + ", " + row)
        appendReplaced = try connection.prepare(
            """
            INSERT INTO replaced (session, line, place, \(entry))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
    }
}
