import CPlatform
import ControlSocket
import Foundation
import SessionCRDT
import SessionStore
import SyncProtocol

/// The state directory of a daemon, which is written directly while no daemon uses it.
struct Home: Sendable {
    typealias Command = (program: String, arguments: [String])

    let path: String
    let port: UInt16
    var database: String { path + "/scoresync.db" }

    /// Makes a home with these sessions, each of which knows peers on these ports.
    init(
        _ stage: Stage,
        holding sessions: [SampleSession] = [],
        peers: [UInt16] = [],
        port: UInt16? = nil
    ) throws {
        path = try stage.newDirectory()
        self.port = try port ?? stage.freePort()
        guard !sessions.isEmpty else { return }
        let store = try open()
        for session in sessions {
            try store.add(SessionRecord(id: session.id, key: session.key, joinedAt: Stage.wall))
            for peer in peers {
                let address = "\(Endpoint(address: .loopback, port: peer))"
                try store.record(StoredAddress(address: address, isTyped: true), for: session.id)
            }
        }
        let batches = sessions.compactMap { session in session.contents.map { (session.id, $0) } }
        try store.commit(batches, at: Stage.wall)
    }

    func write(to session: SampleSession, _ body: (inout StagedMap) -> Void) throws {
        let store = try open()
        let stored = try store.load(session.id)
        var map = StagedMap(try CausalMap(entries: stored.entries, vector: stored.vector))
        body(&map)
        if let batch = map.seal() { try store.commit([(session.id, batch)], at: Stage.wall) }
    }

    /// Runs commands one after the other; returns the seconds that they take together.
    func time(_ commands: [Command]) throws -> Double {
        try Stopwatch.time {
            for (program, arguments) in commands {
                try Child(program, arguments, home: path).waitUntilEnded()
            }
        }
    }

    /// Returns a new connection for calls that are timed.
    func socket() throws -> FrameSocket {
        let socket = try FrameSocket(try paths().socket)
        let wish = NegotiateParameters(client: "scoresync-bench", versions: Versions.control)
        try socket.send(try RPCEncoding.request(.negotiate, wish, id: .integer(0)))
        try socket.wait(forFrames: 1)
        return socket
    }

    func watcher(of session: SampleSession) throws -> FrameSocket {
        let socket = try socket()
        try socket.send(FrameSocket.call(1, "watch", session.parameters()))
        // The reply and the snapshot arrive in any order.
        try socket.wait(forFrames: 2)
        return socket
    }

    func client() throws(ControlError) -> ControlClient {
        try ControlClient(path: try paths().socket, client: "scoresync-bench")
    }

    private func paths() throws(ControlError) -> ControlPaths { try .current(chosen: path) }

    private func open() throws(StoreError) -> SessionStore {
        var generator = SystemRandomNumberGenerator()
        return try SessionStore(directory: path, using: &generator)
    }
}

struct DaemonProcess {
    let child: Child
    let home: Home

    var process: Int32 { child.process }

    /// Starts a daemon, and waits until it is ready; without options of the network, on the home's
    /// port and without discovery.
    init(_ stage: Stage, _ home: Home, network: [String]? = nil) throws(BenchError) {
        self.home = home
        let network = network ?? ["--port", "\(home.port)", "--no-discovery"]
        let words = ["--home", home.path, "--log-level", "warning"] + network
        child = try Child(stage.daemonProgram, words, home: home.path)
        try child.waitUntilReady()
    }

    /// Starts a daemon without discovery, and checks that it has the home's port.
    static func quiet(_ stage: Stage, _ home: Home) throws -> DaemonProcess {
        let daemon = try DaemonProcess(stage, home)
        let port = try daemon.home.client().call(.status).daemon.port
        guard port == Int(home.port) else { throw BenchError("port \(home.port) is in use") }
        return daemon
    }

    func stop() throws(BenchError) { try child.stop() }
}

extension ControlClient {
    func wait(for condition: WaitCondition, _ session: SampleSession) throws(ControlError) {
        let parameters = WaitParameters(session: session.name, condition: condition)
        _ = try call(.wait, parameters, timeoutMilliseconds: 60_000)
    }
}

struct BoardProcess {
    let child: Child
    private let port: UInt16
    /// The path of the page, and of its events.
    private let root: String
    private let events: String
    /// The headers of each request, each with its end.
    private let headers: String

    private struct Addresses: Decodable { let url: String }

    /// The app's keys, in a file of the home.
    private struct Keys: Decodable {
        let owner: String
        let cookie: String
        let port: UInt16
    }

    /// Starts the app, for a browser that was let in.
    init(appOf stage: Stage, _ session: SampleSession, at home: Home) throws {
        child = try Child(stage.boardProgram, ["--app", "--home", home.path], home: home.path)
        try child.waitUntilReady()
        let file = try Data(contentsOf: URL(filePath: home.path + "/app.json"))
        let keys = try JSONDecoder().decode(Keys.self, from: file)
        (port, root) = (keys.port, "/\(keys.owner)/")
        events = root + "events/\(session.name)"
        headers = "Host: 127.0.0.1:\(port)\r\nCookie: scoresync=\(keys.cookie)\r\n"
    }

    /// Starts a board on a free port, and waits until it prints its URL.
    init(_ stage: Stage, _ session: SampleSession, at home: Home) throws {
        port = try stage.freePort()
        let output = home.path + "/board-\(port).json"
        let words = ["--home", home.path, "--session", session.name, "--port", "\(port)"]
        let shell = ["-c", "exec \"$0\" \"$@\" >'\(output)'", stage.boardProgram]
        child = try Child("/bin/sh", shell + words + ["--no-open", "--json"], home: home.path)
        var line = ""
        for _ in 0..<2000 where !line.hasSuffix("\n") {
            _ = platform_wait(-1, false, -1, 5)
            line = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        }
        let url = try JSONDecoder().decode(Addresses.self, from: Data(line.utf8)).url
        guard let token = url.split(separator: "/").last else {
            throw BenchError("the board has no URL: \(url)")
        }
        root = "/\(token)/"
        events = root + "events"
        headers = "Host: 127.0.0.1:\(port)\r\n"
    }

    /// Returns a browser with the page open, which has received the sheet.
    func browser() throws -> FrameSocket {
        let end = Array("\n\n".utf8)
        var arrived: [UInt8] = []
        // Splits off the complete events; chunk lengths remain between them.
        let browser = try FrameSocket(port: port) { bytes in
            arrived += bytes
            var events: [[UInt8]] = []
            while let index = arrived.firstIndex(of: end, from: 0) {
                events.append(Array(arrived[..<index]))
                arrived.removeFirst(index + end.count)
            }
            return events
        }
        try browser.send(request(events))
        try browser.wait(forFrames: 1)
        return browser
    }

    private func request(_ path: String, _ more: String = "") -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\n\(headers)\(more)\r\n".utf8)
    }

    /// Returns the response to a request for a file below the page.
    func response(_ file: String) throws -> [UInt8] {
        let connection = try Network.connect(port)
        defer { platform_close(connection) }
        let request = request(root + file, "Connection: close\r\n")
        guard Network.sendAll(connection, request[...]) else {
            throw BenchError("the app closed the connection")
        }
        var response: [UInt8] = []
        Network.readAll(connection) {
            response += $0
            return true
        }
        guard response.starts(with: Array("HTTP/1.1 200".utf8)) else {
            throw BenchError("no \(file): \(String(decoding: response.prefix(80), as: UTF8.self))")
        }
        return response
    }
}
