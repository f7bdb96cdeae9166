import ControlSocket
import FoundationEssentials
import QueueKit
import SyncProtocol
import Testing

@Suite("A control socket that is not where it was", .timeLimit(.minutes(10)))
struct LostSocketTests {
    private let runtime: TemporaryHome

    init() throws { runtime = try TemporaryHome() }

    /// A daemon whose socket is in the runtime directory that all share.
    private func daemon() throws -> TestDaemon {
        try TestDaemon(runtime: runtime.path)
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Calls the daemon of a home at a socket.
    private func call(_ socket: String, _ home: String) throws {
        let client = try ControlClient(path: socket, client: "tests", home: home)
        #expect(try client.call(.sessions).items == [])
    }

    @Test("is created again if its file or its directory is gone", arguments: [true, false])
    func gone(whole: Bool) throws {
        let daemon = try daemon()
        let paths = daemon.paths
        let before = try daemon.client()
        try FileManager.default.removeItem(atPath: whole ? paths.directory : paths.socket)
        #expect(throws: ControlError.self) { try daemon.client() }
        try daemon.queue.sync { try daemon.listener.checkSocket() }
        try call(paths.socket, paths.home)
        #expect(try before.call(.sessions).items == [], "open ones stay")
        #expect(ControlLock.socket(paths) == paths.socket)
    }

    @Test(
        "is in the home while there is no runtime directory, as the lock file says, and then back"
    )
    func fallbackReason() throws {
        let daemon = try daemon()
        let paths = daemon.paths
        try FileManager.default.removeItem(atPath: paths.directory)
        try Data().write(to: URL(filePath: paths.directory))
        try daemon.queue.sync { try daemon.listener.checkSocket() }
        let told = try #require(ControlLock.socket(paths))
        #expect(told == paths.home + "/control.sock")
        try call(told, paths.home)
        #expect(daemon.queue.sync { daemon.listener.fallbackReason } == .inTheWay(paths.directory))
        try FileManager.default.removeItem(atPath: paths.directory)
        try daemon.queue.sync { try daemon.listener.checkSocket() }
        #expect(ControlLock.socket(paths) == paths.socket)
        try call(paths.socket, paths.home)
        #expect(!isThere(told))
    }

    @Test("is removed only by the daemon that created it")
    func others() throws {
        let first = try daemon()
        try FileManager.default.removeItem(atPath: first.paths.directory)
        let second = try daemon()
        #expect(first.paths.socket == second.paths.socket)
        // The place is taken: the first one goes to its home.
        try first.queue.sync { try first.listener.checkSocket() }
        try call(second.paths.socket, second.paths.home)
        try call(first.paths.home + "/control.sock", first.paths.home)
        first.listener.stop()
        first.queue.sync {}
        try call(second.paths.socket, second.paths.home)
    }

    @Test("that was replaced stays when the earlier daemon stops")
    func replaced() throws {
        let first = try daemon()
        try FileManager.default.removeItem(atPath: first.paths.directory)
        let second = try daemon()
        first.listener.stop()
        first.queue.sync {}
        try call(second.paths.socket, second.paths.home)
    }

    @Test("of another home refuses the call that came with the negotiation, and names its home")
    func otherHome() throws {
        let (first, second) = (try daemon(), try daemon())
        #expect(ControlLock.socket(second.paths) == second.paths.home + "/control.sock")
        let error = #expect(throws: ControlError.self) {
            try ControlClient(
                path: first.paths.socket,
                client: "tests",
                home: second.paths.home,
                first: .sessions,
                NoParameters()
            )
        }
        let homes = (first.paths.home, second.paths.home)
        let text = "the daemon at this socket uses the state directory \(homes.0), not \(homes.1)"
        #expect(error == ControlError(.noDaemon, text))
        try call(second.paths.home + "/control.sock", second.paths.home)
    }

    @Test("accepts the home by any of its paths")
    func names() throws {
        let daemon = try daemon()
        let link = runtime.path + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: daemon.home.path
        )
        try call(daemon.paths.socket, link + "/scoresync")
    }

    @Test("stays where it is when only the lock file is gone")
    func lockGone() throws {
        let daemon = try TestDaemon()
        try FileManager.default.removeItem(atPath: daemon.paths.lock)
        try daemon.queue.sync { try daemon.listener.checkSocket() }
        try call(daemon.paths.socket, daemon.paths.home)
    }

    @Test("is not created in a home that was replaced")
    func replacedHome() throws {
        let daemon = try TestDaemon()
        try FileManager.default.moveItem(atPath: daemon.home.path, toPath: runtime.path + "/old")
        try FileManager.default.createDirectory(
            atPath: daemon.home.path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        #expect(throws: ControlSocketError.homeReplaced(daemon.home.path)) {
            try daemon.queue.sync { try daemon.listener.checkSocket() }
        }
        #expect(!isThere(daemon.paths.socket))
    }
}
