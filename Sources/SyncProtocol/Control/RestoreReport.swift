/// What `scoresyncd --restore` found, and did unless it was only to look; no call, because it runs
/// where no daemon does.
package struct RestoreReport: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The copy.
    package var copy: CopySummary
    /// The directory of the state into which it goes.
    package var home: String
    /// How many sessions were there before; nil where that cannot be read.
    package var heldSessions: Int?
    /// Whether anything was there that somebody entered.
    package var wasUsed: Bool
    /// Whether the copy was put in its place; false where it was only looked at.
    package var restored: Bool
    /// Where the database is now that was there; absent where none was.
    package var replaced: String?

    package init(
        copy: CopySummary,
        home: String,
        heldSessions: Int?,
        wasUsed: Bool,
        restored: Bool,
        replaced: String? = nil
    ) {
        self.copy = copy
        self.home = home
        self.heldSessions = heldSessions
        self.wasUsed = wasUsed
        self.restored = restored
        self.replaced = replaced
    }
}
