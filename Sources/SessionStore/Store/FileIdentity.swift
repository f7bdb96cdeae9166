#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Which file a name leads to.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// The file of a name; nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }
}

extension StoreFiles {
    /// The log that stands beside the database now.
    var log: FileIdentity? { FileIdentity(database + "-wal") }

    /// The directory that the name leads to now.
    var place: FileIdentity? { FileIdentity(directory) }
}
