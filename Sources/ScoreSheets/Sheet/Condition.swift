package import SessionCRDT

/// What has to be set for a row, or for a number of players, to be there.
package struct Condition: Hashable, Sendable {
    /// The option.
    package let option: Symbol
    /// The words of a choice that fulfil it; empty for other options, which have to be on.
    package let words: [Symbol]
}

extension Condition: CustomStringConvertible {
    /// One way to fulfil it: `oceania=yes`, `goals=green`.
    package var example: String { "\(option)=\(words.first?.description ?? "yes")" }

    /// What to set: `oceania=yes`, `goals=green or goals=blue`.
    package var description: String {
        words.isEmpty
            ? "\(option)=yes" : words.map { "\(option)=\($0)" }.joined(separator: " or ")
    }
}
