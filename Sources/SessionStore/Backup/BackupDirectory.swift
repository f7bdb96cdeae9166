#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The copies that a store keeps of itself, in the directory `backups` of its home.
///
/// They are numbered, because a clock may jump. A few are kept, of a bounded size together; the
/// oldest goes first, and the last one never.
package struct CopyShelf: Hashable, Sendable {
    /// How many are kept.
    package static let most = 5
    /// How long they may be together, in bytes.
    package static let mostBytes = 512 << 20
    /// How much of the disk must be left beside them, in bytes.
    package static let spareBytes = 128 << 20

    /// Why a copy was kept.
    package enum Reason: Hashable, Sendable {
        /// A week had gone by.
        case weekly
        /// The schema of this number was about to be changed.
        case schema(Int)
    }

    /// Where they are.
    package let directory: String

    /// The copies of the store in a home.
    package init(home: String) { directory = home + "/backups" }

    /// The copies, the oldest first.
    package var copies: [KeptCopy] {
        PrivateFile.names(in: directory).compactMap { KeptCopy(name: $0, in: directory) }
            .sorted { $0.number < $1.number }
    }

    /// The copy that somebody names, by its name, with or without what is after the dot, or by its
    /// number; nil where there is none.
    package func copy(named name: String) -> KeptCopy? {
        copies.last { [$0.name, String($0.name.dropLast(3)), "\($0.number)"].contains(name) }
    }

    /// Keeps a copy of a database, and removes what is too old then.
    @discardableResult
    func keep(
        _ writer: CopyWriter,
        because reason: Reason,
        at milliseconds: UInt64,
        needing bytes: Int
    ) throws(StoreError) -> KeptCopy {
        guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(systemCall: errno, action: "make the directory", path: directory)
        }
        try requireSpare(beside: bytes)
        removeUnfinished()
        let before = copies
        let name = KeptCopy.name((before.last?.number ?? 0) + 1, reason, at: milliseconds)
        _ = try writer.write(to: directory + "/" + name, replacing: false)
        guard let kept = KeptCopy(name: name, in: directory) else {
            throw StoreError(systemCall: ENOENT, action: "find the copy", path: directory)
        }
        prune(before, for: kept)
        return kept
    }

    /// Removes what a kept copy makes superfluous: an earlier one of the same schema, which a start
    /// that fails again and again would else put in place of all others, and what is too much.
    private func prune(_ before: [KeptCopy], for kept: KeptCopy) {
        var left = before
        func drop(_ copy: KeptCopy) {
            left.removeAll { $0 == copy }
            // What cannot be removed now is tried again with the next copy.
            try? PrivateFile.remove(copy.path)
        }
        if kept.reason != .weekly {
            for copy in left where copy.reason == kept.reason { drop(copy) }
        }
        while let oldest = left.first,
            left.count >= CopyShelf.most
                || left.reduce(kept.bytes, { $0 + $1.bytes }) > CopyShelf.mostBytes
        {
            drop(oldest)
        }
    }

    private func requireSpare(beside bytes: Int) throws(StoreError) {
        var system = statvfs()
        guard unsafe statvfs(directory, &system) == 0 else { return }
        let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        guard free < UInt64(bytes + CopyShelf.spareBytes) else { return }
        throw .diskFull(
            StoreFailure(
                action: "keep a copy",
                path: directory,
                text: "less than \(CopyShelf.spareBytes >> 20) MiB would be left",
                code: .system(ENOSPC)
            )
        )
    }

    /// Removes what was left by a program that was killed; nobody else writes here.
    private func removeUnfinished() {
        for name in PrivateFile.names(in: directory) {
            let isLeft = ["", "-journal"].contains {
                name.hasSuffix(CopyWriter.unfinished + $0)
            }
            if isLeft { try? PrivateFile.remove(directory + "/" + name) }
        }
    }
}

extension StoreFiles {
    /// Keeps a copy of the database as it is before its schema changes, which is not put off for
    /// want of one.
    ///
    /// - Returns: why there is none.
    func keepCopy(of connection: Connection, asOf schema: Int) -> StoreError? {
        do throws(StoreError) {
            try CopyShelf(home: directory).keep(
                CopyWriter(source: connection, end: CopyEnd()),
                because: .schema(schema),
                at: UInt64(max(0, time(nil))) * 1_000,
                needing: databaseBytes
            )
            return nil
        } catch { return error }
    }
}

/// A copy that a store keeps of itself: `12-2026-11-23.db`, or `13-2026-11-24-schema-5.db`.
package struct KeptCopy: Hashable, Sendable {
    /// Its number; a later copy has a greater one, whatever the clock said.
    package let number: Int
    /// The name of its file.
    package let name: String
    /// Its file.
    package let path: String
    /// Why it was kept.
    package let reason: CopyShelf.Reason
    /// When it was written by the clock of then, in milliseconds since 1970.
    package let madeAt: UInt64
    /// Its length.
    package let bytes: Int

    /// The copy of a name in a directory; nil where none of that name is.
    init?(name: String, in directory: String) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        guard name.hasSuffix(".db"), words.count >= 4, let number = Int(words[0]), number > 0,
            String(number) == words[0]
        else { return nil }
        switch words.count {
        case 4: reason = .weekly
        case 6:
            guard words[4] == "schema", let schema = Int(words[5].dropLast(3)) else { return nil }
            reason = .schema(schema)
        default: return nil
        }
        path = directory + "/" + name
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        self.number = number
        self.name = name
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        madeAt = UInt64(max(0, changed.tv_sec)) * 1_000 + UInt64(changed.tv_nsec / 1_000_000)
        bytes = Int(status.st_size)
    }

    /// The name of a copy; the day in it is that of UTC.
    static func name(
        _ number: Int,
        _ reason: CopyShelf.Reason,
        at milliseconds: UInt64
    ) -> String {
        let date = day(of: time_t(milliseconds / 1_000))
        switch reason {
        case .weekly: return "\(number)-\(date).db"
        case .schema(let schema): return "\(number)-\(date)-schema-\(schema).db"
        }
    }

    /// The day of a moment in UTC, as `2026-11-23`.
    private static func day(of seconds: time_t) -> String {
        var seconds = seconds
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        let numbers = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    }
}
