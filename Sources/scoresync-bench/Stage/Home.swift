import ControlSocket
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
            try store.note(
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
        try socket.send(FrameSocket.call(0, NegotiateRequest.method, wish))
        try socket.wait(forFrames: 1)
        return socket
    }

    /// Somebody who watches the session at the daemon of this home and has been shown it.
    func watcher(of session: SampleSession) throws -> FrameSocket {
        let socket = try socket()
        try socket.send(FrameSocket.call(1, WatchRequest.method, session.parameters()))
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
