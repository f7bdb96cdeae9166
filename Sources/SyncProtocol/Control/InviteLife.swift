/// How long an invite stays open, in minutes.
package enum InviteLife {
    /// What nobody has chosen otherwise.
    package static let usual = 30
    /// What can be asked for: at most a day.
    package static let allowed = 1...24 * 60
}
