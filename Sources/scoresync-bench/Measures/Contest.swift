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
