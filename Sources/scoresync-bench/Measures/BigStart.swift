import SyncProtocol

/// The start of a daemon whose session has 100,000 cells, until it answers; and its memory then.
enum BigStart {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100_000)
        let home = try Home(stage, holding: session, try session.contents())
        var times: [Double] = []
        var sizes: [Double] = []
        var floors: [Double] = []
        for _ in 0..<stage.samples(7) {
            floors.append(try DiskFloor.read(home.database))
            let words = ["--port", "\(home.port)", "--no-discovery"]
            let start = ContinuousClock.now
            let daemon = try DaemonProcess(stage, home, words)
            try daemon.waitUntilReady()
            times.append(Stopwatch.seconds(since: start))
            if let bytes = ProcessUse.residentBytes(of: daemon.process) { sizes.append(bytes) }
            try daemon.stop()
        }
        var measurements = [
            Measurement(
                name: "start-100000",
                title: "start with 100000 cells to ready",
                series: Series(times),
                floor: Measurement.Floor(title: "reading the database file", series: Series(floors))
            )
        ]
        if !sizes.isEmpty {
            measurements.append(
                Measurement(
                    name: "memory-100000",
                    title: "memory with 100000 cells",
                    unit: .bytes,
                    series: Series(sizes)
                )
            )
        }
        return measurements
    }
}
