internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How a copy is written beside the scores: flushed piece by piece, and given up when the program
/// ends.
///
/// Who writes a score waits for the disk, and a disk that is given a whole copy at once makes them
/// wait for all of it.
final class CopyPace: Sendable {
    /// How many steps of SQLite's machine are done between two looks: below a millisecond's worth.
    static let steps: Int32 = 5_000
    /// How much of a copy may wait to be flushed, in bytes.
    private static let pieceBytes: off_t = 1 << 20

    private let file: Int32
    private let flushed = Atomic<Int64>(0)
    private let end: CopyEnd
    private let onPiece: @Sendable (Int) -> Void

    /// The pace of a copy that goes to an open file, up to an end; after each piece it tells how
    /// many bytes are written.
    init(to file: Int32, until end: CopyEnd, onPiece: @escaping @Sendable (Int) -> Void) {
        self.file = file
        self.end = end
        self.onPiece = onPiece
    }

    /// Flushes what has come to a piece; false where the copy is to be given up.
    func goesOn() -> Bool {
        if end.hasCome { return false }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return true }
        let bytes = Int64(status.st_size)
        if bytes - flushed.load(ordering: .relaxed) >= CopyPace.pieceBytes {
            flushed.store(bytes, ordering: .relaxed)
            // Whether all of it is on disk is asked at the end.
            _ = fsync(file)
            onPiece(Int(bytes))
        }
        return true
    }
}
