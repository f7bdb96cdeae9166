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
        case .persist(let id, let session, let batch):
            checker.persist(batch, session, by: laptop)
            run.inFlight[session] = (id, batch)
            let pause = chance.number(laptop.trouble == .slow ? 500...4_000 : 0...40)
            after(pause) { $0.finish(id, session, on: laptop, run) }
        case .load(let session):
            after(chance.number(1...100)) { $0.load(session, on: laptop, run) }
        case .reply(let request, let outcome):
            let write = run.writes.removeValue(forKey: request)
            checker.replied(outcome, to: write, by: laptop)
        case .remember(let session, let endpoint, let device):
            let isTyped = laptop.disk.sessions[session]?.addresses[endpoint]?.isTyped ?? false
            let known = KnownAddress(endpoint: endpoint, device: device, isTyped: isTyped)
            laptop.disk.sessions[session]?.addresses[endpoint] = known
        case .acknowledged(let session, let vector):
            laptop.disk.sessions[session]?.acknowledged.join(vector)
            let others = laptops.filter { $0.device != laptop.device }
            checker.acknowledged(vector, session, others: others)
        case .announce(let announcement):
            checker.announced()
            broadcast(announcement, from: laptop)
        case .dial(let session, let endpoint):
            let target = Laptop.DialTarget(session: session, endpoint: endpoint)
            checker.dialled(target, by: laptop, at: laptop.clock.moment(at: now).uptime)
            dial(target, from: laptop, run)
        case .send(let link, let message): send(message, by: link, from: laptop, run)
        case .close(let link): close(link, of: run)
        case .wake(let uptime): setTimer(uptime, for: laptop, run)
        case .alarm(let alarm): checker.alarmed(alarm)
        case .loaded, .changed, .peersChanged, .log: break
        }
    }

    // MARK: The disk

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
        switch laptop.trouble {
        case .none, .slow:
            commit(flight.batch, session, on: laptop)
            give(.persisted(id), to: laptop, run: run.number)
        case .full:
            give(.persistFailed(id, reason: "full"), to: laptop, run: run.number)
        case .unknownOutcome:
            commit(flight.batch, session, on: laptop)
            give(.persistFailed(id, reason: "unknown"), to: laptop, run: run.number)
        }
    }

    private func load(_ session: SessionID, on laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, let stored = laptop.disk.sessions[session] else { return }
        let fails = laptop.trouble == .full && chance.happens(50)
        let answer =
            fails
            ? Input.unloadable(session, reason: "full") : Input.opened(session, stored.opened)
        give(answer, to: laptop, run: run.number)
    }

    // MARK: Timers

    private func setTimer(_ uptime: UInt64, for laptop: Laptop, _ run: Laptop.Run) {
        run.timer += 1
        let timer = run.timer
        let time = laptop.clock.time(of: uptime, after: now)
        events.plan(at: time) { $0.fire(timer, uptime, for: laptop, run) }
    }

    private func fire(_ timer: Int, _ uptime: UInt64, for laptop: Laptop, _ run: Laptop.Run) {
        guard laptop.run === run, run.timer == timer else { return }
        guard !laptop.isAsleep else {
            return after(100) { $0.fire(timer, uptime, for: laptop, run) }
        }
        let moment = laptop.clock.moment(at: now)
        guard moment.uptime >= uptime else {
            let time = laptop.clock.time(of: uptime, after: now)
            return events.plan(at: time) { $0.fire(timer, uptime, for: laptop, run) }
        }
        checker.fired(run, at: moment.uptime)
        give(.timePassed, to: laptop, run: run.number)
    }
}
