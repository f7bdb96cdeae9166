import Foundation
import SessionCRDT
import SyncProtocol

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

/// The start of a daemon until it is in sync with a peer that was there before, whose address it
/// knows, or which it has to find by announcements.
enum ColdStart {
    static func measure(on stage: Stage) throws -> [Measurement] {
        let known = try known(on: stage)
        return stage.isQuick ? [known] : [known, try found(on: stage)]
    }

    private static func known(on stage: Stage) throws -> Measurement {
        try measure(on: stage, name: "cold-known", "peer known") { session, contents in
            let peer = try Home(stage, holding: session, contents)
            let words = ["--no-discovery", "--port"]
            let daemon = try DaemonProcess(stage, peer, words + ["\(peer.port)"])
            let home = try Home(stage, holding: session, contents, peers: [peer.port])
            return Meeting(
                peer: daemon,
                words: words + ["\(home.port)"],
                nextHome: { home }
            )
        }
    }

    private static func found(on stage: Stage) throws -> Measurement {
        try measure(on: stage, name: "cold-found", "peer found") { session, contents in
            let peer = try Home(stage, holding: session, contents)
            let words = ["--loopback", "--discovery-port", "\(try stage.freePort())"]
            let daemon = try DaemonProcess(stage, peer, words)
            // A new home each time, because one that met the peer once knows it.
            return Meeting(peer: daemon, words: words) {
                // Longer than the peer limits its bursts of announcements: else what is
                // measured is how soon one start follows the other.
                Thread.sleep(forTimeInterval: 2.5)
                return try Home(stage, holding: session, contents)
            }
        }
    }

    /// A peer that is there, and how another daemon gets to it.
    private struct Meeting {
        let peer: DaemonProcess
        let words: [String]
        let nextHome: () throws -> Home
    }

    private static func measure(
        on stage: Stage,
        name: String,
        _ how: String,
        _ prepare: (SampleSession, Batch) throws -> Meeting
    ) throws -> Measurement {
        let session = SampleSession(cells: 100)
        let meeting = try prepare(session, try session.contents())
        try meeting.peer.waitUntilReady()
        let echo = try EchoFloor()
        // A daemon's time counts when it has ended, its stop included.
        var starts = Timing { ProcessUse.secondsWithCommands(of: meeting.peer.process) }
        var floors = Timing { ProcessUse.ownSeconds }
        for _ in 0..<stage.samples(20) {
            floors.add(1) { _ in echo.roundTrip() }
            let home = try meeting.nextHome()
            try starts.add(1) { _ in
                let start = ContinuousClock.now
                let daemon = try DaemonProcess(stage, home, meeting.words)
                try daemon.waitUntilReady()
                try daemon.client().waitUntilSynced(session)
                let seconds = Stopwatch.seconds(since: start)
                try daemon.stop()
                return seconds
            }
        }
        try meeting.peer.stop()
        return starts.measurement(
            name,
            "cold start to synced, \(how)",
            over: floors.floor("one TCP echo on loopback"),
            target: .atMost(0.1)
        )
    }
}

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
