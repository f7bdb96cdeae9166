/// A session of 100,000 cells, exported to a file and imported by an empty laptop: the time of the
/// command line and of the daemon, and the most memory that the daemon had.
enum Exporting {
    private static let cells = 100_000

    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: cells)
        let home = try Home(stage, holding: session, try session.contents())
        let file = home.path + "/export.json"
        let words = ["export", session.name, file, "--yes"]
        let count = stage.isQuick ? 1 : stage.samples(5)
        let export = try run(words, count, stage) { home }
        let reading = try Timing(count) { _ = try DiskFloor.read(file) }
        let taken = try run(["import", file], count, stage) { try Home(stage) }
        let floor = reading.floor("reading the exported file")
        return export.measurements("export", "export of \(cells) cells", over: floor)
            + taken.measurements("import", "import of them", over: floor)
    }

    /// What runs of a command took, each with a daemon of its own.
    private struct Run {
        var timing: Timing
        var peaks: [Double] = []

        func measurements(
            _ name: String,
            _ title: String,
            over floor: Measurement.Floor
        ) -> [Measurement] {
            let time = timing.measurement(name, title, over: floor, target: .atMost(5))
            guard !peaks.isEmpty else { return [time] }
            let memory = Measurement(
                name: name + "-memory",
                title: "  the daemon's memory at most",
                unit: .bytes,
                series: Series(peaks),
                target: .atMost(100e6)
            )
            return [time, memory]
        }
    }

    private static func run(
        _ words: [String],
        _ count: Int,
        _ stage: Stage,
        in home: () throws -> Home
    ) throws -> Run {
        var result = Run(timing: Timing { ProcessUse.endedChildrenSeconds })
        try result.timing.add(count) { _ in
            let home = try home()
            let daemon = try DaemonProcess.quiet(stage, home)
            let seconds = try CommandSeries([(stage.commandProgram, words)]).time(in: home)
            if let peak = ProcessUse.peak(of: daemon.process) { result.peaks.append(peak) }
            try daemon.stop()
            return seconds
        }
        return result
    }
}
