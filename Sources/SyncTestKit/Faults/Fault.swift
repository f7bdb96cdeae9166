/// A kind of thing that goes wrong.
enum Fault: Hashable, Sendable {
    case network(NetworkFault)
    case daemon(DaemonFault)
    case machine(MachineFault)
    case session(SessionFault)

    /// Every kind.
    static let all: [Fault] =
        NetworkFault.allCases.map(Fault.network) + DaemonFault.allCases.map(Fault.daemon)
        + MachineFault.allCases.map(Fault.machine) + SessionFault.allCases.map(Fault.session)
}

/// What goes wrong between laptops.
enum NetworkFault: CaseIterable, Hashable, Sendable {
    /// Nothing passes from one to another, perhaps in one direction only.
    case partition
    /// Nothing passes to or from one.
    case isolation
    /// Everything is slow, announcements get lost and come twice.
    case weather
    /// A connection breaks.
    case cut
    /// A connection breaks, and only one side learns of it.
    case halfOpen
    /// Announcements come that are not true.
    case hostile
}

/// What goes wrong with a daemon or its home.
enum DaemonFault: CaseIterable, Hashable, Sendable {
    /// The process is killed.
    case kill
    /// The machine loses power.
    case powerCut
    /// The daemon is stopped in good order.
    case stop
    /// A backup of the home is made.
    case backup
    /// The home is set back to an earlier backup.
    case restore
    /// The home is copied to another laptop, and both run.
    case clone
    /// The disk gives back something else than was written.
    case corruption
}

/// What goes wrong with a machine.
enum MachineFault: CaseIterable, Hashable, Sendable {
    /// The lid is closed for a while.
    case sleep
    /// The user takes the device offline for a while.
    case offline
    /// The wall clock is set.
    case clockJump
    /// The machine gets another address.
    case move
    /// The disk refuses, lies or is slow for a while.
    case diskTrouble
    /// Something about the interfaces changed.
    case networkChange
}

/// What people do to a session.
enum SessionFault: CaseIterable, Hashable, Sendable {
    /// The session is called finished, or open again.
    case finish
    /// A device leaves.
    case leave
    /// A device joins late, with nothing.
    case lateJoiner
}
