internal import CPlatform

/// The clock and the calendar of this place, as people read them; programs get UTC.
package enum LocalTime {
    /// The time of day at a moment in milliseconds since 1970: `20:34`.
    package static func timeOfDay(_ milliseconds: Int64) -> String {
        var hour: Int32 = 0
        var minute: Int32 = 0
        platform_local_time(milliseconds, &hour, &minute)
        return "\(twoDigits(hour)):\(twoDigits(minute))"
    }

    /// The date at a moment in milliseconds since 1970: `2026-11-20`.
    package static func date(_ milliseconds: Int64) -> String {
        var year: Int32 = 0
        var month: Int32 = 0
        var day: Int32 = 0
        platform_local_date(milliseconds, &year, &month, &day)
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    }

    private static func twoDigits(_ number: Int32) -> String {
        (number < 10 ? "0" : "") + "\(number)"
    }
}
