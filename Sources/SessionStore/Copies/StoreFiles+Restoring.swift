/// A copy in the place of a database, which is set aside and never removed.
///
/// The copy stands in the directory as `scoresync.db.restored-N` once it is whole: from then on the
/// store is what it holds, also where the program is killed, because whoever opens the store goes
/// on. The number says under which name the database before it is set aside, so that its log
/// follows it there.
extension StoreFiles {
    /// Where a copy is written that is to be restored.
    var arriving: String { database + ".arriving" }

    private static let restored = "scoresync.db.restored-"

    /// Where a database is set aside for a copy.
    private func replaced(_ number: Int) -> String { "\(database).replaced-\(number)" }

    /// The number of a copy that is to take the place of the database.
    private var numberOfRestored: Int? {
        PrivateFile.names(in: directory).lazy.compactMap { name in
            name.hasPrefix(StoreFiles.restored)
                ? Int(name.dropFirst(StoreFiles.restored.count)) : nil
        }.first
    }

    /// Puts a copy that has arrived whole in the place of the database.
    ///
    /// - Returns: where the database is now that was there; nil where none was.
    func restore() throws(StoreError) -> String? {
        var number = 1
        while isAnythingAt(replaced(number)) { number += 1 }
        let hadDatabase = isAnythingAt(database)
        let restored = "\(directory)/\(StoreFiles.restored)\(number)"
        try PrivateFile.move(arriving, to: restored, "restore the copy")
        try finishRestoring()
        return hadDatabase ? replaced(number) : nil
    }

    /// Goes on where a program was killed that had begun to put a copy in its place.
    func finishRestoring() throws(StoreError) {
        guard let number = numberOfRestored else { return }
        // The database last: as long as it is here, whatever is here belongs to it.
        for suffix in StoreFiles.suffixes.reversed() where PrivateFile.exists(database + suffix) {
            let aside = replaced(number) + suffix
            try PrivateFile.move(database + suffix, to: aside, "set the database aside")
        }
        let restored = "\(directory)/\(StoreFiles.restored)\(number)"
        try PrivateFile.move(restored, to: database, "restore the copy")
    }
}
