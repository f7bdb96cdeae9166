import Foundation
import SessionCRDT
import SyncProtocol

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
