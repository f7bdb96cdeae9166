import Foundation
import SyncProtocol

/// Four daemons of which each has three peers, and nobody does anything: what they need meanwhile.
///
/// They announce themselves as on a real network, on a discovery port of their own.
enum IdleFleet {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let contents = try session.contents()
        let discovery = try stage.freePort()
        let ports = try (0..<4).map { _ in try stage.freePort() }
        var daemons: [DaemonProcess] = []
        for port in ports {
            let home = try Home(
                stage,
                holding: session,
                contents,
                peers: ports.filter { $0 != port },
                port: port
            )
            let words = ["--port", "\(port)", "--discovery-port", "\(discovery)", "--loopback"]
            daemons.append(try DaemonProcess(stage, home, words))
        }
        for daemon in daemons { try daemon.waitUntilReady() }
        for daemon in daemons {
            let client = try daemon.client()
            try client.waitForPeers(daemons.count - 1, session)
            try client.waitUntilSynced(session)
        }
        // The burst of announcements at the start is not idling.
        Thread.sleep(forTimeInterval: 3)
        let measurements = measure(daemons.map(\.process), for: stage.idleSeconds)
        for daemon in daemons { try daemon.stop() }
        return measurements
    }

    private static func measure(_ processes: [Int32], for seconds: Int) -> [Measurement] {
        let before = processes.compactMap { ProcessUse.processorSeconds(of: [$0]) }
        let start = ContinuousClock.now
        Thread.sleep(forTimeInterval: Double(seconds))
        let after = processes.compactMap { ProcessUse.processorSeconds(of: [$0]) }
        let wall = Stopwatch.seconds(since: start)
        let shares = zip(before, after).map { ($1 - $0) / wall }
        let sizes = processes.compactMap(ProcessUse.memory)
        guard sizes.count == processes.count, shares.count == processes.count else {
            BenchProgram.tell("this system does not tell what a process needs: left out")
            return []
        }
        return [
            Measurement(
                name: "idle-memory",
                title: "memory of an idle daemon with 3 peers",
                unit: .bytes,
                series: Series(sizes.map(\.resident)),
                target: .atMost(14e6)
            ),
            Measurement(
                name: "idle-share",
                title: "  its share, where programs share pages",
                unit: .bytes,
                series: Series(sizes.map(\.proportional))
            ),
            Measurement(
                name: "idle-processor",
                title: "  of a core",
                unit: .share,
                series: Series(shares),
                target: .atMost(0.002)
            ),
        ]
    }
}
