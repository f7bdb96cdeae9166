import SessionCRDT
import SyncProtocol

/// Sessions that come and go, and what is said where one is not held.
extension SyncEngine {
    mutating func open(_ session: SessionID, _ opened: OpenedSession, at now: Moment) {
        guard !step(session, { $0.reopen(opened, at: now, &$1) }) else { return }
        do throws(CausalMapError) {
            sessions[session] = try HeldSession(session, opened)
        } catch {
            return failToLoad(session, "\(error)", at: now)
        }
        unreadable[session] = nil
        step(session) { $0.begin(opened.addresses, at: now, &$1) }
    }

    mutating func failToLoad(_ session: SessionID, _ reason: String, at now: Moment) {
        guard !step(session, { $0.failToLoad(reason, at: now, &$1) }) else { return }
        // It is tried again and again: only news is told.
        guard unreadable.updateValue(reason, forKey: session) != reason else { return }
        commons.reportUnreadable(session, reason)
    }

    mutating func leave(_ session: SessionID) {
        step(session) { $0.leave(&$1) }
        sessions[session] = nil
        unreadable[session] = nil
        agenda.note(nil, of: session)
        commons.search.dials.forget(session)
    }

    mutating func write(
        _ mutations: [Mutation],
        for request: RequestID,
        to session: SessionID,
        at now: Moment
    ) {
        let isHeld = step(session) { $0.write(mutations, for: request, at: now, &$1) }
        if !isHeld {
            commons.emit(.reply(request, .failed(reason: "the session is not held here")))
        }
    }

    mutating func take(
        _ delta: Delta,
        _ lines: [JournalLine],
        for request: RequestID,
        into session: SessionID,
        at now: Moment
    ) {
        let isHeld = step(session) { held, commons in
            held.take(delta, lines, for: request, at: now, &commons)
        }
        if !isHeld {
            commons.emit(.reply(request, .failed(reason: "the session is not held here")))
        }
    }

    mutating func invite(_ session: SessionID, _ isOpen: Bool, at now: Moment) {
        step(session) { held, _ in held.isInviting = isOpen }
        if isOpen { commons.search.announcer.burst(at: now) }
    }

    mutating func failToDial(
        _ session: SessionID,
        _ endpoint: Endpoint,
        _ failure: DialFailure,
        at now: Moment
    ) {
        if failure == .wrongKey { commons.emit(.alarm(.wrongKey(session, endpoint))) }
        commons.emit(.log(.debug, "dialling \(endpoint) failed: \(failure)"))
        step(session) { $0.failToDial(endpoint, failure, at: now, &$1) }
        guard failure == .unreachable else { return commons.search.dials.answered(at: endpoint) }
        for waiting in commons.search.dials.unanswered(at: endpoint) {
            step(waiting) { $0.failToDial(endpoint, failure, at: now, &$1) }
        }
    }

    mutating func open(_ link: Link, of session: SessionID, at now: Moment) {
        let isHeld = step(session) { $0.open(link, at: now, &$1) }
        guard !isHeld else { return }
        commons.emit(.send(link.id, .bye(unreadable[session] == nil ? .left : .storage)))
        commons.emit(.close(link.id))
    }
}
