import CPlatform
import ControlSocket
import Foundation
import SessionCRDT
import SessionStore
import SyncProtocol

/// The directory of one daemon, written directly while none runs there.
struct Home: Sendable {
    /// The directory.
    let path: String
    /// The port that its daemon listens on.
    let port: UInt16
    /// The database in it.
    var database: String { path + "/scoresync.db" }

    /// A home without sessions.
    init(_ stage: Stage) throws {
        path = try stage.newDirectory()
        port = try stage.freePort()
    }

    /// A home that is a member of the session, holds these contents of it, and knows the addresses
    /// of these ports of this machine.
    init(
        _ stage: Stage,
        holding session: SampleSession,
        _ contents: Batch?,
        peers: [UInt16] = [],
        port: UInt16? = nil
    ) throws {
        path = try stage.newDirectory()
        self.port = try port ?? stage.freePort()
        let store = try open()
        try store.add(SessionRecord(id: session.id, key: session.key, joinedAt: Stage.wall))
        for peer in peers {
            let address = Endpoint(address: Network.loopback, port: peer)
            try store.record(
                StoredAddress(address: "\(address)", isTyped: true),
                for: session.id
            )
        }
        if let contents { try store.commit([(session.id, contents)], at: Stage.wall) }
    }

    /// Adds what somebody writes to the session while no daemon runs here.
    func write(to session: SampleSession, _ body: (inout StagedMap) -> Void) throws {
        let store = try open()
        let stored = try store.load(session.id)
        var map = StagedMap(try CausalMap(entries: stored.entries, vector: stored.vector))
        body(&map)
        if let batch = map.seal() { try store.commit([(session.id, batch)], at: Stage.wall) }
    }

    /// Adds sessions that are over, of a few cells each.
    func addFinished(_ count: Int) throws {
        let store = try open()
        let batches = try (0..<count).map { _ in
            let session = SampleSession(cells: 20)
            try store.add(SessionRecord(id: session.id, key: session.key, joinedAt: Stage.wall))
            return (session.id, try session.contents(isFinished: true))
        }
        try store.commit(batches, at: Stage.wall)
    }

    /// A new connection for calls that are timed.
    func socket() throws -> FrameSocket {
        let socket = try FrameSocket(path + "/control.sock")
        let versions = Versions.control
        let wish = """
            {"client":"scoresync-bench","highest":\(versions.upperBound),\
            "lowest":\(versions.lowerBound)}
            """
        try socket.send(FrameSocket.call(0, "negotiate", wish))
        try socket.wait(forFrames: 1)
        return socket
    }

    /// Somebody who watches the session at the daemon of this home and has been shown it.
    func watcher(of session: SampleSession) throws -> FrameSocket {
        let socket = try socket()
        try socket.send(FrameSocket.call(1, "watch", session.parameters()))
        // The answer and the first snapshot, in whatever order.
        try socket.wait(forFrames: 2)
        return socket
    }

    /// A new connection to the daemon of this home.
    func client() throws(ControlError) -> ControlClient {
        try ControlClient(path: path + "/control.sock", client: "scoresync-bench")
    }

    private func open() throws(StoreError) -> SessionStore {
        var generator = SystemRandomNumberGenerator()
        return try SessionStore(directory: path, using: &generator)
    }
}

/// A daemon with a home of its own.
final class DaemonProcess {
    /// Its process id.
    var process: Int32 { child.process }

    private let child: Child
    private let home: Home

    /// Starts it; how it finds others is for the caller to say.
    init(_ stage: Stage, _ home: Home, _ words: [String]) throws(BenchError) {
        self.home = home
        child = try Child(
            stage.daemonProgram,
            words + ["--home", home.path, "--log-level", "warning"],
            home: home.path,
            log: home.path + "/bench.log"
        )
    }

    /// Starts one that listens on the home's port, announces nothing, and is ready.
    static func quiet(_ stage: Stage, _ home: Home) throws -> DaemonProcess {
        let daemon = try DaemonProcess(stage, home, ["--port", "\(home.port)", "--no-discovery"])
        try daemon.waitUntilReady()
        let port = try daemon.client().call(.status).daemon.port
        guard port == Int(home.port) else { throw BenchError("port \(home.port) is taken") }
        return daemon
    }

    /// Waits until it answers.
    func waitUntilReady() throws(BenchError) { try child.waitUntilReady() }

    /// A new connection to it.
    func client() throws(ControlError) -> ControlClient { try home.client() }

    /// Ends it and waits for that.
    func stop() throws(BenchError) { try child.stop() }
}

extension ControlClient {
    /// Waits until the session's daemon and its peers have the same.
    func waitUntilSynced(_ session: SampleSession) throws(ControlError) {
        try wait(for: .synced, session)
    }

    /// Waits until so many peers are linked.
    func waitForPeers(_ count: Int, _ session: SampleSession) throws(ControlError) {
        try wait(for: .peers(count), session)
    }

    private func wait(
        for condition: WaitCondition,
        _ session: SampleSession
    ) throws(ControlError) {
        _ = try call(
            .wait,
            .init(
                session: session.name,
                condition: condition,
                timeoutMilliseconds: 60_000
            ),
            timeoutMilliseconds: 61_000
        )
    }
}

/// A board of a daemon's session, and what browsers need of it.
final class BoardProcess {
    /// Its process id.
    var process: Int32 { child.process }

    private let child: Child
    private let port: UInt16
    private let path: String

    private struct Told: Decodable { let url: String }

    /// Starts it on a free port and waits until it has said where it is.
    init(_ stage: Stage, _ session: SampleSession, at home: Home) throws {
        port = try stage.freePort()
        let output = home.path + "/board-\(port).json"
        let words = ["--home", home.path, "--session", session.name, "--port", "\(port)"]
        let quiet = ["--no-open", "--json"]
        // Whatever it says goes to a file; it keeps the process of the shell.
        child = try Child(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" >'\(output)'", stage.boardProgram] + words + quiet,
            home: home.path,
            log: home.path + "/board.log"
        )
        var line: String?
        for _ in 0..<2000 where line?.hasSuffix("\n") != true {
            _ = platform_wait(-1, false, -1, 5)
            line = try? String(contentsOfFile: output, encoding: .utf8)
        }
        let told = try JSONDecoder().decode(Told.self, from: Data((line ?? "").utf8))
        guard let secret = told.url.split(separator: "/").last else {
            throw BenchError("the board has no address: \(told.url)")
        }
        path = "/\(secret)/events"
    }

    /// A browser that has the page open and has been shown the sheet.
    func browser() throws -> FrameSocket {
        let browser = try FrameSocket(port: port, Self.events)
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        try browser.send(Array(head.utf8))
        // The head of the answer has none, the sheet is the first.
        try browser.wait(forFrames: 1)
        return browser
    }

    /// Ends it and waits for that.
    func stop() throws(BenchError) { try child.stop() }

    /// Cuts events at the empty lines behind them; the lengths of chunks stay between them.
    private static func events(_ arrived: inout [UInt8]) -> [[UInt8]] {
        let end = Array("\n\n".utf8)
        var frames: [[UInt8]] = []
        var start = 0
        while let place = arrived.place(of: end, from: start) {
            frames.append(Array(arrived[start..<place]))
            start = place + end.count
        }
        arrived.removeFirst(start)
        return frames
    }
}
