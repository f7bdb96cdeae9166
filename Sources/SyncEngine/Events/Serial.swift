/// A number that names something for as long as the daemon runs; none is given out twice.
///
/// `Tag` keeps the kinds apart at compile time; it is never instantiated.
package struct Serial<Tag>: Hashable, Comparable, Sendable {
    /// The number.
    package let number: UInt64

    /// The name of a number.
    package init(_ number: UInt64) { self.number = number }

    package static func < (left: Serial, right: Serial) -> Bool { left.number < right.number }
}

/// Tags a link.
package enum LinkTag {}
/// Tags a local write.
package enum RequestTag {}
/// Tags a batch.
package enum BatchTag {}

/// Names a link; the shell gives the numbers.
package typealias LinkID = Serial<LinkTag>
/// Names a local write until it is answered; the shell gives the numbers.
package typealias RequestID = Serial<RequestTag>
/// Names a batch on its way to disk; the engine gives the numbers.
package typealias BatchID = Serial<BatchTag>
