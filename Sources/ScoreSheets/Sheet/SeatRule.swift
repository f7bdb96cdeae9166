/// How many players a game is for once something is set.
package struct SeatRule: Hashable, Sendable {
    /// What has to be set.
    package let condition: Condition
    /// How many players then.
    package let players: Bounds
}
