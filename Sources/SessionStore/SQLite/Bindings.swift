internal import CSQLite
internal import SessionCRDT

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
