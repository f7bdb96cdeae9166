/// A length of time as people say it: in one unit, rounded.
package enum SpokenTime {
    private static let units: [(name: String, seconds: UInt64)] = [
        ("years", 31_556_952), ("months", 2_629_746), ("days", 86_400), ("h", 3600), ("min", 60),
    ]

    /// "90 s", "5 min", "36 h", "10 days", "3 months", "10 years", whichever way it goes.
    ///
    /// A unit is used from two of it on.
    package static func text(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds.magnitude + 500) / 1000
        for unit in units where seconds >= unit.seconds * 2 {
            return "\((seconds + unit.seconds / 2) / unit.seconds) \(unit.name)"
        }
        return "\(seconds) s"
    }
}
