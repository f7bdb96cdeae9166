import ControlSocket
import Foundation
import SessionCRDT
import SyncProtocol

/// A laptop comes back and has missed 10,000 writes: until it has them all, and the bytes that this
/// takes on the wire.
///
/// What was missed is written into A's home while A is not running; B is running and offline until
/// the clock starts. B reaches A only through a proxy, which counts.
struct Rejoin {
    private static let missed = 10_000

    private let session: SampleSession
    private let near: Home
    private let far: Home
    private let proxy: CountingProxy
    private let back: DaemonProcess
    private let disk: DiskFloor
    private let echo: EchoFloor

    static func measure(on stage: Stage) throws -> [Measurement] {
        try (stage.isQuick ? [1000] : [1000, 10_000]).flatMap { cells in
            try Rejoin(stage, cells: cells).measure(stage)
        }
    }

    private init(_ stage: Stage, cells: Int) throws {
        session = SampleSession(cells: cells)
        let contents = try session.contents()
        near = try Home(stage, holding: session, contents)
        proxy = try CountingProxy(to: near.port)
        far = try Home(stage, holding: session, contents, peers: [proxy.port])
        back = try DaemonProcess.quiet(stage, far)
        disk = try DiskFloor(far.path)
        echo = try EchoFloor()
    }

    private func measure(_ stage: Stage) throws -> [Measurement] {
        let client = try back.client()
        var times: [Double] = []
        var sizes: [Double] = []
        var floors: [Double] = []
        var uses: [Double] = []
        for _ in 0..<stage.samples(7) {
            _ = try client.call(.setOffline, .init(offline: true))
            try near.write(to: session) { map in
                var pen = Pen()
                session.score(Self.missed, with: &pen, in: &map)
            }
            let daemon = try DaemonProcess.quiet(stage, near)
            // An address is dialled at most every 500 ms; who missed so much was away for longer.
            Thread.sleep(forTimeInterval: 0.6)
            let before = proxy.bytes
            let processes = [back.process, daemon.process]
            let used = ProcessUse.processorSeconds(of: processes)
            times.append(
                try Stopwatch.time {
                    _ = try client.call(.setOffline, .init(offline: false))
                    try client.waitUntilSynced(session)
                }
            )
            if let used, let now = ProcessUse.processorSeconds(of: processes) {
                uses.append(now - used)
            }
            let size = proxy.bytes - before
            guard size > 1000 else { throw BenchError("the peers met on another way") }
            sizes.append(Double(size))
            floors.append(echo.roundTrip() + (try disk.write(bytes: size)))
            try daemon.stop()
        }
        try back.stop()
        let title = "rejoin, 10000 missed writes over \(session.cellCount) cells"
        let name = "rejoin-\(session.cellCount)"
        return [
            Measurement(
                name: name,
                title: title,
                series: Series(times),
                processor: uses.isEmpty ? nil : Series(uses).median,
                floor: Measurement.Floor(
                    title: "fdatasync of the same bytes and one TCP echo",
                    series: Series(floors)
                ),
                target: .atMost(session.cellCount > 1000 ? 0.05 : 0.008)
            ),
            Measurement(
                name: name + "-bytes",
                title: "  bytes on the wire",
                unit: .bytes,
                series: Series(sizes),
                target: .atMost(session.cellCount > 1000 ? 490e3 : 52e3)
            ),
        ]
    }
}
