/// The pages of a database as its files have them, with those of its log on top, read without
/// SQLite, which stops at the first thing that is wrong.
///
/// Both formats are those of sqlite.org/fileformat2.html. Invariant: a page that is handed out is
/// the newest one that was committed; where that is damaged there is none.
final class DamagedImage {
    /// How many pages there are at most.
    let pageCount: UInt32
    /// How much of a page holds something: systems may reserve some bytes at its end.
    private(set) var usable = DamagedImage.pageSize
    /// Whether a page of the log is damaged of which nobody knows which it was: then any page may
    /// be older than it should.
    let isStale: Bool

    private let database: ReadOnlyFile
    private let log: LogFrames

    /// The size of a page: that of every database that this program ever made.
    static let pageSize = 4_096

    /// The image of the files of a database, of which any may be missing.
    init(database path: String) {
        database = ReadOnlyFile(path: path)
        log = LogFrames(path: path + "-wal")
        let stored = UInt32(clamping: database.count / DamagedImage.pageSize)
        // What a damaged log says is believed as far as it has pages.
        pageCount = max(stored, min(log.pageCount, stored &+ UInt32(clamping: log.count)))
        isStale = log.hasUnknownDamage
        if let header { usable -= Int(header[20]) }
    }

    /// The first page; nil where its beginning is not that of a database.
    var header: [UInt8]? {
        page(1).flatMap { $0.starts(with: "SQLite format 3\0".utf8) ? $0 : nil }
    }

    /// The bytes of a page, counted from 1; nil where it is damaged or not there.
    func page(_ number: UInt32) -> [UInt8]? {
        guard (1...max(pageCount, 1)).contains(number), !log.isDamaged(number) else { return nil }
        if let page = log.page(number) { return page }
        let offset = Int(number - 1) * DamagedImage.pageSize
        return database.bytes(at: offset, DamagedImage.pageSize)
    }
}
