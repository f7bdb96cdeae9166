import SessionCRDT
import SyncEngine
import SyncProtocol

/// Performs the effects of each engine in virtual time, as a daemon does in real time.
extension Simulation {
    /// Gives an input to a run of a daemon, by default the current one; during sleep the input is
    /// queued.
    func deliver(_ input: Input, to laptop: Laptop, run number: UInt64? = nil) {
        guard let run = laptop.run, run.number == number ?? run.number else { return }
        guard !laptop.isAsleep else { return laptop.inbox.append((run.number, input)) }
        let moment = laptop.clock.moment(at: now)
        trace.log(now, "\(laptop.index) <- \(Brief.text(input))")
        for effect in run.engine.handle(input, at: moment) { perform(effect, for: laptop, run) }
    }

    private func perform(_ effect: Effect, for laptop: Laptop, _ run: Laptop.Run) {
        trace.log(now, "\(laptop.index) -> \(Brief.text(effect))")
        switch effect {
        case .persist(let id, let session, let batch):
            checker.persist(batch, session, by: laptop)
            run.inFlight[session] = (id, batch)
            let pause = laptop.random.next(in: laptop.trouble == .slow ? 500...4_000 : 0...40)
            after(pause) { $0.finish(id, session, on: laptop, run) }
        case .load(let session):
            after(laptop.random.next(in: 1...100)) { $0.load(session, on: laptop, run) }
        case .reply(let request, let outcome):
            let write = run.writes.removeValue(forKey: request)
            checker.replied(outcome, to: write, by: laptop)
        case .rememberAddress(let session, let endpoint, let device):
            let isTyped = laptop.disk.sessions[session]?.addresses[endpoint]?.isTyped ?? false
            laptop.disk.sessions[session]?.remember(endpoint, of: device, isTyped: isTyped)
        case .acknowledged(let session, let vector):
            laptop.disk.sessions[session]?.acknowledged = vector
            let others = laptops.filter { $0.device != laptop.device }
            checker.acknowledged(vector, session, others: others)
        case .announce(let announcement):
            checker.announced(by: laptop)
            broadcast(announcement, from: laptop)
        case .dial(let session, let endpoint):
            let target = DialTarget(session, endpoint)
            let uptime = laptop.clock.moment(at: now).uptime
            checker.dialled(target, by: laptop, at: uptime, kind: kind(of: target, from: laptop))
            dial(target, from: laptop, run)
        case .send(let link, let message): send(message, by: link, from: laptop, run)
        case .close(let link): close(link, of: run)
        case .wake(let uptime):
            run.timer += 1
            setTimer(run.timer, uptime, for: laptop, run)
        case .alarm(let alarm): checker.raised(alarm)
        case .changed(let session, let changes):
            if changes.contains(where: { $0.after.count > 1 }) { checker.record(.conflict) }
            joinNextGame(after: session, on: laptop, run)
        case .loaded(let session): joinNextGame(after: session, on: laptop, run)
        case .log(_, let text): checker.logged(text)
        case .answerKnock(let session, let id, _, _):
            // A second answer is late: it changes nothing.
            if endKnock(id, session, on: laptop, run) { checker.record(.remoteAnswer) }
        case .peersChanged: break
        }
    }

    private func kind(of target: DialTarget, from laptop: Laptop) -> Checker.DialKind {
        func holds(_ other: Laptop) -> Bool { other.disk.sessions[target.session] != nil }
        // A clone's copy of the home holds the session, but no peer has heard of it.
        guard laptops.contains(where: { $0.device != laptop.device && holds($0) }) else {
            return .unheard
        }
        let callee = laptops.first { $0.endpoint == target.endpoint && holds($0) }
        return laptop.breakage == nil && callee?.breakage == nil && callee != nil ? .inner : .outer
    }

    private func finish(_ id: BatchID, _ session: SessionID, on laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, let flight = run.inFlight[session], flight.id == id
        else { return }
        // A sleeping machine writes nothing.
        guard !laptop.isAsleep else { return after(50) { $0.finish(id, session, on: laptop, run) } }
        run.inFlight[session] = nil
        guard store(flight.batch, session, on: laptop) else {
            checker.record(.refusedBatch)
            return deliver(.persistFailed(id, .diskFull, reason: "full"), to: laptop)
        }
        commit(flight.batch, session, on: laptop)
        guard laptop.trouble != .unknownOutcome else {
            checker.record(.unknownBatch)
            return deliver(.persistFailed(id, .failed, reason: "unknown"), to: laptop)
        }
        deliver(.persisted(id), to: laptop)
    }

    /// Reads a session, at the start or at the engine's request; after a failed first read the
    /// shell tries again, after a failed later one the engine does.
    func load(_ session: SessionID, on laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, let stored = laptop.disk.sessions[session] else { return }
        let isFirst = run.engine.replicas[session] == nil
        let fails =
            laptop.trouble == .unreadable
            || laptop.trouble == .full && !isFirst && laptop.random.happens(50)
        guard fails else {
            if let store = laptop.store { checkStore(store, session, of: laptop) }
            return deliver(.opened(session, stored.opened), to: laptop)
        }
        checker.record(.unreadable)
        deliver(.loadFailed(session, reason: "unreadable"), to: laptop)
        guard isFirst else { return }
        after(Timing.reloadBackoff.lowerBound) { $0.load(session, on: laptop, run) }
    }

    private func setTimer(_ timer: Int, _ uptime: UInt64, for laptop: Laptop, _ run: Laptop.Run) {
        let time = laptop.clock.time(of: uptime, after: now)
        schedule(at: time) { $0.fire(timer, uptime, for: laptop, run) }
    }

    private func fire(_ timer: Int, _ uptime: UInt64, for laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, run.timer == timer else { return }
        guard !laptop.isAsleep else {
            return after(100) { $0.fire(timer, uptime, for: laptop, run) }
        }
        let moment = laptop.clock.moment(at: now)
        guard moment.uptime >= uptime else { return setTimer(timer, uptime, for: laptop, run) }
        checker.fired(run, at: moment.uptime)
        deliver(.timePassed, to: laptop)
    }
}
