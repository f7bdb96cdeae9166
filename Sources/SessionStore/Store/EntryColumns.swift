internal import SessionCRDT

/// An entry with the row numbers of its actor and author.
struct EntryColumns {
    fileprivate let actor: Int64
    fileprivate let author: Int64
    fileprivate let entry: Entry
}

/// A journal line with its row numbers.
struct LineColumns {
    let number: Int64
    /// The entries that it replaced except the first, which have rows of their own.
    let further: [Entry]
    fileprivate let subject: Int64
    fileprivate let entry: EntryColumns
    fileprivate let replaced: EntryColumns?
}

extension SessionStore {
    func columns(of entry: Entry, in session: Int64) throws(StoreError) -> EntryColumns {
        EntryColumns(
            actor: try number(of: entry.dot.actor, in: session),
            author: try number(of: entry.author, in: session),
            entry: entry
        )
    }

    /// The columns of a line, by default the next of the session.
    func columns(
        of line: JournalLine,
        numbered given: Int64? = nil,
        in session: Int64
    ) throws(StoreError) -> LineColumns {
        var replaced: EntryColumns?
        if let first = line.replaced.first { replaced = try columns(of: first, in: session) }
        let next = if let given { given } else { try nextLine(of: session) }
        return LineColumns(
            number: next,
            further: Array(line.replaced.dropFirst()),
            subject: try number(of: line.key, in: session),
            entry: try columns(of: line.entry, in: session),
            replaced: replaced
        )
    }
}

extension Bindings {
    /// Adds actor, sequence, stamp, author, kind, foreign kind and value.
    mutating func add(_ columns: EntryColumns) {
        integer(columns.actor)
        word(columns.entry.dot.sequence)
        word(columns.entry.stamp.bits)
        integer(columns.author)
        value(columns.entry.value)
    }

    /// Adds session, line, time, key, the entry, and the first entry that it replaced.
    mutating func add(_ line: LineColumns, of session: Int64, at milliseconds: UInt64) {
        integer(session)
        integer(line.number)
        word(milliseconds)
        integer(line.subject)
        add(line.entry)
        if let replaced = line.replaced { add(replaced) } else { null(7) }
    }
}

extension Bindings {
    /// Adds the columns `kind`, `foreign_kind` and `value`.
    ///
    /// The kinds are 0 null, 1 boolean, 2 integer, 3 text, 4 foreign, as in the canonical bytes.
    mutating func value(_ value: Value) {
        switch value {
        case .null:
            integer(0)
            null(2)
        case .boolean(let boolean):
            integer(1)
            null()
            integer(boolean ? 1 : 0)
        case .integer(let number):
            integer(2)
            null()
            integer(number)
        case .text(let string):
            integer(3)
            null()
            text(string.string)
        case .foreign(let kind, let string):
            integer(4)
            text(kind.string)
            text(string.string)
        }
    }
}

extension Value {
    /// The value in the columns `kind`, `foreign_kind` and `value`, of which the first is given.
    init(_ row: Row, from column: Int32) throws(StoreError) {
        switch try row.integer(column) {
        case 0:
            self = .null
        case 1:
            self = .boolean(try row.integer(column + 2) != 0)
        case 2:
            self = .integer(try row.integer(column + 2))
        case 3:
            self = .text(try row.text(column + 2))
        case 4:
            let kind = ExactText(try row.text(column + 1))
            self = .foreign(kind: kind, text: ExactText(try row.text(column + 2)))
        default:
            throw row.unreadable(column)
        }
    }
}
