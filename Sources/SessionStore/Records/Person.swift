/// Somebody who plays on this device, known from session to session by the name alone.
package struct Person: Hashable, Sendable {
    /// What they are called.
    package let name: String
    /// Whether they play in the next session that is begun here.
    package var isSelected: Bool

    /// A person of these parts.
    package init(_ name: String, isSelected: Bool = false) {
        self.name = name
        self.isSelected = isSelected
    }
}
