import SessionCRDT
import SyncProtocol

/// All decisions about synchronizing, as a value: inputs in, effects out, no clock, no randomness
/// and no I/O of its own.
///
/// The daemon and the simulator run the same engine. `handle` is the only way in; the rest of the
/// `package` members only read. It owns the sessions and the agenda, and decides which session
/// takes a step; what the step is, the session decides (`HeldSession`).
package struct SyncEngine: Sendable {
    /// How many steps of sessions were taken, which is what an input costs: one for each session
    /// that it concerns.
    package private(set) var steps = 0

    var sessions: [SessionID: HeldSession] = [:]
    /// The sessions that are stored here and could not be read yet, and why.
    var unreadable: [SessionID: String] = [:]
    var commons: Commons
    var agenda = Agenda()
    /// How far the wall clock was ahead of the uptime when the peers were told what it shows.
    var clockOffset: Int64?
    private var wakeAt: UInt64?

    /// An engine that holds nothing yet; `generator` is all the chance that it has.
    package init(device: Device, generator: any RandomNumberGenerator & Sendable) {
        commons = Commons(device: device, generator: generator)
    }

    /// This device and this run.
    package var device: Device { commons.device }

    /// Whether the user took the device offline.
    package var isOffline: Bool { commons.search.isOffline }

    /// The data of the sessions held here.
    package var replicas: HeldReplicas { HeldReplicas(sessions) }

    /// Takes in what happened and says what is to be done about it, in order.
    package mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
        noticeClock(at: now)
        dispatch(input, at: now)
        announceIfDue(at: now)
        dialWhoIsDue(at: now)
        askToBeCalled(at: now)
        return commons.takeEffects()
    }

    private mutating func dispatch(_ input: Input, at now: Moment) {
        switch input {
        case .opened(let session, let opened): open(session, opened, at: now)
        case .unloadable(let session, let reason): failToLoad(session, reason, at: now)
        case .left(let session): leave(session)
        case .write(let request, let session, let mutations):
            write(mutations, for: request, to: session, at: now)
        case .imported(let request, let session, let delta, let lines):
            take(delta, lines, for: request, into: session, at: now)
        case .persisted(let batch):
            step(commons.takeSession(of: batch)) { $0.settle(batch, at: now, &$1) }
        case .persistFailed(let batch, let reason):
            step(commons.takeSession(of: batch)) { $0.discard(batch, reason, at: now, &$1) }
        case .inviteChanged(let session, let isOpen): invite(session, isOpen, at: now)
        case .addressTyped(let session, let endpoint):
            step(session) { held, _ in held.add(endpoint, at: now) }
        case .addressRemoved(let session, let endpoint):
            step(session) { held, _ in held.contacts.remove(endpoint) }
        case .dialFailed(let session, let endpoint, let failure):
            failToDial(session, endpoint, failure, at: now)

        case .linked(let link, let session, let remote, let side):
            open(Link(link, remote, side, at: now), of: session, at: now)
            if side == .dialled { commons.search.dials.answered(at: remote) }
        case .received(let link, let message):
            step(commons.sessionOfLink[link]) { $0.receive(message, from: link, at: now, &$1) }
        case .heard(let link):
            step(commons.sessionOfLink[link]) { $0.takeBytes(from: link, at: now, &$1) }
        case .partReceived(let link):
            step(commons.sessionOfLink[link]) {
                $0.takeBytes(from: link, arePart: true, at: now, &$1)
            }
        case .unreadable(let link, let error, let isFatal):
            step(commons.sessionOfLink[link]) {
                $0.refuse(error, from: link, isFatal: isFatal, at: now, &$1)
            }
        case .unlinked(let link):
            step(commons.sessionOfLink[link]) { $0.lose(link, at: now, &$1) }

        case .asked(let session): step(session) { $0.ask(at: now, &$1) }
        case .listening(let port): listen(on: port, at: now)
        case .announced(let announcement, let source): hear(announcement, from: source, at: now)
        case .networkChanged, .woke: searchAgain(at: now)
        case .renamed(let name): rename(name, at: now)
        case .offline(let offline): setOffline(offline, at: now)
        case .stopping: sayGoodbye()
        case .timePassed:
            wakeAt = nil
            checkWhatIsDue(at: now)
        }
    }

    /// Lets one session take a step and notes what it asks for from now on; whether it is held.
    @discardableResult
    mutating func step(
        _ session: SessionID?,
        _ take: (inout HeldSession, inout Commons) -> Void
    ) -> Bool {
        guard let session, let place = sessions.index(forKey: session) else { return false }
        steps += 1
        // In its place, so that nothing is copied.
        let demand = sessions.values[place].demand(after: take, &commons)
        agenda.note(demand, of: session)
        return true
    }

    // MARK: What follows every input

    private mutating func dialWhoIsDue(at now: Moment) {
        guard !commons.search.isPaused else { return }
        for session in agenda.dials.due(by: now.uptime) {
            step(session) { $0.dialWhoIsDue(at: now, &$1) }
        }
        while let turn = commons.search.dials.takeTurn() {
            step(turn.session) {
                $0.contacts.update(turn.endpoint) { $0.hurry(at: now) }
                $0.dialWhoIsDue(at: now, &$1)
            }
        }
    }

    private mutating func askToBeCalled(at now: Moment) {
        // The time asked for has passed without a call: the machine was asleep.
        if let asked = wakeAt, asked <= now.uptime { wakeAt = nil }
        var deadlines = [agenda.checks.earliest]
        if !commons.search.isPaused {
            deadlines += [agenda.dials.earliest, announcementDueAt]
        }
        // A call that comes too early does no harm, so only an earlier one is worth asking for.
        guard let deadline = deadlines.compactMap(\.self).min(), deadline < wakeAt ?? .max
        else { return }
        commons.emit(.wake(at: deadline))
        wakeAt = deadline
    }
}
