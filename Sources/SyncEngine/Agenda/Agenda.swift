import SessionCRDT

/// What all sessions together ask of the engine, kept as each changes, so that no input costs a
/// look at sessions that it does not concern.
struct Agenda: Sendable {
    /// When each session has an address to dial.
    private(set) var dials = Deadlines()
    /// When each session has a link or the disk to look after.
    private(set) var checks = Deadlines()
    /// How many sessions are announced.
    private(set) var readable = 0
    /// How many can be joined with a code.
    private(set) var inviting = 0
    /// How many miss a member.
    private(set) var missing = 0

    private var demands: [SessionID: Demand] = [:]

    /// Notes what a session asks for from now on; nil when it is held no longer.
    mutating func note(_ demand: Demand?, of session: SessionID) {
        let before = demands[session]
        guard demand != before else { return }
        demands[session] = demand
        dials.set(demand?.dialAt, for: session)
        checks.set(demand?.checkAt, for: session)
        readable += Agenda.step(from: before, to: demand, \.isReadable)
        inviting += Agenda.step(from: before, to: demand, \.isInviting)
        missing += Agenda.step(from: before, to: demand, \.isMissingSomebody)
    }

    private static func step(
        from before: Demand?,
        to after: Demand?,
        _ counts: (Demand) -> Bool
    ) -> Int {
        (after.map(counts) == true ? 1 : 0) - (before.map(counts) == true ? 1 : 0)
    }
}
