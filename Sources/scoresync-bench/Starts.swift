import ControlSocket
import Foundation
import SessionCRDT
import SyncProtocol

/// The start of a daemon with a session of 100,000 cells until it is ready, and its memory then.
enum LargeStart {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let home = try Home(stage, holding: [SampleSession(cells: 100_000)])
        let reading = try Timing(stage.samples(7)) { _ = try DiskFloor.read(home.database) }
        // A daemon's processor time is known when it has ended, and includes its shutdown.
        var starts = Timing { ProcessUse.endedChildrenSeconds }
        var sizes: [Double] = []
        try starts.add(stage.samples(7)) { _ in
            let start = ContinuousClock.now
            let daemon = try DaemonProcess(stage, home)
            let seconds = Stopwatch.seconds(since: start)
            if let size = ProcessUse.bytes(.resident, of: daemon.process) { sizes.append(size) }
            try daemon.stop()
            return seconds
        }
        return [
            starts.line("start-100000", "start with 100000 cells to ready")
                .over(reading.floor("reading the database file")).targeting(.atMost(0.15)),
            .line("memory-100000", "  memory then", .bytes, sizes).targeting(.atMost(40e6)),
        ]
    }
}

/// The start of a daemon until it is in sync with a running peer, whose address it knows, or which
/// it must discover.
enum ColdStart {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let known = try measure(on: stage, discovers: false)
        return stage.isQuick ? [known] : [known, try measure(on: stage, discovers: true)]
    }

    private static func measure(on stage: Stage, discovers: Bool) throws -> Measurement {
        let session = SampleSession(cells: 100)
        let far = try Home(stage, holding: [session])
        let near = try Home(stage, holding: [session], peers: [far.port])
        let discovery = ["--loopback", "--discovery-port", "\(try stage.freePort())"]
        let network = discovers ? discovery : nil
        let peer = try DaemonProcess(stage, far, network: network)
        let echo = try EchoFloor()
        // A daemon's processor time is known when it has ended, and includes its shutdown.
        var starts = Timing { ProcessUse.secondsWithCommands(of: peer.process) }
        var floors = Timing { ProcessUse.ownSeconds }
        for _ in 0..<stage.samples(20) {
            floors.add(1) { _ in echo.roundTrip() }
            // The peer limits bursts of announcements; only a new home does not know its address.
            if discovers { Thread.sleep(forTimeInterval: 2.5) }
            let home = discovers ? try Home(stage, holding: [session]) : near
            try starts.add(1) { _ in
                let begin = ContinuousClock.now
                let daemon = try DaemonProcess(stage, home, network: network)
                try home.client().wait(for: .synced, session)
                let seconds = Stopwatch.seconds(since: begin)
                try daemon.stop()
                return seconds
            }
        }
        try peer.stop()
        let peers = discovers ? "found" : "known"
        return starts.line("cold-\(peers)", "cold start to synced, peer \(peers)")
            .over(floors.floor("one TCP echo on loopback")).targeting(.atMost(0.1))
    }
}

/// Memory and processor time of four idle daemons with three peers each.
///
/// They announce themselves as on a real network, on a discovery port of their own.
enum IdleDaemons {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let discovery = "\(try stage.freePort())"
        let ports = try (0..<4).map { _ in try stage.freePort() }
        let daemons = try ports.map { port in
            let peers = ports.filter { $0 != port }
            let home = try Home(stage, holding: [session], peers: peers, port: port)
            let network = ["--port", "\(port)", "--discovery-port", discovery, "--loopback"]
            return try DaemonProcess(stage, home, network: network)
        }
        for daemon in daemons {
            let client = try daemon.home.client()
            try client.wait(for: .peers(daemons.count - 1), session)
            try client.wait(for: .synced, session)
        }
        // The burst of announcements at the start must be over.
        Thread.sleep(forTimeInterval: 3)
        let processes = daemons.map(\.process)
        let before = processes.compactMap { ProcessUse.processorSeconds(of: [$0]) }
        let start = ContinuousClock.now
        Thread.sleep(forTimeInterval: Double(stage.idleSeconds))
        let after = processes.compactMap { ProcessUse.processorSeconds(of: [$0]) }
        let wall = Stopwatch.seconds(since: start)
        let shares = zip(before, after).map { ($1 - $0) / wall }
        let sizes = processes.compactMap { ProcessUse.bytes(.resident, of: $0) }
        let parts = processes.compactMap { ProcessUse.bytes(.proportional, of: $0) }
        for daemon in daemons { try daemon.stop() }
        return [
            .line("idle-memory", "memory of an idle daemon with 3 peers", .bytes, sizes)
                .targeting(.atMost(14e6)),
            .line("idle-share", "  its share, where programs share pages", .bytes, parts),
            .line("idle-processor", "  of a core", .share, shares).targeting(.atMost(0.002)),
        ]
    }
}

/// A laptop that comes back after 10,000 missed writes: the time until it has them all, and the
/// bytes on the wire.
///
/// The writes are made in A's home while A is not running; B is running and offline until the clock
/// starts. B reaches A only through a proxy, which counts.
enum Rejoin {
    private static let missed = 10_000

    static func measure(on stage: Stage) throws -> [Measurement] {
        try (stage.isQuick ? [1000] : [1000, 10_000]).flatMap { try measure(stage, cells: $0) }
    }

    private static func measure(_ stage: Stage, cells: Int) throws -> [Measurement] {
        let session = SampleSession(cells: cells)
        let near = try Home(stage, holding: [session])
        let proxy = try CountingProxy(to: near.port)
        let far = try Home(stage, holding: [session], peers: [proxy.port])
        let back = try DaemonProcess.quiet(stage, far)
        let (disk, echo) = (try DiskFloor(far.path + "/floor"), try EchoFloor())
        let client = try far.client()
        var processes: [Int32] = []
        var times = Timing { ProcessUse.processorSeconds(of: processes) }
        var floors = Timing { ProcessUse.ownSeconds }
        var sizes: [Double] = []
        for _ in 0..<stage.samples(7) {
            _ = try client.call(.setOffline, .init(offline: true))
            try near.write(to: session) { map in
                var pen = Pen()
                session.score(Self.missed, with: &pen, in: &map)
            }
            let daemon = try DaemonProcess.quiet(stage, near)
            // An address is dialed at most every 500 ms, and a real absence is longer.
            Thread.sleep(forTimeInterval: 0.6)
            let before = proxy.bytes
            processes = [back.process, daemon.process]
            try times.add(1) { _ in
                try Stopwatch.time {
                    _ = try client.call(.setOffline, .init(offline: false))
                    try client.wait(for: .synced, session)
                }
            }
            let size = proxy.bytes - before
            guard size > 1000 else { throw BenchError("the peers did not link by the proxy") }
            sizes.append(Double(size))
            try floors.add(1) { _ in echo.roundTrip() + (try disk.time(bytes: size)) }
            try daemon.stop()
        }
        try back.stop()
        return [
            times.line("rejoin-\(cells)", "rejoin, 10000 missed writes over \(cells) cells")
                .over(floors.floor("fdatasync of the same bytes and one TCP echo"))
                .targeting(.atMost(cells > 1000 ? 0.05 : 0.008)),
            .line("rejoin-\(cells)-bytes", "  bytes on the wire", .bytes, sizes)
                .targeting(.atMost(cells > 1000 ? 490e3 : 52e3)),
        ]
    }
}
