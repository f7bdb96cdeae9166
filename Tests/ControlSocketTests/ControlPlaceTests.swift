import CPlatform
import ControlSocket
import Dispatch
import FoundationEssentials
import QueueKit
import SyncProtocol
import Synchronization
import Testing

@Suite("The place of the control socket")
struct ControlPlaceTests {
    private let thread = QueueThread()

    private func paths(
        chosen: String? = nil,
        _ variables: [String: String],
        runtime: Bool = false
    ) throws -> ControlPaths {
        try ControlPaths(
            chosen: chosen,
            in: ControlPaths.Environment(
                variable: { variables[$0] },
                currentDirectory: "/now",
                userID: 7,
                isPrivateDirectory: { runtime && $0 == "/run/user/7" }
            )
        )
    }

    @Test("is in the chosen home")
    func chosen() throws {
        let variables = [
            "HOME": "/h", "SCORESYNC_HOME": "/s/", "XDG_RUNTIME_DIR": "/r", "XDG_STATE_HOME": "/x",
        ]
        #expect(try paths(chosen: "/a", variables).socket == "/a/control.sock")
        #expect(try paths(chosen: "b/c", variables).socket == "/now/b/c/control.sock")
        #expect(try paths(variables).socket == "/s/control.sock")
        #expect(try paths(variables).lock == "/s/daemon.lock")
        #expect(throws: ControlError.self) { try paths(chosen: "", variables) }
    }

    @Test("follows the XDG variables")
    func standard() throws {
        let all = ["HOME": "/h", "XDG_RUNTIME_DIR": "/r", "XDG_STATE_HOME": "/x"]
        #expect(try paths(all).home == "/x/scoresync")
        #expect(try paths(all).socket == "/r/scoresync/control.sock")
        #expect(try paths(all).lock == "/x/scoresync/daemon.lock")
        #expect(try paths(all).log == "/x/scoresync/daemon.log")
        let home = ["HOME": "/h", "XDG_RUNTIME_DIR": "relative", "SCORESYNC_HOME": ""]
        #expect(try paths(home).home == "/h/.local/state/scoresync")
        #expect(try paths(home).socket == "/h/.local/state/scoresync/control.sock")
        #expect(try paths(home, runtime: true).socket == "/run/user/7/scoresync/control.sock")
        #expect(throws: ControlError.self) { try paths([:]) }
    }

    @Test("is closed to other users: directory 0700, socket and lock 0600")
    func modes() throws {
        let outer = try TemporaryHome()
        let paths = try ControlPaths(
            chosen: outer.path + "/deep/er",
            in: ControlPaths.Environment(
                variable: { _ in nil },
                currentDirectory: "/",
                userID: 0,
                isPrivateDirectory: { _ in false }
            )
        )
        let lock = try ControlLock(paths)
        let listener = try ControlListener(
            paths: paths,
            lock: lock,
            queue: thread.queue,
            router: ControlRouter()
        )
        defer { listener.stop() }
        var file = platform_file()
        for (path, mode) in [
            (outer.path + "/deep", 0o700), (paths.home, 0o700), (paths.socket, 0o600),
            (paths.lock, 0o600),
        ] {
            #expect(platform_file_status(path, &file) == 0)
            #expect(file.mode == UInt32(mode), "\(path)")
        }
    }

    @Test("is refused in a directory that others may enter", arguments: [0o755, 0o710, 0o701])
    func openDirectory(mode: Int) throws {
        let home = try TemporaryHome(mode: mode)
        try Data("keys".utf8).write(to: URL(filePath: home.path + "/keys"))
        #expect(throws: ControlSocketError.openDirectory(home.path, mode: UInt32(mode))) {
            try ControlLock(home.paths)
        }
        var file = platform_file()
        #expect(platform_file_status(home.path, &file) == 0 && file.mode == UInt32(mode))
    }

    @Test("makes an empty directory of the user private that others may enter")
    func emptyDirectory() throws {
        let home = try TemporaryHome(mode: 0o755)
        _ = try ControlLock(home.paths)
        var file = platform_file()
        #expect(platform_file_status(home.path, &file) == 0 && file.mode == 0o700)
    }

    @Test("is not in an empty directory of another user", .enabled(if: platform_own_user() == 0))
    func foreignDirectory() throws {
        let home = try TemporaryHome(mode: 0o755)
        let owner: [FileAttributeKey: Any] = [.ownerAccountID: 65_534]
        try FileManager.default.setAttributes(owner, ofItemAtPath: home.path)
        #expect(throws: ControlSocketError.foreignDirectory(home.path, owner: 65_534)) {
            try ControlLock(home.paths)
        }
        var file = platform_file()
        #expect(platform_file_status(home.path, &file) == 0 && file.mode == 0o755)
    }

    #if os(Linux)
    @Test("is refused with the directory that cannot be created, and why")
    func unwritable() throws {
        // A place where no one may create a directory, not even root.
        let path = "/sys/scoresync-\(platform_own_process())"
        let error = #expect(throws: ControlSocketError.self) {
            try PrivateDirectory.prepare(path + "/.local/state/scoresync")
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("cannot create the directory \(path): "), "\(text)")
        #expect(!text.contains("No such file"), "\(text)")
    }
    #endif

    @Test("describes system errors, known or unknown")
    func errorText() {
        let known = ControlSocketError.system("see", code: 13)
        #expect("\(known)" == "cannot see: Permission denied (errno 13)")
        let unknown = ControlSocketError.system("see", code: 99_999)
        #expect("\(unknown)".contains("99999 (errno 99999)"))
    }

    @Test("is rejected through a symbolic link, and if a file is in its place")
    func link() throws {
        let home = try TemporaryHome()
        let path = home.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.path)
        #expect(throws: ControlSocketError.inTheWay(path)) { try PrivateDirectory.prepare(path) }
    }

    @Test("belongs to one daemon at a time, and a second one gets its process id")
    func locked() throws {
        let home = try TemporaryHome()
        let paths = try home.paths
        let error = ControlSocketError.alreadyRunning(
            process: platform_own_process()
        )
        do {
            let lock = try ControlLock(paths)
            #expect(throws: error) { try ControlLock(paths) }
            withExtendedLifetime(lock) {}
        }
        // Free again, and the file is still there.
        let file = FileManager.default.fileExists(atPath: paths.lock)
        #expect(file)
        _ = try ControlLock(paths)
        #expect("\(error)" == "another daemon (pid \(platform_own_process())) is running here")
    }

    @Test("can be locked while another process checks whether a daemon is running")
    func inspected() throws {
        let home = try TemporaryHome()
        let paths = try home.paths
        let isOver = Atomic(false)
        let looking = DispatchGroup()
        DispatchQueue(label: "somebody who looks").async(group: looking) {
            while !isOver.load(ordering: .relaxed) { _ = ControlLock.isHeld(paths) }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            looking.wait()
        }
        for _ in 0..<200 { _ = try ControlLock(paths) }
    }

    @Test("is taken over from a daemon that was killed")
    func stale() throws {
        let home = try TemporaryHome()
        let paths = try home.paths
        let left = platform_unix_socket()
        #expect(platform_unix_bind(left, paths.socket) == 0)
        platform_close(left)
        let none = #expect(throws: ControlError.self) {
            try ControlClient(path: paths.socket, client: "tests")
        }
        #expect(none?.kind == .noDaemon)
        let listener = try ControlListener(
            paths: paths,
            lock: ControlLock(paths),
            queue: thread.queue,
            router: ControlRouter()
        )
        listener.start()
        _ = try ControlClient(path: paths.socket, client: "tests")
        listener.stop()
        thread.queue.sync {}
    }

    @Test("does not replace a file that is not a socket")
    func inTheWay() throws {
        let home = try TemporaryHome()
        let paths = try home.paths
        try Data("mine".utf8).write(to: URL(filePath: paths.socket))
        #expect(throws: ControlSocketError.inTheWay(paths.socket)) {
            try ControlListener(
                paths: paths,
                lock: ControlLock(paths),
                queue: thread.queue,
                router: ControlRouter()
            )
        }
    }

    /// The paths of a home in which the path of the socket has that many bytes.
    private func paths(in home: TemporaryHome, socketBytes: Int) throws -> ControlPaths {
        let rest = socketBytes - home.path.utf8.count - "//control.sock".utf8.count
        return try paths(chosen: home.path + "/" + String(repeating: "d", count: rest), [:])
    }

    private func listen(at paths: ControlPaths) throws -> ControlListener {
        try ControlListener(
            paths: paths,
            lock: ControlLock(paths),
            queue: thread.queue,
            router: ControlRouter()
        )
    }

    @Test("is in a private directory of its home if a path of more than 103 bytes would be needed")
    func pathLength() throws {
        let home = try TemporaryHome()
        let short = try paths(in: home, socketBytes: 103)
        #expect(short.socket == short.home + "/control.sock")
        try listen(at: short).stop()
        let long = try paths(in: home, socketBytes: 104)
        defer { try? FileManager.default.removeItem(atPath: long.directory) }
        #expect(long.directory.hasPrefix("/tmp/scoresync-7-"))
        #expect(try paths(in: home, socketBytes: 105).directory != long.directory)
        let listener = try listen(at: long)
        listener.start()
        _ = try ControlClient(path: long.socket, client: "tests", home: long.home)
        #expect(ControlLock.socket(long) == long.socket)
        var file = platform_file()
        #expect(platform_file_status(long.directory, &file) == 0 && file.mode == 0o700)
        listener.stop()
        thread.queue.sync {}
        let variables = ["XDG_RUNTIME_DIR": "/run/user/7"]
        let runtime = try paths(chosen: long.home, variables, runtime: true)
        #expect(runtime.directory == "/run/user/7/scoresync-" + long.directory.suffix(16))
    }

    @Test("is not in a short directory that is a link, belongs to others or is open to them")
    func shortDirectory() throws {
        let home = try TemporaryHome()
        let paths = try paths(in: home, socketBytes: 150)
        let files = FileManager.default
        defer { try? files.removeItem(atPath: paths.directory) }
        try files.createSymbolicLink(atPath: paths.directory, withDestinationPath: home.path)
        #expect(throws: ControlSocketError.inTheWay(paths.directory)) { try listen(at: paths) }
        try files.removeItem(atPath: paths.directory)
        try files.createDirectory(
            atPath: paths.directory + "/theirs",
            withIntermediateDirectories: true
        )
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: paths.directory)
        #expect(throws: ControlSocketError.openDirectory(paths.directory, mode: 0o755)) {
            try listen(at: paths)
        }
        // Nor is a lock there believed.
        let lock = platform_lock_file(paths.directory + "/daemon.lock")
        defer { platform_close(lock) }
        #expect(!ControlLock.isHeld(paths))
        guard platform_own_user() == 0 else { return }
        let foreign: [FileAttributeKey: Any] = [.ownerAccountID: 65_534, .posixPermissions: 0o700]
        try files.setAttributes(foreign, ofItemAtPath: paths.directory)
        #expect(throws: ControlSocketError.foreignDirectory(paths.directory, owner: 65_534)) {
            try listen(at: paths)
        }
        #expect(!ControlLock.isHeld(paths))
    }
}
