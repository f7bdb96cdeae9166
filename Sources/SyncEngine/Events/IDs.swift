/// Names a link for as long as it lives; the shell gives them and never reuses one.
package struct LinkID: Hashable, Comparable, Sendable {
    /// The number.
    package let number: UInt64

    /// The link of a number.
    package init(_ number: UInt64) { self.number = number }

    package static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}

/// Names a write until it is answered.
package struct RequestID: Hashable, Comparable, Sendable {
    /// The number.
    package let number: UInt64

    /// The request of a number.
    package init(_ number: UInt64) { self.number = number }

    package static func < (left: RequestID, right: RequestID) -> Bool {
        left.number < right.number
    }
}

/// Names a batch on its way to disk.
package struct BatchID: Hashable, Comparable, Sendable {
    /// The number; batches of one run count up.
    package let number: UInt64

    /// The batch of a number.
    package init(_ number: UInt64) { self.number = number }

    package static func < (left: BatchID, right: BatchID) -> Bool { left.number < right.number }
}
