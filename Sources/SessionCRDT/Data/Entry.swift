/// One thing that was written, once and for all: an entry never changes, it is only replaced.
package struct Entry: Hashable, Sendable {
    /// The name of this write.
    package let dot: Dot
    /// When it was written, by the writer's hybrid clock.
    package let stamp: Stamp
    /// The device that wrote it.
    package let author: DeviceID
    /// What it says.
    package let value: Value

    package init(dot: Dot, stamp: Stamp, author: DeviceID, value: Value) {
        self.dot = dot
        self.stamp = stamp
        self.author = author
        self.value = value
    }
}

extension Entry {
    /// Whether this entry wins over `other` where only one can be shown: the greater stamp, then
    /// the greater actor.
    package func wins(over other: Entry) -> Bool {
        (stamp, dot) > (other.stamp, other.dot)
    }
}

/// What an entry says.
package enum Value: Hashable, Sendable {
    /// Nothing: what clearing a cell writes.
    case null
    /// Yes or no.
    case boolean(Bool)
    /// A whole number within ±(2⁵³ − 1), the range that every JSON reader keeps.
    case integer(Int64)
    /// A text; how long it may be is a limit of the wire.
    case text(ExactText)
    /// A value of a later version: its kind and its text, kept and passed on as they are.
    ///
    /// Rare, so that it is kept apart: every entry would else be as long as this one.
    indirect case foreign(kind: ExactText, text: ExactText)

    /// The greatest integer, and by its negative the least: 2⁵³ − 1.
    package static let largestInteger: Int64 = (1 << 53) - 1

    /// The value of a text.
    package static func text(_ string: String) -> Value { .text(ExactText(string)) }

    /// The number, if it is one.
    package var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The text, if it is one.
    package var string: String? {
        guard case .text(let text) = self else { return nil }
        return text.string
    }

    /// Yes or no, if it is one.
    package var boolean: Bool? {
        guard case .boolean(let boolean) = self else { return nil }
        return boolean
    }
}
