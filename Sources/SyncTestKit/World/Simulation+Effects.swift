import SessionCRDT
import SyncEngine
import SyncProtocol

/// The shell around each engine: what a daemon does, in virtual time.
extension Simulation {
    /// Tells a daemon what happened; a sleeping one hears of it when it wakes, a dead one never.
    func give(_ input: Input, to laptop: Laptop, run number: Int) {
        guard let run = laptop.run, run.number == number else { return }
        guard !laptop.isAsleep else { return laptop.inbox.append((number, input)) }
        let moment = laptop.clock.moment(at: now)
        trace.note(now, "\(laptop.index) <- \(Brief.text(input))")
        for effect in run.engine.handle(input, at: moment) {
            perform(effect, for: laptop, run)
        }
    }

    private func perform(_ effect: Effect, for laptop: Laptop, _ run: Laptop.Run) {
        trace.note(now, "\(laptop.index) -> \(Brief.text(effect))")
        switch effect {
        case .persist(let id, let session, let batch): persist(id, session, batch, laptop, run)
        case .load(let session):
            after(laptop.chance.number(1...100)) { simulation in
                guard laptop.run === run else { return }
                simulation.load(session, on: laptop, run)
            }
        case .reply(let request, let outcome):
            let write = run.writes.removeValue(forKey: request)
            checker.replied(outcome, to: write, by: laptop)
        case .rememberAddress(let session, let endpoint, let device):
            let isTyped = laptop.disk.sessions[session]?.addresses[endpoint]?.isTyped ?? false
            let known = KnownAddress(endpoint: endpoint, device: device, isTyped: isTyped)
            laptop.disk.sessions[session]?.addresses[endpoint] = known
        case .acknowledged(let session, let vector):
            laptop.disk.sessions[session]?.acknowledged = vector
            let others = laptops.filter { $0.device != laptop.device }
            checker.acknowledged(vector, session, others: others)
        case .announce(let announcement):
            checker.announced(by: laptop)
            broadcast(announcement, from: laptop)
        case .dial(let session, let endpoint):
            let target = Laptop.DialTarget(session: session, endpoint: endpoint)
            let uptime = laptop.clock.moment(at: now).uptime
            checker.dialled(target, by: laptop, at: uptime, what: kind(of: target, from: laptop))
            dial(target, from: laptop, run)
        case .send(let link, let message): send(message, by: link, from: laptop, run)
        case .close(let link): close(link, of: run)
        case .wake(let uptime): setTimer(uptime, for: laptop, run)
        case .alarm(let alarm): checker.alarmed(alarm)
        case .changed(let session, let changes):
            if changes.contains(where: { $0.after.count > 1 }) { checker.note(.conflict) }
            lookForNext(after: session, on: laptop, run)
        case .loaded(let session): lookForNext(after: session, on: laptop, run)
        case .log(_, let text): checker.logged(text)
        case .peersChanged: break
        }
    }

    private func kind(of target: Laptop.DialTarget, from laptop: Laptop) -> Checker.Dial {
        // A copy of the home knows of the session, and has never told anybody.
        let others = laptops.filter { $0.device != laptop.device }
        guard others.contains(where: { holds($0, target.session) }) else { return .hopeful }
        let callee = laptops.first { $0.endpoint == target.endpoint && holds($0, target.session) }
        let isInner = laptop.breakage == nil && callee.map { $0.breakage == nil } ?? false
        return isInner ? .inner : .outer
    }

    private func holds(_ laptop: Laptop, _ session: SessionID) -> Bool {
        laptop.disk.sessions[session] != nil
    }

    // MARK: The disk

    private func persist(
        _ id: BatchID,
        _ session: SessionID,
        _ batch: Batch,
        _ laptop: Laptop,
        _ run: Laptop.Run
    ) {
        checker.persist(batch, session, by: laptop)
        run.inFlight[session] = (id, batch)
        let pause = laptop.chance.number(laptop.trouble == .slow ? 500...4_000 : 0...40)
        after(pause) { $0.finish(id, session, on: laptop, run) }
    }

    private func finish(
        _ id: BatchID,
        _ session: SessionID,
        on laptop: Laptop,
        _ run: Laptop.Run
    ) {
        guard laptop.run === run, let flight = run.inFlight[session], flight.id == id else {
            return
        }
        // A suspended machine writes nothing.
        guard !laptop.isAsleep else {
            return after(50) { $0.finish(id, session, on: laptop, run) }
        }
        run.inFlight[session] = nil
        guard store(flight.batch, session, on: laptop) else {
            checker.note(.refusedBatch)
            return give(.persistFailed(id, reason: "full"), to: laptop, run: run.number)
        }
        commit(flight.batch, session, on: laptop)
        guard laptop.trouble != .unknownOutcome else {
            checker.note(.unknownBatch)
            return give(.persistFailed(id, reason: "unknown"), to: laptop, run: run.number)
        }
        give(.persisted(id), to: laptop, run: run.number)
    }

    /// Reads a session, at a start or because the engine asked; one that was never read is tried
    /// again by the daemon, one that was by the engine.
    func load(_ session: SessionID, on laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, let stored = laptop.disk.sessions[session] else { return }
        let isFirst = run.engine.replicas[session] == nil
        let fails =
            laptop.trouble == .unreadable
            || laptop.trouble == .full && !isFirst && laptop.chance.happens(50)
        guard fails else {
            if let store = laptop.store { checkStore(store, session, of: laptop) }
            return give(.opened(session, stored.opened), to: laptop, run: run.number)
        }
        checker.note(.unreadable)
        give(.loadFailed(session, reason: "unreadable"), to: laptop, run: run.number)
        guard isFirst else { return }
        after(Timing.reloadBackoff.lowerBound) { $0.load(session, on: laptop, run) }
    }

    // MARK: Timers

    private func setTimer(_ uptime: UInt64, for laptop: Laptop, _ run: Laptop.Run) {
        run.timer += 1
        let timer = run.timer
        let time = laptop.clock.time(of: uptime, after: now)
        agenda.plan(at: time) { $0.fire(timer, uptime, for: laptop, run) }
    }

    private func fire(_ timer: Int, _ uptime: UInt64, for laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, run.timer == timer else { return }
        guard !laptop.isAsleep else {
            return after(100) { $0.fire(timer, uptime, for: laptop, run) }
        }
        let moment = laptop.clock.moment(at: now)
        guard moment.uptime >= uptime else {
            let time = laptop.clock.time(of: uptime, after: now)
            return agenda.plan(at: time) { $0.fire(timer, uptime, for: laptop, run) }
        }
        checker.fired(run, at: moment.uptime)
        give(.timePassed, to: laptop, run: run.number)
    }
}
