/// The start of a daemon whose session has 100,000 cells, until it answers; and its memory then.
enum BigStart {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100_000)
        let home = try Home(stage, holding: session, try session.contents())
        let reading = try Timing(stage.samples(7)) { _ = try DiskFloor.read(home.database) }
        // A daemon's time counts when it has ended, its stop included.
        var starts = Timing { ProcessUse.endedChildrenSeconds }
        var sizes: [Double] = []
        for _ in 0..<stage.samples(7) {
            try starts.add(1) { _ in
                let words = ["--port", "\(home.port)", "--no-discovery"]
                let start = ContinuousClock.now
                let daemon = try DaemonProcess(stage, home, words)
                try daemon.waitUntilReady()
                let seconds = Stopwatch.seconds(since: start)
                if let memory = ProcessUse.memory(of: daemon.process) {
                    sizes.append(memory.resident)
                }
                try daemon.stop()
                return seconds
            }
        }
        let start = starts.measurement(
            "start-100000",
            "start with 100000 cells to ready",
            over: reading.floor("reading the database file"),
            target: .atMost(0.15)
        )
        guard !sizes.isEmpty else { return [start] }
        return [
            start,
            Measurement(
                name: "memory-100000",
                title: "  memory then",
                unit: .bytes,
                series: Series(sizes),
                target: .atMost(40e6)
            ),
        ]
    }
}
