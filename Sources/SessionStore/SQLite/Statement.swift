internal import CSQLite
internal import SessionCRDT

/// A prepared statement.
///
/// Safe because only a `Connection` makes one and runs it, and SQLite keeps a database open until
/// its last statement is gone.
@safe final class Statement {
    /// SQLite's name of it, for the connection.
    let pointer: OpaquePointer

    /// Takes over a statement, which goes with this.
    init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe sqlite3_finalize(pointer) }
}

/// A value on its way into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case id(high: UInt64, low: UInt64)

    /// All 64 bits: those past 2⁶³ − 1 are stored as the negative number with the same bits.
    static func word(_ word: UInt64) -> SQLValue { .integer(Int64(bitPattern: word)) }

    /// An id as 16 bytes.
    static func id<Tag>(_ id: ID<Tag>) -> SQLValue { .id(high: id.high, low: id.low) }
}

extension SQLValue: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}

/// The values of a statement that is about to run, added one after the other.
///
/// Nothing is allocated for a number or an id. What SQLite refuses is kept in `code`, so that who
/// adds need not look after each. Safe because only `Connection` makes one, for the length of a
/// call, while the statement is alive.
@safe struct Bindings {
    /// The first refusal, or `SQLITE_OK`.
    private(set) var code = SQLITE_OK

    private let statement: OpaquePointer
    private var place: Int32 = 0

    /// No values yet for the statement.
    init(_ statement: Statement) { unsafe self.statement = unsafe statement.pointer }

    /// Adds a whole number.
    mutating func integer(_ number: Int64) {
        place += 1
        note(unsafe sqlite3_bind_int64(statement, place, number))
    }

    /// Adds 64 bits: those past 2⁶³ − 1 are stored as the negative number with the same bits.
    mutating func word(_ word: UInt64) { integer(Int64(bitPattern: word)) }

    /// Adds nothing in so many places.
    mutating func null(_ count: Int32 = 1) {
        for _ in 0..<count {
            place += 1
            note(unsafe sqlite3_bind_null(statement, place))
        }
    }

    /// Adds a text.
    mutating func text(_ text: String) {
        var text = text
        place += 1
        let code = text.withUTF8 { bytes in
            // SQLite leaves open what it does with a text that holds a zero byte.
            let bind = unsafe bytes.contains(0) ? scoresync_bind_blob : scoresync_bind_text
            return unsafe bind(statement, place, bytes.baseAddress, UInt64(bytes.count))
        }
        note(code)
    }

    /// Adds an id as 16 bytes, most significant first, so that `hex(id)` shows its text form.
    mutating func id(high: UInt64, low: UInt64) {
        var words = (high.bigEndian, low.bigEndian)
        unsafe withUnsafeBytes(of: &words) { bytes in unsafe blob(bytes) }
    }

    /// Adds a value of any kind.
    mutating func add(_ value: SQLValue) {
        switch value {
        case .null: null()
        case .integer(let number): integer(number)
        case .text(let string): text(string)
        case .blob(let bytes): unsafe bytes.withUnsafeBytes { bytes in unsafe blob(bytes) }
        case .id(let high, let low): id(high: high, low: low)
        }
    }

    private mutating func blob(_ bytes: UnsafeRawBufferPointer) {
        place += 1
        let count = UInt64(bytes.count)
        note(unsafe scoresync_bind_blob(statement, place, bytes.baseAddress, count))
    }

    private mutating func note(_ code: Int32) {
        if self.code == SQLITE_OK { self.code = code }
    }
}

/// The row that a statement stands on.
///
/// Whatever a damaged file holds, reading throws and never traps. Safe because only `Connection`
/// makes one, for the length of a call, while the statement is alive.
@safe struct Row {
    private let statement: OpaquePointer
    private let path: String
    private let action: String

    /// The row of a statement, and what to say where it cannot be read.
    init(_ statement: OpaquePointer, path: String, action: String) {
        unsafe self.statement = unsafe statement
        self.path = path
        self.action = action
    }

    /// Whether the column holds nothing.
    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// A whole number.
    func integer(_ column: Int32) throws(StoreError) -> Int64 {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
            throw unreadable(column)
        }
        return unsafe sqlite3_column_int64(statement, column)
    }

    /// 64 bits.
    func word(_ column: Int32) throws(StoreError) -> UInt64 {
        UInt64(bitPattern: try integer(column))
    }

    /// A text, whether it was stored as one or, for a zero byte in it, as a blob.
    func text(_ column: Int32) throws(StoreError) -> String {
        let text = try unsafe withBytes(column) { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
        }
        guard let text else { throw unreadable(column) }
        return text
    }

    /// A key, of whose text no string is made where this version knows its kind.
    func key(_ column: Int32) throws(StoreError) -> Key {
        let key = try unsafe withBytes(column) { bytes in unsafe Key(utf8: bytes) }
        guard case .foreign = key else { return key }
        return Key(try text(column))
    }

    /// A blob.
    func blob(_ column: Int32) throws(StoreError) -> [UInt8] {
        try unsafe withBytes(column) { bytes in unsafe Array(bytes) }
    }

    /// An id.
    func id<Tag>(_ column: Int32) throws(StoreError) -> ID<Tag> {
        let id = try unsafe withBytes(column) { (bytes) -> ID<Tag>? in
            guard bytes.count == 16 else { return nil }
            let words = UnsafeRawBufferPointer(bytes)
            let high = unsafe words.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            let low = unsafe words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return ID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        }
        guard let id else { throw unreadable(column) }
        return id
    }

    /// An id that may be missing.
    func optionalID<Tag>(_ column: Int32) throws(StoreError) -> ID<Tag>? {
        isNull(column) ? nil : try id(column)
    }

    /// Says that a column holds something that no version writes.
    func unreadable(_ column: Int32) -> StoreError {
        let name = unsafe sqlite3_column_name(statement, column).map { unsafe String(cString: $0) }
        return .unreadable(path: path, action: action, column: name ?? "\(column)")
    }

    private func withBytes<Result>(
        _ column: Int32,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws(StoreError) -> Result {
        let type = unsafe sqlite3_column_type(statement, column)
        guard type == SQLITE_TEXT || type == SQLITE_BLOB else { throw unreadable(column) }
        // Of a text this is its UTF-8, which is how the database is encoded; null when empty.
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        let bytes = unsafe UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self),
            count: unsafe start == nil ? 0 : count
        )
        return unsafe body(bytes)
    }
}
