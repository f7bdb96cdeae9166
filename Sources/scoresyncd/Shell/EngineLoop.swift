import Descriptors
import SyncEngine

/// The engine on the daemon's queue: owns it, hands in what happens, one thing after the other, and
/// has done what it wants.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class EngineLoop: @unchecked Sendable {
    /// The engine, to be asked and never to be kept: a copy would make its next change copy all.
    private(set) var engine: SyncEngine

    private let queue: EventQueue
    private var run: ((Effect) -> Void)?
    /// What has happened and was not handed in yet; the first is being handled.
    private var inputs: [Input] = []

    /// The loop of an engine; what it wants done waits until somebody `runs`.
    init(_ engine: SyncEngine, on queue: EventQueue) {
        self.engine = engine
        self.queue = queue
    }

    /// Lets effects be run from now on.
    func runs(_ run: @escaping (Effect) -> Void) {
        self.run = run
        handOver()
    }

    /// Hands in what happened and runs what the engine wants done.
    func handle(_ input: Input) {
        queue.requireCurrent()
        inputs.append(input)
        // What an effect brings about waits until all effects before it have run.
        if inputs.count == 1 { handOver() }
    }

    private func handOver() {
        guard let run else { return }
        while let next = inputs.first {
            for effect in engine.handle(next, at: Clock.now) { run(effect) }
            inputs.removeFirst()
        }
    }
}
