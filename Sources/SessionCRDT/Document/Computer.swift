/// What makes a player a computer: the one device that moves for it, and how well it plays.
package struct Computer: Hashable, Sendable {
    /// The device that added the player; no other one moves for it.
    package let device: DeviceID
    /// How many moves ahead it searches, from 1.
    package let depth: Int

    /// How deep a search can be asked for.
    package static let depths = 1...20

    /// A computer of this device that searches so deep, cut to what can be asked for.
    package init(device: DeviceID, depth: Int) {
        self.device = device
        self.depth = min(max(depth, Computer.depths.lowerBound), Computer.depths.upperBound)
    }

    /// The computer of a field's text, `DEVICE DEPTH`; nil where the text is no such thing.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let device = DeviceID(words[0]), let depth = Int(words[1]),
            Computer.depths.contains(depth)
        else { return nil }
        self.init(device: device, depth: depth)
    }

    /// The text of the field.
    package var text: String { "\(device) \(depth)" }
}
