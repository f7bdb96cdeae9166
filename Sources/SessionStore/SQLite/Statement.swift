internal import CSQLite

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
