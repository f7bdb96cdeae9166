import SyncProtocol

/// Somebody who writes and those who watch: at two daemons, at one, or at the relays of the floor.
///
/// One thread holds all ends, so that there is one clock and no hand-over between clients.
final class Scene {
    /// A score that somebody types.
    struct Score {
        /// The frame of the call.
        let frame: [UInt8]
        /// The number by which a watcher knows the score in what it is sent.
        let mark: String
    }

    private let writer: FrameSocket
    private let watchers: [FrameSocket]
    private let processes: [Int32]
    private let score: (Int) -> Score
    private var written = 0

    /// A scene whose n-th score is made by `score`; all connections are ready for it, and the
    /// processor time of the processes counts.
    init(
        writer: FrameSocket,
        watchers: [FrameSocket],
        processes: [Int32],
        score: @escaping (Int) -> Score
    ) {
        self.writer = writer
        self.watchers = watchers
        self.processes = processes
        self.score = score
    }

    /// A scene at daemons: the writer at one home, the watchers at another, or at the same.
    convenience init(
        _ session: SampleSession,
        writingAt near: Home,
        watchers: Int,
        at far: Home,
        _ daemons: [DaemonProcess]
    ) throws {
        self.init(
            writer: try near.socket(),
            watchers: try (0..<watchers).map { _ in try far.watcher(of: session) },
            processes: daemons.map(\.process),
            score: session.score
        )
    }

    /// An empty timing of what is written here.
    var timing: Timing { Timing { [processes] in ProcessUse.processorSeconds(of: processes) } }

    /// Writes one score; seconds until it is acknowledged and every watcher has seen it.
    func write() throws(BenchError) -> Double {
        let score = next()
        let start = ContinuousClock.now
        try writer.send(score.frame)
        var answers = 0
        var blind = Set(watchers.indices)
        while answers < 1 || !blind.isEmpty {
            answers += try hear { watcher, frames in
                if frames.contains(where: { $0.holds(number: score.mark) }) {
                    blind.remove(watcher)
                }
            }
        }
        return Stopwatch.seconds(since: start)
    }

    /// Keeps so many scores in flight for a while; how many were acknowledged in how many seconds.
    func flow(
        _ window: Int,
        for duration: Duration
    ) throws(BenchError) -> (count: Int, seconds: Double) {
        let start = ContinuousClock.now
        var flying = 0
        var room = window
        var count = 0
        repeat {
            if start.duration(to: .now) < duration {
                try writer.send((0..<room).flatMap { _ in next().frame })
                flying += room
            }
            room = try hear { _, _ in }
            flying -= room
            count += room
        } while flying > 0
        let seconds = Stopwatch.seconds(since: start)
        // Whoever watches has caught up when it sees a further one.
        _ = try write()
        return (count, seconds)
    }

    private func next() -> Score {
        defer { written += 1 }
        return score(written)
    }

    /// Waits for what comes next: how many answers, and what each watcher is sent.
    private func hear(
        _ see: (_ watcher: Int, _ frames: [[UInt8]]) -> Void
    ) throws(BenchError) -> Int {
        var answers = 0
        for place in try FrameSocket.readable([writer] + watchers) {
            guard place == 0 else {
                see(place - 1, try watchers[place - 1].received())
                continue
            }
            for frame in try writer.received() {
                guard !frame.holds(Array(#""error""#.utf8)) else {
                    throw BenchError("refused: " + String(decoding: frame, as: UTF8.self))
                }
                answers += 1
            }
        }
        return answers
    }
}

/// Programs that run one after the other, as somebody types them.
struct CommandSeries {
    private let commands: [(path: String, words: [String])]

    /// The series of these programs with their arguments.
    init(_ commands: [(path: String, words: [String])]) {
        self.commands = commands
    }

    /// Runs them for a home, and says how long they took together, in seconds; fails with the first
    /// that fails.
    func time(in home: Home) throws -> Double {
        try Stopwatch.time {
            for (path, words) in commands {
                let child = try Child(path, words, home: home.path, log: home.path + "/bench.log")
                let status = try child.waitUntilEnded()
                guard status == 0 else { throw BenchError("\(path) ended with status \(status)") }
            }
        }
    }
}
