import ControlSocket
import SyncProtocol

/// A score through the control socket of a real daemon until the daemon says that it is on disk.
enum LocalWrite {
    static func measure(on stage: Stage) throws -> [Measurement] {
        try [100, 10_000].map { try measure(on: stage, cells: $0) }
    }

    private static func measure(on stage: Stage, cells: Int) throws -> Measurement {
        let session = SampleSession(cells: cells)
        let home = try Home(stage, holding: session, try session.contents())
        let daemon = try DaemonProcess.quiet(stage, home)
        let client = try daemon.client()
        let disk = try DiskFloor(home.path)
        var writes: [Double] = []
        var floors: [Double] = []
        for number in 0..<stage.samples(cells > 1000 ? 50 : 300) {
            floors.append(try disk.write())
            let command = session.command(number, value: number)
            writes.append(try Stopwatch.time { _ = try client.call(command) })
        }
        try daemon.stop()
        return Measurement(
            name: "write-\(cells)",
            title: "local write to acknowledgement, \(cells) cells",
            series: Series(writes),
            floor: Measurement.Floor(title: "fdatasync of 4 KiB", series: Series(floors))
        )
    }
}
