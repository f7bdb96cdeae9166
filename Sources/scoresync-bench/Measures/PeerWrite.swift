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
