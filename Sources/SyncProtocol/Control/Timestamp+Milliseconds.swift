extension Timestamp {
    /// The moment in milliseconds since 1970; nil when the text has another form than this program
    /// writes.
    package var milliseconds: Int64? {
        let text = Array(description.utf8)
        // 2026-11-20T19:04:05.123Z
        guard text.count == 24, text[23] == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            Int64(String(decoding: text[range], as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let rest = number(20..<23), (1...12).contains(month)
        else { return nil }
        let days = Self.daysSince1970(year, month, day)
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + rest
    }

    /// Counts from March, so that the leap day is the last of its year (Howard Hinnant,
    /// "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`; for years after 0).
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
