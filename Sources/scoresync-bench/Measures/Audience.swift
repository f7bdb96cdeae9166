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
