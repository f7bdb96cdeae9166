import ControlSocket
import Foundation
import SyncProtocol

/// A score on A until it is acknowledged there and a watcher on B has it, between two real daemons;
/// in small sessions and in large ones.
enum PeerWrite {
    private static let window = 64

    static func measure(on stage: Stage) throws -> [Measurement] {
        let relays = try Relay.scene(on: stage)
        let series: [(game: SampleSession.Game, counts: [Int])] = [
            (.rounds, stage.isQuick ? [100, 10_000] : [100, 1000, 10_000]),
            (.darts, stage.isQuick ? [] : [100, 10_000]),
        ]
        return try series.flatMap { game, counts in
            var lines: [Measurement] = []
            for count in counts {
                // The second line of the smallest session is its processor time.
                let base = lines.dropFirst().first
                let session = SampleSession(cells: count, of: game)
                lines += try measure(session, over: relays, stage, base: base)
            }
            return lines
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
        let far = try Home(stage, holding: [session])
        let near = try Home(stage, holding: [session], peers: [far.port])
        let daemons = try [far, near].map { try DaemonProcess.quiet(stage, $0) }
        try near.client().wait(for: .synced, session)
        let watcher = try far.watcher(of: session)
        let scenes = [relays, try Scene(session, at: daemons.reversed(), watchers: [watcher])]
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
        let relayed = times[0].processorFloor("that of both relays")
        return [
            times[1].line("watch-" + name, "write on A to a watcher on B, \(cells)")
                .over(times[0].floor("the same by two relays that only wait for their disks"))
                .targeting(.timesFloor(2)),
            times[1].processorLine("processor-" + name, "  processor time of both daemons")
                .over(base.map { .init(title: $0.name, series: $0.series) } ?? relayed)
                .targeting(base == nil ? .atMost(0.000_25) : .timesFloor(1.3)),
            rates[1].line("flow-" + name, "  acknowledged with \(window) in flight", .rate)
                .over(rates[0].floor("that of both relays")).targeting(.atLeast(10_000)),
        ]
    }
}

/// A score at a daemon with many sessions, all but one finished, which should cost nothing.
enum HeldSessions {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let one = try Holder(stage, sessions: 1)
        let lines = try (stage.isQuick ? [200] : [30, 200, 1000]).flatMap { count in
            let many = try Holder(stage, sessions: count)
            let holders = [one, many]
            var writes = holders.map(\.scene.timing)
            var commands = holders.map { holder in
                Timing { ProcessUse.secondsWithCommands(of: holder.daemon.process) }
            }
            for block in 0..<stage.samples(10) {
                for (index, holder) in holders.enumerated() {
                    try writes[index].add(30) { _ in try holder.scene.write() }
                    try commands[index].add(5) { try holder.runScore(block * 5 + $0, stage) }
                }
            }
            try many.daemon.stop()
            let floor = "the same, one session held"
            return [
                writes[1].line("held-\(count)", "write to acknowledgement, \(count) sessions held")
                    .over(writes[0].floor(floor)).targeting(.timesFloor(1.2)),
                commands[1].line("score-\(count)", "  scorectl score, start to exit")
                    .over(commands[0].floor(floor)).targeting(.timesFloor(1.2)),
            ]
        }
        try one.daemon.stop()
        return lines
    }

    /// A daemon with a session that is written to, and finished ones.
    struct Holder {
        let daemon: DaemonProcess
        let scene: Scene

        init(_ stage: Stage, sessions count: Int) throws {
            let session = SampleSession(cells: 100)
            let finished = (1..<count).map { _ in SampleSession(cells: 20, isFinished: true) }
            let home = try Home(stage, holding: [session] + finished)
            daemon = try DaemonProcess.quiet(stage, home)
            _ = try home.client().call(.useSession, .init(session: session.name))
            scene = try Scene(session, at: [daemon], watchers: [])
        }

        /// Returns the seconds of a `scorectl score`, start to exit.
        func runScore(_ number: Int, _ stage: Stage) throws -> Double {
            let words = ["score", "--no-spawn", "Ann", "round.\(number % 10 + 1)=\(number)"]
            return try daemon.home.time([(stage.commandProgram, words)])
        }
    }
}

/// A score after a pause, when nothing of the programs is in the processor's caches any more.
enum ScoreAfterPause {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let holder = try HeldSessions.Holder(stage, sessions: 1)
        let pause = stage.isQuick ? 3 : 60
        let timing = Timing { ProcessUse.secondsWithCommands(of: holder.daemon.process) }
        var (late, prompt) = (timing, timing)
        for block in 0..<stage.samples(3) {
            try prompt.add(10) { try holder.runScore(block * 11 + $0, stage) }
            Thread.sleep(forTimeInterval: Double(pause))
            try late.add(1) { _ in try holder.runScore(block * 11 + 10, stage) }
        }
        try holder.daemon.stop()
        return [
            late.line(
                "score-after-pause",
                "scorectl score after \(pause) s without any, start to exit"
            )
            .over(prompt.floor("the same right after another")).targeting(.timesFloor(1.5))
        ]
    }
}

/// A score in a session of many cells with eight watchers, compared with one watcher: events should
/// be rendered and encoded once.
enum Watchers {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 10_000)
        let daemons = try (0..<2).map { _ in
            try DaemonProcess.quiet(stage, try Home(stage, holding: [session]))
        }
        let scenes = try zip(daemons, [1, 8]).map { daemon, count in
            let watchers = try (0..<count).map { _ in try daemon.home.watcher(of: session) }
            return try Scene(session, at: [daemon], watchers: watchers)
        }
        let timings = try scenes.writes(stage.samples(10), 10)
        for daemon in daemons { try daemon.stop() }
        let floor = "the same with 1 watcher"
        return [
            timings[1].line("watchers-8", "write until seen by 8 watchers of 10000 cells")
                .over(timings[0].floor(floor)),
            // Each of the other seven costs one more system call, and nothing else.
            timings[1].processorLine("processor-watchers-8", "  processor time of the daemon")
                .over(timings[0].processorFloor(floor)).targeting(.timesFloor(1.5)),
        ]
    }
}

/// A score on the pages of 200 browsers, compared with one: the daemon sends it to one board, and
/// the board to all pages.
enum Browsers {
    private static let count = 200

    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let places = try [(1, false), (count, false), (count, true)].map { count, isApp in
            let home = try Home(stage, holding: [session])
            let daemon = try DaemonProcess.quiet(stage, home)
            let board =
                try isApp
                ? BoardProcess(appOf: stage, session, at: home)
                : BoardProcess(stage, session, at: home)
            let browsers = try (0..<count).map { _ in try board.browser() }
            let scene = Scene(
                session,
                writer: try home.socket(),
                watchers: browsers,
                processes: [isApp ? board.child.process : daemon.process]
            )
            return (daemon: daemon, board: board, scene: scene)
        }
        let process = places[1].board.child.process
        var timings: [Timing] = []
        var board = Timing { ProcessUse.processorSeconds(of: [process]) }
        try board.addRate {
            let start = ContinuousClock.now
            timings = try places.map(\.scene).writes(stage.samples(10), 10)
            return (timings[1].series.count, Stopwatch.seconds(since: start))
        }
        for place in places {
            try place.board.child.stop()
            try place.daemon.stop()
        }
        let floor = "the same with 1 browser"
        return [
            timings[1].line("browsers", "score until seen by \(count) browsers")
                .over(timings[0].floor(floor)).targeting(.atMost(0.1)),
            timings[1].processorLine("processor-browsers", "  processor time of the daemon")
                .over(timings[0].processorFloor(floor)).targeting(.timesFloor(1.5)),
            board.processorLine("processor-board", "  processor time of the board"),
            timings[2].line("app-pages", "score until seen by \(count) pages of the app")
                .over(timings[0].floor(floor)).targeting(.atMost(0.1)),
            timings[2].processorLine("processor-app", "  processor time of the app"),
        ]
    }
}
