package import SessionCRDT

/// A game that the user of this device added to it.
package struct StoredSheet: Hashable, Sendable {
    /// What programs call the game.
    package let id: Symbol
    /// The sheet as JSON, as the user wrote it.
    package let text: String

    package init(id: Symbol, text: String) {
        self.id = id
        self.text = text
    }
}
