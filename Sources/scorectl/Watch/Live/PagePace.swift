/// When a page of which the sheet has changed is asked for again: at once, but only once a second,
/// because nothing is typed meanwhile, and the answer costs what the whole game does.
struct PagePace: Hashable, Sendable {
    /// The pause between two questions, in milliseconds.
    static let pause: Int64 = 1_000
    /// How long a page stays as it is where nothing happens: "3 min ago" grows older by itself.
    static let longest = 30_000

    private var isOld = false
    private var earliest: Int64 = 0

    /// Notes that what was asked for is old.
    mutating func age() { isOld = true }

    /// Notes that it was asked for.
    mutating func asked(at now: Int64) {
        isOld = false
        earliest = now + PagePace.pause
    }

    /// Whether it is to be asked for again now.
    func isDue(at now: Int64) -> Bool { isOld && now >= earliest }

    /// After how many milliseconds it is to be drawn again.
    func patience(at now: Int64) -> Int {
        isOld ? Int(clamping: max(0, earliest - now)) : PagePace.longest
    }
}
