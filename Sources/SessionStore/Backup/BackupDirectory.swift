internal import CPlatform
internal import Descriptors

/// The automatic backups of a store, in the directory `backups` of its home.
///
/// Backups are numbered, because the clock may jump. Their number and total size are limited; the
/// oldest is removed first, the newest never.
package struct BackupDirectory: Hashable, Sendable {
    package static let maxBackups = 5
    /// The maximum total size, in bytes.
    package static let maxBytes = 512 << 20
    /// The free space that a backup must leave on the disk, in bytes.
    package static let spareBytes = 128 << 20

    package enum Reason: Hashable, Sendable {
        case weekly
        /// A migration from the schema with this number was about to start.
        case schema(Int)
    }

    package let directory: String

    package init(home: String) { directory = home + "/backups" }

    /// The backups, the oldest first.
    package var backups: [Backup] {
        PrivateFile.names(in: directory).compactMap { Backup(name: $0, in: directory) }
            .sorted { $0.number < $1.number }
    }

    /// Returns the backup with this name, with or without its extension, or with this number.
    package func backup(named name: String) -> Backup? {
        backups.last { [$0.name, String($0.name.dropLast(3)), "\($0.number)"].contains(name) }
    }

    /// Writes a backup, and then removes the oldest ones above the limits.
    @discardableResult
    func add(
        _ writer: BackupWriter,
        because reason: Reason,
        at milliseconds: UInt64,
        requiring bytes: Int
    ) throws(StoreError) -> Backup {
        try PrivateFile.createDirectory(directory)
        try requireSpace(for: bytes)
        removeUnfinished()
        let before = backups
        let name = Backup.name((before.last?.number ?? 0) + 1, reason, at: milliseconds)
        _ = try writer.write(to: directory + "/" + name, replacing: false)
        guard let added = Backup(name: name, in: directory) else {
            throw StoreError(systemCall: ENOENT, action: "find the backup", path: directory)
        }
        prune(before, after: added)
        return added
    }

    /// Removes the oldest backups above the limits, and any earlier backup before a migration of
    /// the same schema: repeated failing starts would otherwise replace all other backups.
    private func prune(_ before: [Backup], after added: Backup) {
        var left = before
        func remove(_ backup: Backup) {
            left.removeAll { $0 == backup }
            // After a failure, the next backup tries again to remove it.
            try? PrivateFile.remove(backup.path)
        }
        if added.reason != .weekly {
            for backup in left where backup.reason == added.reason { remove(backup) }
        }
        while let oldest = left.first,
            left.count >= BackupDirectory.maxBackups
                || left.reduce(added.bytes, { $0 + $1.bytes }) > BackupDirectory.maxBytes
        {
            remove(oldest)
        }
    }

    private func requireSpace(for bytes: Int) throws(StoreError) {
        var disk = platform_disk()
        guard unsafe platform_disk_status(directory, &disk) == 0,
            disk.free_bytes < bytes + BackupDirectory.spareBytes
        else { return }
        throw .diskFull(
            StoreFailure(
                action: "write a backup",
                path: directory,
                text: "less than \(BackupDirectory.spareBytes >> 20) MiB would be left",
                code: .system(ENOSPC)
            )
        )
    }

    /// Removes the files of interrupted backups; no other process writes to this directory.
    private func removeUnfinished() {
        for name in PrivateFile.names(in: directory) {
            let isUnfinished = ["", "-journal"].contains {
                name.hasSuffix(BackupWriter.unfinished + $0)
            }
            if isUnfinished { try? PrivateFile.remove(directory + "/" + name) }
        }
    }
}

extension StoreFiles {
    /// Backs up a database before its schema is migrated; returns the failure, if any, which does
    /// not prevent the migration.
    func addBackup(of connection: Connection, schema: Int) -> StoreError? {
        do throws(StoreError) {
            try BackupDirectory(home: directory).add(
                BackupWriter(source: connection, cancellation: CancellationFlag()),
                because: .schema(schema),
                at: UInt64(max(0, platform_wall_milliseconds())),
                requiring: databaseBytes
            )
            return nil
        } catch { return error }
    }
}

/// An automatic backup: `12-2026-11-23.db`, or `13-2026-11-24-schema-5.db`.
package struct Backup: Hashable, Sendable {
    /// The number, greater than those of all earlier backups, regardless of the clock.
    package let number: Int
    package let name: String
    package let path: String
    package let reason: BackupDirectory.Reason
    /// The time at which the backup was made, in milliseconds since 1970.
    package let madeAt: UInt64
    package let bytes: Int

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
        guard let file = PrivateFile.status(path, followingLinks: false), file.is_regular else {
            return nil
        }
        (self.number, self.name) = (number, name)
        madeAt = UInt64(max(0, file.changed)) / 1_000_000
        bytes = Int(file.bytes)
    }

    static func name(
        _ number: Int,
        _ reason: BackupDirectory.Reason,
        at milliseconds: UInt64
    ) -> String {
        let date = TimeText.format(Int64(milliseconds), "%Y-%m-%d", isLocal: false)
        switch reason {
        case .weekly: return "\(number)-\(date).db"
        case .schema(let schema): return "\(number)-\(date)-schema-\(schema).db"
        }
    }
}
