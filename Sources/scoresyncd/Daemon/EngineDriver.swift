import CPlatform
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Runs the engine on the daemon's queue: gives it one input at a time and performs its effects.
@EventLoop
final class EngineDriver {
    /// The engine, for reading only: after copying it, its next change would copy all of its data.
    private(set) var engine: SyncEngine

    private let queue: EventQueue
    private var run: ((Effect) -> Void)?
    /// The queued inputs, of which the first one is being handled.
    private var inputs: [Input] = []

    /// Creates a driver; inputs are queued until `start(running:)`.
    init(_ engine: SyncEngine, on queue: EventQueue) {
        self.engine = engine
        self.queue = queue
    }

    /// Handles the queued inputs; `run` performs the effects of these and all later inputs.
    func start(running run: @escaping (Effect) -> Void) {
        self.run = run
        handleQueued()
    }

    func handle(_ input: Input) {
        queue.requireCurrent()
        inputs.append(input)
        // An input that an effect causes waits until all effects of the current input were
        // performed.
        if inputs.count == 1 { handleQueued() }
    }

    private func handleQueued() {
        guard let run else { return }
        while let next = inputs.first {
            for effect in engine.handle(next, at: Clock.now) { run(effect) }
            inputs.removeFirst()
        }
    }
}

extension Daemon {
    /// Performs one effect of the engine by calling the part that is responsible.
    func run(_ effect: Effect) {
        switch effect {
        case .persist(let id, let session, let batch): commits.commit(batch, of: session, as: id)
        case .load(let session): commits.load(session)
        case .reply(let request, let outcome): writer.answer(request, outcome)
        case .loaded(let session):
            sessions[session]?.forgetBoard()
            notify(session, .whole)
        case .changed(let session, let changes):
            notify(session, sessions[session]?.apply(changes) ?? .whole)
        case .peersChanged(let session):
            sessions.updatePeers(of: session)
            watchers.changed(session)
        case .rememberAddress(let session, let endpoint, let device):
            sessions[session]?.remember(endpoint, of: device)
        case .acknowledged(let session, let vector): sessions[session]?.acknowledged(vector)
        case .answerKnock(let session, let knock, let answer, let name):
            knocks.answer(knock, answer, in: session, by: name)
        case .announce(let announcement): network.announce(announcement)
        case .dial(let session, let endpoint): links.dial(endpoint, for: session)
        case .send(let link, let message): links.send(message, to: link)
        case .close(let link): links.close(link)
        case .wake(let uptime): timer.wake(at: uptime)
        case .alarm(let alarm): alarms.raise(alarm)
        case .log(let level, let text):
            // Errors are about this device's disk; all other lines can be caused by peers.
            log.write(level, from: level == .error ? .here : .others, text)
        }
    }

    /// Notifies the parts that follow a scoreboard; watchers are told at the end of the turn, and the
    /// others act in a later one.
    private func notify(_ session: SessionID, _ change: ScoreboardChange) {
        watchers.changed(session, change)
        guard copy == nil else { return }
        nextGames.check(after: session)
        computers.moveIfDue(in: session)
    }
}

@EventLoop
final class EngineTimer {
    private let queue: EventQueue
    private let call: @EventLoop () -> Void
    private var timer: QueueTimer?

    init(on queue: EventQueue, _ call: @escaping @EventLoop () -> Void) {
        self.queue = queue
        self.call = call
    }

    /// Schedules the wake-up for this uptime, in place of the one scheduled before.
    func wake(at uptime: UInt64) {
        let now = Clock.now.uptime
        let pause = Int(min(uptime > now ? uptime - now : 0, 86_400_000))
        timer?.cancel()
        timer = queue.async(after: .milliseconds(pause), call)
    }
}

extension EventQueue {
    /// Runs blocking work on another thread and returns its result on the event queue.
    @EventLoop
    func run<Value: Sendable>(
        on thread: WorkerThread,
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            thread.async {
                let value = work()
                self.async { continuation.resume(returning: value) }
            }
        }
    }
}

enum Clock {
    /// Milliseconds since 1970.
    static var wallMilliseconds: UInt64 { UInt64(max(0, platform_wall_milliseconds())) }

    /// The zero of the engine's uptimes.
    private static let start = ContinuousClock.now

    /// The current time by the wall clock, and by a clock that also runs while the machine sleeps.
    static var now: Moment {
        let uptime = start.duration(to: .now).milliseconds
        return Moment(uptime: UInt64(max(0, uptime)), wall: wallMilliseconds)
    }

    /// The time for which the machine has slept since the start, in milliseconds.
    static var slept: Int64 {
        let awake = awakeStart.duration(to: SuspendingClock.now)
        return (start.duration(to: ContinuousClock.now) - awake).milliseconds
    }

    private static let awakeStart = SuspendingClock.now
}

extension Duration {
    /// The duration in whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
