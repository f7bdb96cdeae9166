internal import CSQLite
internal import SessionCRDT

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
