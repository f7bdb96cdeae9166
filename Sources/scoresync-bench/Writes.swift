import ControlSocket
import SyncProtocol

/// A score that is typed on A until it is acknowledged there and a watcher on B has it, between two
/// real daemons; in small sessions and in large ones.
enum PeerWrite {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let contest = try Contest(stage)
        let series: [(game: SampleSession.Game, larger: [Int])] =
            stage.isQuick
            ? [(.rounds, [10_000])] : [(.rounds, [1000, 10_000]), (.darts, [10_000])]
        return try series.flatMap { game, larger in
            let small = SampleSession(cells: 100, of: game)
            let base = try measure(small, contest, stage, besides: nil)
            return try base
                + larger.flatMap { count in
                    let large = SampleSession(cells: count, of: game)
                    return try measure(large, contest, stage, besides: base.dropFirst().first)
                }
        }
    }

    /// The scene of two linked daemons that hold a session, and how to end it.
    static func scene(
        of session: SampleSession,
        on stage: Stage
    ) throws -> (scene: Scene, end: () throws -> Void) {
        let contents = try session.contents()
        let far = try Home(stage, holding: session, contents)
        let near = try Home(stage, holding: session, contents, peers: [far.port])
        let daemons = try [far, near].map { try DaemonProcess.quiet(stage, $0) }
        try near.client().waitUntilSynced(session)
        let scene = try Scene(session, writingAt: near, watchers: 1, at: far, daemons)
        return (scene, { for daemon in daemons { try daemon.stop() } })
    }

    private static func measure(
        _ session: SampleSession,
        _ contest: Contest,
        _ stage: Stage,
        besides base: Measurement?
    ) throws -> [Measurement] {
        let (scene, end) = try scene(of: session, on: stage)
        let what = "\(session.cellCount) \(session.game == .rounds ? "cells" : "visits")"
        let name = "\(session.game.rawValue)-\(session.cellCount)"
        let title = "write on A to a watcher on B, \(what)"
        guard var (write, flow) = try contest.measure([(name, title, scene)]).first else {
            return []
        }
        try end()
        write.target = .timesFloor(2)
        flow.target = .atLeast(10_000)
        return [write, processor(of: write, name, besides: base), flow].compactMap(\.self)
    }

    /// The processor time of a write, beside the floor's, or beside that in a small session.
    private static func processor(
        of write: Measurement,
        _ name: String,
        besides base: Measurement?
    ) -> Measurement? {
        guard let seconds = write.processor, let floor = write.floor?.processor else { return nil }
        var line = Measurement(
            name: "processor-\(name)",
            title: "  processor time of both daemons",
            series: Series([seconds]),
            floor: Measurement.Floor(title: "that of both relays", series: Series([floor])),
            target: .atMost(0.000_25)
        )
        if let base {
            line.floor = Measurement.Floor(title: base.name, series: base.series)
            line.target = .timesFloor(1.3)
        }
        return line
    }
}

/// A score on a daemon that holds many sessions, of which all but one are over: they should cost
/// nothing.
enum HeldSessions {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let one = try Holder(stage, holding: 1)
        var lines: [Measurement] = []
        for count in stage.isQuick ? [200] : [30, 200, 1000] {
            let many = try Holder(stage, holding: count)
            lines += try compare(many, one, count, stage)
            try many.daemon.stop()
        }
        try one.daemon.stop()
        return lines
    }

    /// One daemon with a session that is written to and others that are over.
    private struct Holder {
        let home: Home
        let daemon: DaemonProcess
        let scene: Scene
        let session: SampleSession

        init(_ stage: Stage, holding count: Int) throws {
            session = SampleSession(cells: 100)
            home = try Home(stage, holding: session, try session.contents())
            try home.addFinished(count - 1)
            daemon = try DaemonProcess.quiet(stage, home)
            let client = try daemon.client()
            _ = try client.call(.useSession, .init(session: session.name))
            scene = try Scene(session, writingAt: home, watchers: 0, at: home, [daemon])
        }

        /// An empty timing of commands that are typed here: theirs and the daemon's time.
        var commandTiming: Timing {
            Timing { [process = daemon.process] in ProcessUse.secondsWithCommands(of: process) }
        }

        /// Seconds that a score takes as it is typed, start to exit.
        func type(_ number: Int, _ stage: Stage) throws -> Double {
            let words = ["score", "--no-spawn", "Ann", "round.\(number % 10 + 1)=\(number)"]
            return try CommandSeries([(stage.commandProgram, words)]).time(in: home)
        }
    }

    private static func compare(
        _ many: Holder,
        _ one: Holder,
        _ count: Int,
        _ stage: Stage
    ) throws -> [Measurement] {
        var writes = (many: many.scene.timing, one: one.scene.timing)
        var commands = (many: many.commandTiming, one: one.commandTiming)
        for block in 0..<stage.samples(10) {
            try writes.one.add(30) { _ in try one.scene.write() }
            try writes.many.add(30) { _ in try many.scene.write() }
            try commands.one.add(5) { try one.type(block * 5 + $0, stage) }
            try commands.many.add(5) { try many.type(block * 5 + $0, stage) }
        }
        return [
            writes.many.measurement(
                "held-\(count)",
                "write to acknowledgement, \(count) sessions held",
                over: writes.one.floor("the same, one session held"),
                target: .timesFloor(1.2)
            ),
            commands.many.measurement(
                "score-\(count)",
                "  scorectl score, start to exit",
                over: commands.one.floor("the same, one session held"),
                target: .timesFloor(1.2)
            ),
        ]
    }
}

/// A score in a session of many cells that eight watch, beside one that one watches: what they are
/// told should be rendered and encoded once.
enum Audience {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 10_000)
        let contents = try session.contents()
        let rooms = try [1, 8].map { watchers in
            let home = try Home(stage, holding: session, contents)
            let daemon = try DaemonProcess.quiet(stage, home)
            let scene = try Scene(session, writingAt: home, watchers: watchers, at: home, [daemon])
            return (daemon: daemon, scene: scene)
        }
        var timings = rooms.map(\.scene.timing)
        for _ in 0..<stage.samples(10) {
            for place in rooms.indices {
                try timings[place].add(10) { _ in try rooms[place].scene.write() }
            }
        }
        for room in rooms { try room.daemon.stop() }
        let title = "8 watchers of 10000 cells"
        let few = timings[0].floor("the same with 1 watcher")
        let write = timings[1].measurement("watchers-8", "write until seen by \(title)", over: few)
        guard let seconds = write.processor, let floor = few.processor else { return [write] }
        return [
            write,
            Measurement(
                name: "processor-watchers-8",
                title: "  processor time of the daemon",
                series: Series([seconds]),
                floor: Measurement.Floor(title: few.title, series: Series([floor])),
                // Each of the other seven is one more call of the system, and nothing else.
                target: .timesFloor(1.5)
            ),
        ]
    }
}

/// A score that 200 browsers see, beside one that one sees: the daemon tells it to one board, and
/// that to all of them.
enum Browsers {
    private static let many = 200

    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let contents = try session.contents()
        let rooms = try [1, many].map { count in
            let home = try Home(stage, holding: session, contents)
            let daemon = try DaemonProcess.quiet(stage, home)
            let board = try BoardProcess(stage, session, at: home)
            let scene = Scene(
                writer: try home.socket(),
                watchers: try (0..<count).map { _ in try board.browser() },
                processes: [daemon.process],
                score: session.score
            )
            // The first write brings the name of who writes, and with it the whole sheet.
            _ = try scene.write()
            return (daemon: daemon, board: board, scene: scene)
        }
        var timings = rooms.map(\.scene.timing)
        var boards = rooms.map { room in
            Timing { [process = room.board.process] in
                ProcessUse.processorSeconds(of: [process])
            }
        }
        for _ in 0..<stage.samples(10) {
            for place in rooms.indices {
                try boards[place].add(10) { _ in
                    var seconds = 0.0
                    try timings[place].add(1) { _ in
                        seconds = try rooms[place].scene.write()
                        return seconds
                    }
                    return seconds
                }
            }
        }
        for room in rooms {
            try room.board.stop()
            try room.daemon.stop()
        }
        let title = "score until seen by \(many) browsers"
        let few = timings[0].floor("the same with 1 browser")
        let all = timings[1].measurement("browsers", title, over: few, target: .atMost(0.1))
        guard let seconds = all.processor, let floor = few.processor else { return [all] }
        let daemon = Measurement(
            name: "processor-browsers",
            title: "  processor time of the daemon",
            series: Series([seconds]),
            floor: Measurement.Floor(title: few.title, series: Series([floor])),
            target: .timesFloor(1.5)
        )
        let board = boards[1].processorMeasurement(
            "processor-board",
            "  processor time of the board"
        )
        return [all, daemon] + [board].compactMap(\.self)
    }
}

/// What a write costs at several scenes, beside the relays of the floor: one at a time, and with
/// many in flight.
struct Contest {
    /// How many calls wait for their answers when many do.
    static let window = 64

    private let stage: Stage
    private let relays: Scene

    /// A contest against relays of its own.
    init(_ stage: Stage) throws {
        self.stage = stage
        relays = try Relay.scene(on: stage)
    }

    /// One line for a write and one for the rate of each scene.
    ///
    /// They take turns, so that the same minutes count for all.
    func measure(
        _ scenes: [(name: String, title: String, scene: Scene)]
    ) throws -> [(write: Measurement, flow: Measurement)] {
        let all = [relays] + scenes.map(\.scene)
        // The first score tells the others who writes, and they are shown everything anew.
        for scene in all { _ = try scene.write() }
        var times = all.map(\.timing)
        var rates = all.map(\.timing)
        for _ in 0..<stage.samples(10) {
            for place in all.indices { try times[place].add(20) { _ in try all[place].write() } }
        }
        let moment = Duration.milliseconds(stage.isQuick ? 300 : 1000)
        for _ in 0..<3 {
            for place in all.indices {
                try rates[place].addRate { try all[place].flow(Self.window, for: moment) }
            }
        }
        return scenes.indices.map { place in
            let (name, title, _) = scenes[place]
            let write = times[place + 1].measurement(
                "watch-" + name,
                title,
                over: times[0].floor("the same by two relays that only wait for their disks")
            )
            var flow = rates[place + 1].measurement(
                "flow-" + name,
                "  acknowledged with \(Self.window) in flight",
                over: rates[0].floor("that of both relays")
            )
            flow.unit = .rate
            return (write, flow)
        }
    }
}
