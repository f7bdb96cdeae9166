internal import CSQLite
internal import SessionCRDT

/// A prepared statement.
///
/// Safe because only a `Connection` creates and runs statements, and SQLite keeps a database open
/// until its last statement is finalized.
@safe final class Statement {
    let pointer: OpaquePointer

    /// Takes ownership of a statement.
    init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe sqlite3_finalize(pointer) }
}

/// A value that is bound to a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case id(high: UInt64, low: UInt64)

    /// Returns an unsigned number as the signed integer with the same bits.
    static func word(_ word: UInt64) -> SQLValue { .integer(Int64(bitPattern: word)) }

    static func id<Tag>(_ id: ID<Tag>) -> SQLValue { .id(high: id.high, low: id.low) }
}

extension SQLValue: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}

/// Binds the parameters of a statement, in order.
///
/// Numbers and ids are bound without allocation. The first error is stored in `code`, so that
/// callers need not check each call. Safe because only `Connection` creates bindings, for the
/// duration of a call, while the statement is alive.
@safe struct Bindings {
    /// The first error, or `SQLITE_OK`.
    private(set) var code = SQLITE_OK

    private let statement: OpaquePointer
    private var index: Int32 = 0

    init(_ statement: Statement) { unsafe self.statement = unsafe statement.pointer }

    mutating func integer(_ number: Int64) {
        index += 1
        record(unsafe sqlite3_bind_int64(statement, index, number))
    }

    mutating func word(_ word: UInt64) { integer(Int64(bitPattern: word)) }

    mutating func null(_ count: Int32 = 1) {
        for _ in 0..<count {
            index += 1
            record(unsafe sqlite3_bind_null(statement, index))
        }
    }

    mutating func text(_ text: String) {
        var text = text
        index += 1
        let code = text.withUTF8 { bytes in
            // SQLite does not define the result of binding a text with a zero byte.
            let hasZero = UnsafeRawBufferPointer(bytes).hasZero
            let bind = unsafe hasZero ? scoresync_bind_blob : scoresync_bind_text
            return unsafe bind(statement, index, bytes.baseAddress, UInt64(bytes.count))
        }
        record(code)
    }

    /// Binds an id as 16 big-endian bytes, so that `hex(id)` gives its text form.
    mutating func id(high: UInt64, low: UInt64) {
        var words = (high.bigEndian, low.bigEndian)
        unsafe withUnsafeBytes(of: &words) { bytes in unsafe blob(bytes) }
    }

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
        index += 1
        let count = UInt64(bytes.count)
        record(unsafe scoresync_bind_blob(statement, index, bytes.baseAddress, count))
    }

    private mutating func record(_ code: Int32) { if self.code == SQLITE_OK { self.code = code } }
}

/// The current row of a statement.
///
/// Reading from a damaged file throws, and never traps. Safe because only `Connection` creates
/// rows, for the duration of a call, while the statement is alive.
@safe struct Row {
    private let statement: OpaquePointer
    private let path: String
    private let action: String

    init(_ statement: OpaquePointer, path: String, action: String) {
        unsafe self.statement = unsafe statement
        (self.path, self.action) = (path, action)
    }

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) throws(StoreError) -> Int64 {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
            throw unreadable(column)
        }
        return unsafe sqlite3_column_int64(statement, column)
    }

    func word(_ column: Int32) throws(StoreError) -> UInt64 {
        UInt64(bitPattern: try integer(column))
    }

    /// Returns a text, including a text with a zero byte, which is stored as a blob.
    func text(_ column: Int32) throws(StoreError) -> String {
        let text = try unsafe withBytes(column) { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
        }
        guard let text else { throw unreadable(column) }
        return text
    }

    /// Returns a key; a `String` is created only for a foreign key.
    func key(_ column: Int32) throws(StoreError) -> Key {
        let key = try unsafe withBytes(column) { bytes in unsafe Key(utf8: bytes) }
        guard case .foreign = key else { return key }
        return Key(try text(column))
    }

    func blob(_ column: Int32) throws(StoreError) -> [UInt8] {
        try unsafe withBytes(column) { bytes in unsafe Array(bytes) }
    }

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

    func optionalID<Tag>(_ column: Int32) throws(StoreError) -> ID<Tag>? {
        isNull(column) ? nil : try id(column)
    }

    /// Returns the error for a value that no version of the program writes.
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
        // For a text the blob is its UTF-8, the encoding of the database; null if it is empty.
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        let bytes = unsafe UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self),
            count: unsafe start == nil ? 0 : count
        )
        // `Bindings.text` stores a text with a zero byte as a blob.
        if type == SQLITE_TEXT, UnsafeRawBufferPointer(bytes).hasZero {
            throw unreadable(column)
        }
        return unsafe body(bytes)
    }
}

extension Bindings {
    /// Binds a value as the columns `kind`, `foreign_kind` and `value`.
    ///
    /// The kinds are 0 null, 1 Boolean, 2 integer, 3 text, 4 foreign, as in the canonical bytes.
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
    /// Reads a value from the columns `kind`, `foreign_kind` and `value`, which start at `column`.
    init(_ row: Row, from column: Int32) throws(StoreError) {
        switch try row.integer(column) {
        case 0: self = .null
        case 1: self = .boolean(try row.integer(column + 2) != 0)
        case 2: self = .integer(try row.integer(column + 2))
        case 3: self = .text(try row.text(column + 2))
        case 4:
            let kind = ExactText(try row.text(column + 1))
            self = .foreign(kind: kind, text: ExactText(try row.text(column + 2)))
        default: throw row.unreadable(column)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether any byte is zero; takes a millisecond for 20 MB, also if it is not optimized.
    var hasZero: Bool {
        unsafe scoresync_has_zero(baseAddress, UInt64(count))
    }
}
