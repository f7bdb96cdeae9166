import ControlSocket
import SyncProtocol

/// From the call on A until a watcher on B has the new sheet, between two real daemons.
enum PeerWrite {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let contents = try session.contents()
        let far = try Home(stage, holding: session, contents)
        let near = try Home(stage, holding: session, contents, peers: [far.port])
        let daemons = try [far, near].map { try DaemonProcess.quiet(stage, $0) }
        let writer = try daemons[1].client()
        try writer.waitUntilSynced(session)
        let watcher = try Watcher(far, session)
        let disk = try DiskFloor(near.path)
        let echo = try EchoFloor()
        var writes: [Double] = []
        var floors: [Double] = []
        for number in 0..<stage.samples(200) {
            floors.append(try disk.write() + disk.write() + echo.roundTrip())
            // A value that no cell has had yet, by which the watcher knows the write.
            let value = 1000 + number
            let start = ContinuousClock.now
            _ = try writer.call(session.command(number, value: value))
            let seen = try watcher.waitFor(value)
            writes.append(Stopwatch.seconds(start.duration(to: seen)))
        }
        for daemon in daemons { try daemon.stop() }
        return [
            Measurement(
                name: "watch",
                title: "write on A to a watcher on B, 100 cells",
                series: Series(writes),
                floor: Measurement.Floor(
                    title: "two fdatasync of 4 KiB and one TCP echo on loopback",
                    series: Series(floors)
                )
            )
        ]
    }
}
