/// A time in JSON: ISO 8601 in UTC with milliseconds, `2026-11-20T19:04:05.123Z`.
///
/// It is stored as a number and formatted only when it is written.
package struct Timestamp: TextDocument {
    /// Milliseconds since 1970, never negative.
    package let milliseconds: Int64

    package init(milliseconds: UInt64) { self.milliseconds = Int64(clamping: milliseconds) }

    static let expectation = "not a time such as 2026-11-20T19:04:05.123Z"
    private static let millisecondsOfDay: Int64 = 86_400_000

    /// The text form; years from 10000 on have five digits.
    package var description: String {
        let (year, month, day) = Self.date(daysSince1970: milliseconds / Self.millisecondsOfDay)
        let ofDay = milliseconds % Self.millisecondsOfDay
        var text = Array("-00-00T00:00:00.000Z".utf8)
        func write(_ number: Int64, endingAt end: Int) {
            var (index, rest) = (end, number)
            while rest > 0 {
                text[index] += UInt8(truncatingIfNeeded: rest % 10)
                (index, rest) = (index - 1, rest / 10)
            }
        }
        write(month, endingAt: 2)
        write(day, endingAt: 5)
        write(ofDay / 3_600_000, endingAt: 8)
        write(ofDay / 60_000 % 60, endingAt: 11)
        write(ofDay / 1000 % 60, endingAt: 14)
        write(ofDay % 1000, endingAt: 18)
        let digits = String(year)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
        return zeros + digits + String(decoding: text, as: UTF8.self)
    }

    /// Parses the text form; nil if the text has any other form.
    package init?(_ text: String) {
        let numbers = text.utf8.split(omittingEmptySubsequences: false) {
            !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }.map { Int64(Substring($0)) ?? 0 }
        // The eighth part is the empty text after the Z.
        guard numbers.count == 8, numbers[0] < 100_000,
            numbers.dropFirst().allSatisfy({ $0 < 1000 })
        else { return nil }
        let days = Self.days(since1970: numbers[0], numbers[1], numbers[2])
        let seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
        milliseconds = days * Self.millisecondsOfDay + seconds * 1000 + numbers[6]
        // Rejects impossible dates such as the 30th of February, and non-canonical forms.
        guard milliseconds >= 0, description == text else { return nil }
    }

    /// Returns the date of a day, with years that begin in March so that a leap day is the last of
    /// its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
    private static func date(
        daysSince1970 days: Int64
    ) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }

    /// Returns the number of days from 1970 to a date (the inverse, `days_from_civil`).
    private static func days(since1970 year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = year - (month <= 2 ? 1 : 0)
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// Durations as people say them: rounded, in one unit.
package enum SpokenTime {
    private static let units: [(name: String, seconds: UInt64)] = [
        ("years", 31_556_952), ("months", 2_629_746), ("days", 86_400), ("h", 3600), ("min", 60),
    ]

    /// Returns "90 s", "5 min", "36 h", "10 days", "3 months" or "10 years", ignoring the sign.
    ///
    /// The unit is the largest of which there are at least two.
    package static func text(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds.magnitude + 500) / 1000
        for unit in units where seconds >= unit.seconds * 2 {
            return "\((seconds + unit.seconds / 2) / unit.seconds) \(unit.name)"
        }
        return "\(seconds) s"
    }
}
