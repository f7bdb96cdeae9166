/// What was derived of a session since it last changed, so that not each who asks derives it.
struct Derived {
    /// How many players take part.
    var playerCount: Int?
    /// What has ended in it.
    var results: EndedGames?
    /// What its devices are called.
    var names: DeviceNames?
}
