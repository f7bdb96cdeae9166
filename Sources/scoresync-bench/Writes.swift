import ControlSocket
import SyncProtocol

/// A score on A until it is acknowledged there and a watcher on B has it, between two real daemons;
/// in small sessions and in large ones.
enum PeerWrite {
    private static let window = 64

    static func measure(on stage: Stage) throws -> [Measurement] {
        let relays = try Relay.scene(on: stage)
        let series: [(game: SampleSession.Game, larger: [Int])] =
            stage.isQuick
            ? [(.rounds, [10_000])] : [(.rounds, [1000, 10_000]), (.darts, [10_000])]
        return try series.flatMap { game, larger in
            let small = SampleSession(cells: 100, of: game)
            let base = try measure(small, over: relays, stage, base: nil)
            return try base
                + larger.flatMap { count in
                    let large = SampleSession(cells: count, of: game)
                    return try measure(large, over: relays, stage, base: base.dropFirst().first)
                }
        }
    }

    /// Measures a session, and compares its processor time with `base`, that of a small session; if
    /// nil, with that of the relays.
    private static func measure(
        _ session: SampleSession,
        over relays: Scene,
        _ stage: Stage,
        base: Measurement?
    ) throws -> [Measurement] {
        let contents = try session.contents()
        let far = try Home(stage, holding: session, contents)
        let near = try Home(stage, holding: session, contents, peers: [far.port])
        let daemons = try [far, near].map { try DaemonProcess.quiet(stage, $0) }
        try near.client().wait(for: .synced, session)
        let scenes = [relays, try Scene(session, at: daemons.reversed(), watchers: 1)]
        let times = try scenes.writes(stage.samples(10), 20)
        var rates = scenes.map(\.timing)
        let duration = Duration.milliseconds(stage.isQuick ? 300 : 1000)
        for _ in 0..<3 {
            for index in scenes.indices {
                try rates[index].addRate { try scenes[index].flow(window, for: duration) }
            }
        }
        for daemon in daemons { try daemon.stop() }
        let name = "\(session.game.rawValue)-\(session.cellCount)"
        let cells = "\(session.cellCount) \(session.game == .rounds ? "cells" : "visits")"
        let write = times[1].measurement(
            "watch-" + name,
            "write on A to a watcher on B, \(cells)",
            over: times[0].floor("the same by two relays that only wait for their disks"),
            target: .timesFloor(2)
        )
        var processor = write.processorLine(
            "processor-\(name)",
            "  processor time of both daemons",
            floor: "that of both relays",
            target: .atMost(0.000_25)
        )
        if let base {
            processor?.floor = Measurement.Floor(title: base.name, series: base.series)
            processor?.target = .timesFloor(1.3)
        }
        var flow = rates[1].measurement(
            "flow-" + name,
            "  acknowledged with \(window) in flight",
            over: rates[0].floor("that of both relays"),
            target: .atLeast(10_000)
        )
        flow.unit = .rate
        return [write, processor, flow].compactMap(\.self)
    }
}

/// A score at a daemon with many sessions, all but one finished, which should cost nothing.
enum HeldSessions {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let one = try Holder(stage, sessions: 1)
        var measurements: [Measurement] = []
        for count in stage.isQuick ? [200] : [30, 200, 1000] {
            let many = try Holder(stage, sessions: count)
            measurements += try compare(many, one, count, stage)
            try many.daemon.stop()
        }
        try one.daemon.stop()
        return measurements
    }

    /// A daemon with a session that is written to, and finished ones.
    private struct Holder {
        let daemon: DaemonProcess
        let scene: Scene

        init(_ stage: Stage, sessions count: Int) throws {
            let session = SampleSession(cells: 100)
            let home = try Home(stage, holding: session, try session.contents())
            try home.addFinishedSessions(count - 1)
            daemon = try DaemonProcess.quiet(stage, home)
            _ = try home.client().call(.useSession, .init(session: session.name))
            scene = try Scene(session, at: [daemon], watchers: 0)
        }

        /// An empty timing of commands and the daemon.
        var commandTiming: Timing {
            Timing { [process = daemon.process] in ProcessUse.secondsWithCommands(of: process) }
        }

        /// Returns the seconds of a `scorectl score`, start to exit.
        func runScore(_ number: Int, _ stage: Stage) throws -> Double {
            let words = ["score", "--no-spawn", "Ann", "round.\(number % 10 + 1)=\(number)"]
            return try CommandSeries([(stage.commandProgram, words)]).time(in: daemon.home)
        }
    }

    private static func compare(
        _ many: Holder,
        _ one: Holder,
        _ count: Int,
        _ stage: Stage
    ) throws -> [Measurement] {
        let holders = [one, many]
        var writes = holders.map(\.scene.timing)
        var commands = holders.map(\.commandTiming)
        for block in 0..<stage.samples(10) {
            for (index, holder) in holders.enumerated() {
                try writes[index].add(30) { _ in try holder.scene.write() }
                try commands[index].add(5) { try holder.runScore(block * 5 + $0, stage) }
            }
        }
        return [
            writes[1].measurement(
                "held-\(count)",
                "write to acknowledgement, \(count) sessions held",
                over: writes[0].floor("the same, one session held"),
                target: .timesFloor(1.2)
            ),
            commands[1].measurement(
                "score-\(count)",
                "  scorectl score, start to exit",
                over: commands[0].floor("the same, one session held"),
                target: .timesFloor(1.2)
            ),
        ]
    }
}

/// A score in a session of many cells with eight watchers, compared with one watcher: events should
/// be rendered and encoded once.
enum Watchers {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 10_000)
        let contents = try session.contents()
        let daemons = try (0..<2).map { _ in
            try DaemonProcess.quiet(stage, try Home(stage, holding: session, contents))
        }
        let scenes = try zip(daemons, [1, 8]).map { daemon, count in
            try Scene(session, at: [daemon], watchers: count)
        }
        let timings = try scenes.writes(stage.samples(10), 10)
        for daemon in daemons { try daemon.stop() }
        let write = timings[1].measurement(
            "watchers-8",
            "write until seen by 8 watchers of 10000 cells",
            over: timings[0].floor("the same with 1 watcher")
        )
        let processor = write.processorLine(
            "processor-watchers-8",
            "  processor time of the daemon",
            // Each of the other seven costs one more system call, and nothing else.
            target: .timesFloor(1.5)
        )
        return [write, processor].compactMap(\.self)
    }
}

/// A score on the pages of 200 browsers, compared with one: the daemon sends it to one board, and
/// the board to all pages.
enum Browsers {
    private static let count = 200

    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let contents = try session.contents()
        let places = try [1, count].map { count in
            let home = try Home(stage, holding: session, contents)
            let daemon = try DaemonProcess.quiet(stage, home)
            let board = try BoardProcess(stage, session, at: home)
            let scene = Scene(
                writer: try home.socket(),
                watchers: try (0..<count).map { _ in try board.browser() },
                processes: [daemon.process],
                score: session.score
            )
            return (daemon: daemon, board: board, scene: scene)
        }
        let process = places[1].board.child.process
        let before = ProcessUse.processorSeconds(of: [process])
        let timings = try places.map(\.scene).writes(stage.samples(10), 10)
        let after = ProcessUse.processorSeconds(of: [process])
        for place in places {
            try place.board.child.stop()
            try place.daemon.stop()
        }
        let write = timings[1].measurement(
            "browsers",
            "score until seen by \(count) browsers",
            over: timings[0].floor("the same with 1 browser"),
            target: .atMost(0.1)
        )
        let daemon = write.processorLine(
            "processor-browsers",
            "  processor time of the daemon",
            target: .timesFloor(1.5)
        )
        let board = zip([before].compactMap(\.self), [after].compactMap(\.self)).map {
            before,
            after in
            Measurement(
                name: "processor-board",
                title: "  processor time of the board",
                series: Series([(after - before) / Double(write.series.count)])
            )
        }
        return [write, daemon].compactMap(\.self) + board
    }
}
