#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The pages of a database and of its log, read without SQLite, which stops at the first error.
///
/// Format: sqlite.org/fileformat2.html. Invariant: a returned page is its newest committed version;
/// a page whose newest version is damaged is never returned.
struct DatabasePages {
    /// The page size of every database that this program has created.
    static let pageSize = 4_096

    let pageCount: UInt32
    /// The number of bytes at the start of a page that have content; the remaining ones are
    /// reserved.
    private(set) var usable = DatabasePages.pageSize
    /// Whether a log page of unknown number is damaged, so that any page may be outdated.
    let isStale: Bool

    private let database: ReadOnlyFile
    private let log: LogPages

    /// Opens the pages of a database; any of its files may be missing.
    init(database path: String) {
        database = ReadOnlyFile(path: path)
        log = LogPages(path: path + "-wal")
        let stored = UInt32(clamping: database.count / DatabasePages.pageSize)
        // Limits the count from the file, which is untrusted, by the number of pages in the log.
        pageCount = max(stored, min(log.pageCount, stored &+ UInt32(clamping: log.count)))
        isStale = log.hasUnknownDamage
        if let header { usable -= Int(header[20]) }
    }

    /// The first page; nil unless it begins like that of a database.
    var header: [UInt8]? {
        page(1).flatMap { $0.starts(with: "SQLite format 3\0".utf8) ? $0 : nil }
    }

    /// Returns the bytes of a page, numbered from 1; nil if it is damaged or missing.
    func page(_ number: UInt32) -> [UInt8]? {
        guard (1...max(pageCount, 1)).contains(number), !log.isDamaged(number) else { return nil }
        if let page = log.page(number) { return page }
        let offset = Int(number - 1) * DatabasePages.pageSize
        return database.bytes(at: offset, DatabasePages.pageSize)
    }
}

// MARK: The log

/// The pages in a write-ahead log, including those after a damaged frame, where SQLite stops.
///
/// The checksum of a frame continues from the one that is stored in the previous frame, so the
/// frame after a damaged one can be verified nevertheless.
struct LogPages {
    /// The number of pages of the database after the last commit in the log.
    private(set) var pageCount: UInt32 = 0
    /// Whether a committed frame of an unknown page is damaged.
    private(set) var hasUnknownDamage = false
    /// Whether a damaged frame had been flushed, because a later commit follows it: a power failure
    /// damages only the end of a log.
    private(set) var isCut = false

    private let file: ReadOnlyFile
    private var offsets: [UInt32: Int] = [:]
    private var damaged: Set<UInt32> = []

    private static let frameBytes = 24 + DatabasePages.pageSize

    /// Opens the frames of a log, which may be missing.
    init(path: String) {
        file = ReadOnlyFile(path: path)
        if let header = LogHeader(file) { read(header) }
    }

    var count: Int { offsets.count }

    func isDamaged(_ page: UInt32) -> Bool { damaged.contains(page) }

    func page(_ number: UInt32) -> [UInt8]? {
        guard let offset = offsets[number] else { return nil }
        return file.bytes(at: offset + 24, DatabasePages.pageSize)
    }

    private enum Frame {
        case sound(page: UInt32, offset: Int)
        case damaged(page: UInt32?)

        var isDamaged: Bool { if case .damaged = self { true } else { false } }
    }

    private struct Commit {
        var frames: [Frame] = []
        /// The number of pages of the database after the commit; 0 until its last frame is read.
        var pageCount: UInt32 = 0

        var isDamaged: Bool { frames.contains(where: \.isDamaged) }
    }

    private mutating func read(_ header: LogHeader) {
        var commit = Commit()
        var damagedCommit: Commit?
        var before = header.checksum
        var offset = 32
        while let head = file.bytes(at: offset, 24) {
            defer { offset += LogPages.frameBytes }
            guard head.word(at: 8) == header.salts.0, head.word(at: 12) == header.salts.1,
                let bytes = file.bytes(at: offset, LogPages.frameBytes)
            else {
                // This is the end of the log unless more frames follow.
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
                // A damaged commit counts only if the next frame continues from its checksum: failed
                // transactions leave frames after the end of the log, which later frames overwrite.
                if isNext == true {
                    isCut = true
                    apply(damaged)
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
            if commit.isDamaged { damagedCommit = commit } else { apply(commit) }
            commit = Commit()
        }
        isCut = isCut || (header.checksum == nil && pageCount > 0)
    }

    private mutating func apply(_ commit: Commit) {
        pageCount = commit.pageCount
        for frame in commit.frames {
            switch frame {
            case .sound(let page, let offset):
                offsets[page] = offset
                damaged.remove(page)
            case .damaged(let page?): damaged.insert(page)
            case .damaged(nil): hasUnknownDamage = true
            }
        }
    }
}

private struct LogHeader {
    /// The salts that frames of this log repeat.
    let salts: (UInt32, UInt32)
    /// The checksum with which the first frame continues; nil if the header is damaged.
    let checksum: LogChecksum?
    /// The byte order of checksums.
    let isBigEndian: Bool

    /// Reads the header of a log; if it is damaged, the salts of the first frame; nil without a
    /// frame.
    init?(_ file: ReadOnlyFile) {
        guard let bytes = file.bytes(at: 0, 32 + 24) else { return nil }
        let magic = bytes.word(at: 0)
        isBigEndian = magic == 0x377f_0683
        let stated = LogChecksum(bytes.word(at: 24), bytes.word(at: 28))
        let computed = LogChecksum(0, 0).adding(bytes[0..<24], isBigEndian: isBigEndian)
        if magic & ~1 == 0x377f_0682, stated == computed {
            salts = (bytes.word(at: 16), bytes.word(at: 20))
            checksum = stated
        } else {
            guard bytes[32...].contains(where: { $0 != 0 }) else { return nil }
            salts = (bytes.word(at: 40), bytes.word(at: 44))
            checksum = nil
        }
    }
}

private struct LogChecksum: Equatable {
    private var first: UInt32
    private var second: UInt32

    init(_ first: UInt32, _ second: UInt32) { (self.first, self.second) = (first, second) }

    /// Returns the checksum continued over bytes, whose count must be a multiple of eight.
    func adding(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> LogChecksum {
        var sum = self
        unsafe bytes.withUnsafeBytes { raw in
            for offset in stride(from: 0, to: raw.count - 7, by: 8) {
                let left = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let right = unsafe raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                sum.first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ sum.second
                sum.second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ sum.first
            }
        }
        return sum
    }
}

// MARK: Trees and rows

/// A page of a table or an index, with its readable cells in order.
struct TreePage {
    enum Cell {
        case child(UInt32)
        case row(StoredRecord)
    }

    private(set) var cells: [Cell] = []
    private(set) var isSound = true
    /// Whether rows have numbers; if not, they have keys, as in an index.
    let isNumbered: Bool
    let isInterior: Bool

    /// The maximum size of a row that is accepted, far above that of any row of the store.
    private static let maxPayload: UInt64 = 16 << 20

    /// Reads a page; nil if it does not belong to a table or an index.
    init?(_ number: UInt32, of pages: DatabasePages) {
        guard let bytes = pages.page(number) else { return nil }
        let start = number == 1 ? 100 : 0
        switch bytes[start] {
        case 0x02: (isNumbered, isInterior) = (false, true)
        case 0x05: (isNumbered, isInterior) = (true, true)
        case 0x0A: (isNumbered, isInterior) = (false, false)
        case 0x0D: (isNumbered, isInterior) = (true, false)
        default: return nil
        }
        let count = bytes.half(at: start + 3)
        let pointers = start + (isInterior ? 12 : 8)
        guard pointers + 2 * count <= bytes.count else { return nil }
        for index in 0..<count {
            let offset = bytes.half(at: pointers + 2 * index)
            guard offset >= pointers + 2 * count, offset < bytes.count,
                addCell(bytes[offset...], pages)
            else {
                isSound = false
                continue
            }
        }
        if isInterior { cells.append(.child(bytes.word(at: start + 8))) }
    }

    /// Adds the cell at the beginning of `bytes`; returns whether it is valid.
    private mutating func addCell(_ bytes: ArraySlice<UInt8>, _ pages: DatabasePages) -> Bool {
        var reader = ByteReader(bytes)
        if isInterior {
            guard let child = reader.integer(4) else { return false }
            cells.append(.child(UInt32(truncatingIfNeeded: child)))
            // The rest of the cell is only a number for searching.
            if isNumbered { return reader.varint() != nil }
        }
        guard let length = reader.varint(), length <= TreePage.maxPayload else { return false }
        var number: Int64?
        if isNumbered {
            guard let read = reader.varint() else { return false }
            number = Int64(bitPattern: read)
        }
        guard let payload = payload(Int(length), &reader, pages),
            let record = StoredRecord(number: number, payload: payload[...])
        else { return false }
        cells.append(.row(record))
        return true
    }

    /// Returns the bytes of a row, which for a long row include those of overflow pages.
    private func payload(
        _ length: Int,
        _ reader: inout ByteReader,
        _ pages: DatabasePages
    ) -> [UInt8]? {
        let usable = pages.usable
        let maxLocal = isNumbered ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard length > maxLocal else { return reader.bytes(length).map { Array($0) } }
        let minLocal = (usable - 12) * 32 / 255 - 23
        let fitting = minLocal + (length - minLocal) % (usable - 4)
        guard let local = reader.bytes(fitting <= maxLocal ? fitting : minLocal),
            var next = reader.integer(4).map({ UInt32(truncatingIfNeeded: $0) })
        else { return nil }
        var payload = Array(local)
        while payload.count < length {
            guard let page = pages.page(next) else { return nil }
            payload += page[4..<usable].prefix(length - payload.count)
            next = page.word(at: 0)
        }
        return payload
    }
}

/// A row in the form in which a page stores it.
struct StoredRecord {
    /// The row's number; nil in a table whose rows have none.
    let number: Int64?
    let values: [SQLValue]

    init(number: Int64?, values: [SQLValue]) { (self.number, self.values) = (number, values) }

    /// Decodes a payload; nil if it is not a record.
    init?(number: Int64?, payload: ArraySlice<UInt8>) {
        var header = ByteReader(payload)
        guard let size = header.varint(), let end = Int(exactly: size),
            end >= header.consumed, end <= payload.count
        else { return nil }
        var body = ByteReader(payload.dropFirst(end))
        var values: [SQLValue] = []
        while header.consumed < end {
            guard let type = header.varint(), values.count < 64,
                let value = StoredRecord.value(type, &body)
            else { return nil }
            values.append(value)
        }
        guard header.consumed == end, body.isAtEnd else { return nil }
        self.init(number: number, values: values)
    }

    private static func value(_ type: UInt64, _ body: inout ByteReader) -> SQLValue? {
        switch type {
        case 0: return .null
        case 1...4: return body.integer(Int(type)).map { .integer($0) }
        case 5: return body.integer(6).map { .integer($0) }
        case 6: return body.integer(8).map { .integer($0) }
        case 8, 9: return .integer(Int64(type - 8))
        case 12...:
            guard let count = Int(exactly: (type - 12) / 2), let bytes = body.bytes(count) else {
                return nil
            }
            guard type % 2 == 1 else { return .blob(Array(bytes)) }
            // The store writes a text with a zero byte as a blob.
            guard !(unsafe bytes.withUnsafeBytes { unsafe $0.hasZero }) else { return nil }
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        // No column has a floating-point type; the remaining type codes are reserved.
        default: return nil
        }
    }
}

/// Reads bytes from the front of an array; never reads past the end.
private struct ByteReader {
    private let start: Int
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { (start, rest) = (bytes.startIndex, bytes) }

    var consumed: Int { rest.startIndex - start }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Returns a signed big-endian integer of `count` bytes.
    mutating func integer(_ count: Int) -> Int64? {
        guard let bytes = bytes(count), let first = bytes.first else { return nil }
        let sign: Int64 = first & 0x80 == 0 ? 0 : -1
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }

    /// Returns an integer of one to nine bytes, in each of which a bit says whether another
    /// follows.
    mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            if index == 8 { return number << 8 | UInt64(byte) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return number }
        }
        return number
    }
}

extension [UInt8] {
    /// Returns a big-endian integer of four bytes; zero past the end.
    func word(at offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns a big-endian integer of two bytes; zero past the end.
    fileprivate func half(at offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}

/// A file opened for reading; a missing file reads as empty.
private final class ReadOnlyFile {
    private let descriptor: Int32

    init(path: String) { descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var count: Int { descriptor < 0 ? 0 : Int(lseek(descriptor, 0, SEEK_END)) }

    /// Returns `count` bytes from an offset; nil if the file ends before.
    func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, off_t(offset))
        return read == count ? bytes : nil
    }
}
