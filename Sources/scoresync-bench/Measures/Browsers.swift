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
