#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The pages in a write-ahead log, also those after one that is damaged, at which SQLite stops.
///
/// Each frame's checksum goes on from the one before, as that frame states it, so that one damaged
/// frame says nothing against the next.
final class LogFrames {
    /// How many pages the database has after the last commit in the log.
    private(set) var pageCount: UInt32 = 0
    /// Whether a committed frame is damaged of which nobody knows what page it had.
    private(set) var hasUnknownDamage = false

    /// Whether a frame is damaged that was on disk for certain, because writing went on after its
    /// commit: what a power cut leaves is damaged at its end only.
    private(set) var isCut = false

    private let file: ReadOnlyFile
    /// Where the newest frame of each page begins.
    private var offsets: [UInt32: Int] = [:]
    /// The pages whose newest frame is damaged.
    private var damaged: Set<UInt32> = []

    private static let frameBytes = 24 + DamagedImage.pageSize

    /// The frames of a log, which may be missing.
    init(path: String) {
        file = ReadOnlyFile(path: path)
        guard let header = LogHeader(file) else { return }
        read(header)
    }

    /// How many pages have a frame that can be read.
    var count: Int { offsets.count }

    /// Whether the newest frame of a page is damaged.
    func isDamaged(_ page: UInt32) -> Bool { damaged.contains(page) }

    /// The newest page of a number; nil where the log has none.
    func page(_ number: UInt32) -> [UInt8]? {
        guard let offset = offsets[number] else { return nil }
        return file.bytes(at: offset + 24, DamagedImage.pageSize)
    }

    private enum Frame {
        case sound(page: UInt32, offset: Int)
        case damaged(page: UInt32?)

        var isDamaged: Bool { if case .damaged = self { true } else { false } }
    }

    private func read(_ header: LogHeader) {
        var commit = Commit()
        var damagedCommit: Commit?
        var before = header.checksum
        var offset = 32
        while let head = file.bytes(at: offset, 24) {
            defer { offset += LogFrames.frameBytes }
            guard head.word(at: 8) == header.salts.0, head.word(at: 12) == header.salts.1,
                let bytes = file.bytes(at: offset, LogFrames.frameBytes)
            else {
                // The end of the log, unless more of it follows.
                commit.frames.append(.damaged(page: nil))
                before = nil
                continue
            }
            let page = bytes.word(at: 0)
            let stated = LogChecksum(bytes.word(at: 16), bytes.word(at: 20))
            let isNext =
                before.map { before in
                    before.adding(bytes[0..<8], isBigEndian: header.isBigEndian)
                        .adding(bytes[24...], isBigEndian: header.isBigEndian) == stated
                }
            if let damaged = damagedCommit {
                // Only what goes on from a commit says that it was one: transactions that failed
                // leave frames behind the end, which newer ones grow over.
                if isNext == true {
                    isCut = true
                    take(damaged)
                }
                damagedCommit = nil
            }
            let isSound = isNext ?? true
            commit.frames.append(
                isSound ? .sound(page: page, offset: offset) : .damaged(page: page)
            )
            before = stated
            commit.pageCount = bytes.word(at: 4)
            guard commit.pageCount > 0 else { continue }
            // What ends a commit makes all that came before it count.
            if commit.isDamaged { damagedCommit = commit } else { take(commit) }
            commit = Commit()
        }
        isCut = isCut || (header.checksum == nil && pageCount > 0)
    }

    /// The frames of one commit.
    private struct Commit {
        var frames: [Frame] = []
        /// How many pages the database has after it; 0 as long as its last frame has not come.
        var pageCount: UInt32 = 0

        var isDamaged: Bool { frames.contains(where: \.isDamaged) }
    }

    private func take(_ commit: Commit) {
        pageCount = commit.pageCount
        for frame in commit.frames {
            switch frame {
            case .sound(let page, let offset):
                offsets[page] = offset
                damaged.remove(page)
            case .damaged(let page?):
                damaged.insert(page)
            case .damaged(nil):
                hasUnknownDamage = true
            }
        }
    }
}

/// What stands at the beginning of a log.
struct LogHeader {
    /// What marks the frames that belong to it.
    let salts: (UInt32, UInt32)
    /// The checksum of the header, from which the first frame goes on; nil where it is damaged.
    let checksum: LogChecksum?
    /// The order of the bytes for checksums.
    let isBigEndian: Bool

    /// The header of a log, or what the first frame says of one that is damaged; nil of a log
    /// without frames.
    init?(_ file: ReadOnlyFile) {
        guard let bytes = file.bytes(at: 0, 32 + 24) else { return nil }
        let magic = bytes.word(at: 0)
        isBigEndian = magic == 0x377f_0683
        let stated = LogChecksum(bytes.word(at: 24), bytes.word(at: 28))
        let made = LogChecksum(0, 0).adding(bytes[0..<24], isBigEndian: isBigEndian)
        if magic & ~1 == 0x377f_0682, stated == made {
            salts = (bytes.word(at: 16), bytes.word(at: 20))
            checksum = stated
        } else {
            guard bytes[32...].contains(where: { $0 != 0 }) else { return nil }
            salts = (bytes.word(at: 40), bytes.word(at: 44))
            checksum = nil
        }
    }
}

/// The checksum of a log.
struct LogChecksum: Equatable {
    private var sums: (UInt32, UInt32)

    init(_ first: UInt32, _ second: UInt32) { sums = (first, second) }

    static func == (left: LogChecksum, right: LogChecksum) -> Bool { left.sums == right.sums }

    /// The checksum that goes on over bytes, whose count is a multiple of eight.
    func adding(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> LogChecksum {
        var (first, second) = sums
        unsafe bytes.withUnsafeBytes { raw in
            for offset in stride(from: 0, to: raw.count - 7, by: 8) {
                let left = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let right = unsafe raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
                second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
            }
        }
        return LogChecksum(first, second)
    }
}

extension [UInt8] {
    /// Four bytes, the most significant first; zero past the end.
    func word(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Two bytes, the most significant first; zero past the end.
    func half(at offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}

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

/// A file that is read and never written; one that is missing has nothing in it.
final class ReadOnlyFile {
    private let descriptor: Int32

    /// The file of a name.
    init(path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How many bytes it has.
    var count: Int { descriptor < 0 ? 0 : Int(lseek(descriptor, 0, SEEK_END)) }

    /// So many bytes from an offset on; nil where they are not there.
    func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let done = unsafe pread(descriptor, &bytes, count, off_t(offset))
        return done == count ? bytes : nil
    }
}
