import SyncProtocol

/// A writer and watchers: at two daemons, at one, or at the relays that measure the floor.
///
/// One thread reads all connections, so that there is one clock and no hand-over between clients.
final class Scene {
    struct Score {
        let frame: [UInt8]
        /// The number by which watchers recognise the score.
        let mark: String
    }

    private let writer: FrameSocket
    private let watchers: [FrameSocket]
    private let processes: [Int32]
    private let session: SampleSession
    private var written = 0

    /// Creates a scene with connections that are ready; the processor time of `processes` counts.
    init(
        _ session: SampleSession,
        writer: FrameSocket,
        watchers: [FrameSocket],
        processes: [Int32]
    ) {
        (self.session, self.processes) = (session, processes)
        (self.writer, self.watchers) = (writer, watchers)
    }

    convenience init(
        _ session: SampleSession,
        at daemons: [DaemonProcess],
        watchers: [FrameSocket]
    ) throws {
        let writer = try daemons[0].home.socket()
        let processes = daemons.map(\.process)
        self.init(session, writer: writer, watchers: watchers, processes: processes)
    }

    /// An empty timing of this scene.
    var timing: Timing { Timing { [processes] in ProcessUse.processorSeconds(of: processes) } }

    /// Writes a score; returns the seconds until it is acknowledged and every watcher has it.
    func write() throws -> Double {
        let score = try nextScore()
        let start = ContinuousClock.now
        try writer.send(score.frame)
        var replies = 0
        var waiting = Set(watchers.indices)
        while replies < 1 || !waiting.isEmpty {
            replies += try receive { watcher, frames in
                if frames.contains(where: { $0.contains(number: score.mark) }) {
                    waiting.remove(watcher)
                }
            }
        }
        return Stopwatch.seconds(since: start)
    }

    /// Keeps `window` scores in flight; returns the number acknowledged, and the time it took.
    func flow(_ window: Int, for duration: Duration) throws -> (count: Int, seconds: Double) {
        let start = ContinuousClock.now
        var inFlight = 0
        var free = window
        var count = 0
        repeat {
            if start.duration(to: .now) < duration {
                try writer.send((0..<free).flatMap { _ in try nextScore().frame })
                inFlight += free
            }
            free = try receive { _, _ in }
            inFlight -= free
            count += free
        } while inFlight > 0
        let seconds = Stopwatch.seconds(since: start)
        // The watchers have caught up once they receive one more score.
        _ = try write()
        return (count, seconds)
    }

    private func nextScore() throws -> Score {
        defer { written += 1 }
        return try session.score(written)
    }

    /// Waits for frames, passes those of watchers to `body`, and returns the number of replies.
    private func receive(
        _ body: (_ watcher: Int, _ frames: [[UInt8]]) -> Void
    ) throws(BenchError) -> Int {
        var replies = 0
        for index in try FrameSocket.readable([writer] + watchers) {
            guard index == 0 else {
                body(index - 1, try watchers[index - 1].received())
                continue
            }
            for frame in try writer.received() {
                guard frame.firstIndex(of: Array(#""error""#.utf8), from: 0) == nil else {
                    throw BenchError("rejected: " + String(decoding: frame, as: UTF8.self))
                }
                replies += 1
            }
        }
        return replies
    }
}

extension [Scene] {
    /// Measures writes in all scenes in turn, so that changes of load affect all of them alike.
    func writes(_ rounds: Int, _ count: Int) throws -> [Timing] {
        // The first score also causes the writer's name and a snapshot to be sent.
        for scene in self { _ = try scene.write() }
        var timings = map(\.timing)
        for _ in 0..<rounds {
            for (index, scene) in enumerated() {
                try timings[index].add(count) { _ in try scene.write() }
            }
        }
        return timings
    }
}
