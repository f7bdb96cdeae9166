/// A score that is typed on A until it is acknowledged there and a watcher on B has it, between two
/// real daemons; one at a time and many in flight, in small sessions and in large ones.
struct PeerWrite {
    /// How many calls wait for their answers when many do.
    private static let window = 64

    private let stage: Stage
    private let relays: Scene

    static func measure(on stage: Stage) throws -> [Measurement] {
        let bench = PeerWrite(stage: stage, relays: try Relay.scene(on: stage))
        let base = try bench.measure(cells: 100, of: .rounds, besides: nil)
        var lines = base
        let sessions: [(Int, SampleSession.Game)] =
            stage.isQuick
            ? [(10_000, .rounds)]
            : [(1000, .rounds), (10_000, .rounds), (100, .darts), (10_000, .darts)]
        for (cells, game) in sessions {
            lines += try bench.measure(
                cells: cells,
                of: game,
                besides: base.first { $0.name.hasPrefix("processor") }
            )
        }
        return lines
    }

    private func measure(
        cells: Int,
        of game: SampleSession.Game,
        besides base: Measurement?
    ) throws -> [Measurement] {
        let session = SampleSession(cells: cells, of: game)
        let contents = try session.contents()
        let far = try Home(stage, holding: session, contents)
        let near = try Home(stage, holding: session, contents, peers: [far.port])
        let daemons = try [far, near].map { try DaemonProcess.quiet(stage, $0) }
        try near.client().waitUntilSynced(session)
        let scene = try Scene(session, writingAt: near, watchers: 1, at: far, daemons)
        var times = (floor: relays.timing, product: scene.timing)
        var rates = (floor: relays.timing, product: scene.timing)
        // By turns, so that the same minutes count for both.
        for _ in 0..<stage.samples(10) {
            try times.floor.add(20) { _ in try relays.write() }
            try times.product.add(20) { _ in try scene.write() }
        }
        let moment = Duration.milliseconds(stage.isQuick ? 300 : 1000)
        for _ in 0..<3 {
            try rates.floor.addRate { try relays.flow(Self.window, for: moment) }
            try rates.product.addRate { try scene.flow(Self.window, for: moment) }
        }
        for daemon in daemons { try daemon.stop() }
        let what = game == .rounds ? "\(cells) cells" : "\(cells) visits"
        let name = "\(game.rawValue)-\(cells)"
        let floor = times.floor.floor("the same by two relays that only wait for their disks")
        let write = times.product.measurement(
            "watch-\(name)",
            "write on A to a watcher on B, \(what)",
            over: floor,
            target: .timesFloor(2)
        )
        return [write, processor(of: write, name, what, besides: base)].compactMap(\.self)
            + [flow(rates, name, what)]
    }

    /// The processor time of a write, beside the floor's, or beside that in a small session.
    private func processor(
        of write: Measurement,
        _ name: String,
        _ what: String,
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

    private func flow(
        _ rates: (floor: Timing, product: Timing),
        _ name: String,
        _ what: String
    ) -> Measurement {
        var line = rates.product.measurement(
            "flow-\(name)",
            "  acknowledged with \(Self.window) in flight",
            over: rates.floor.floor("that of both relays"),
            target: .atLeast(10_000)
        )
        line.unit = .rate
        return line
    }
}
