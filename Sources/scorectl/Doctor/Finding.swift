/// One thing that was looked at: how it is, and where it is not well why, and what to do about it.
struct Finding: Encodable, Hashable, Sendable {
    /// How it is.
    enum State: String, Encodable, Hashable, Sendable {
        /// Well.
        case ok
        /// Not as it should be, or about to cause trouble; games go on.
        case warning
        /// Laptops do not see each other because of it, or scores are not kept.
        case problem
    }

    /// What was looked at: a word that stays the same from version to version.
    let id: CheckID
    /// Which of several: an interface, a laptop.
    var subject: String?
    /// How it is.
    let state: State
    /// The same for people, in a line.
    let text: String
    /// Why it is so.
    var cause: String?
    /// What to do about it, in words.
    var cure: String?
    /// The same as lines to type.
    var commands: [String]?

    /// Something that is well.
    static func fine(_ id: CheckID, _ text: String, of subject: String? = nil) -> Finding {
        Finding(id: id, subject: subject, state: .ok, text: text)
    }
}

/// What `doctor` looks at, by the words that programs see.
enum CheckID: String, Encodable, Hashable, Sendable, CaseIterable {
    /// The state directory: there, this user's, closed to others.
    case home
    /// Room on the disk, and whether it takes what is written.
    case disk
    /// The database of scores.
    case store
    /// The control socket and its directory.
    case socket
    /// Whether the daemon runs and answers, and who holds the lock.
    case daemon
    /// Whether daemon and command line are of one version, and the daemon's program in its place.
    case version
    /// The sessions: readable, and with their keys.
    case sessions
    /// The TCP port on which other laptops call.
    case port
    /// The interfaces, and what announcing on each gave.
    case interface
    /// Whether what is announced comes back.
    case echo
    /// The firewalls of this machine.
    case firewall
    /// Each other laptop: linked, or why not.
    case peer
    /// Whether announcements of a linked laptop come through.
    case broadcast
    /// The clocks.
    case clock
    /// Whether a home directory was copied.
    case clone
    /// Anything else that `status` says.
    case alarm
}
