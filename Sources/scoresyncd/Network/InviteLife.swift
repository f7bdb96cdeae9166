import SyncProtocol

/// How long an invite stays open, in minutes.
enum InviteLife {
    /// What nobody has chosen otherwise.
    static let usual = 30
    /// What can be asked for: at most a day.
    static let allowed = 1...24 * 60

    /// The minutes that somebody asked for.
    static func minutes(_ asked: Int?) throws(ControlError) -> Int {
        let minutes = asked ?? usual
        guard allowed.contains(minutes) else {
            throw ControlError(
                .usage,
                "an invite lasts from 1 to \(allowed.upperBound) minutes, not \(minutes)"
            )
        }
        return minutes
    }
}
