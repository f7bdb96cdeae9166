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
            in: ControlPaths.Surroundings(
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
        #expect(try paths(variables).homeLock == "/s/daemon.lock")
        #expect(throws: ControlError.self) { try paths(chosen: "", variables) }
    }

    @Test("follows the XDG variables, and is never in a directory that all may write to")
    func standard() throws {
        let all = ["HOME": "/h", "XDG_RUNTIME_DIR": "/r", "XDG_STATE_HOME": "/x"]
        #expect(try paths(all).home == "/x/scoresync")
        #expect(try paths(all).socket == "/r/scoresync/control.sock")
        #expect(try paths(all).homeLock == "/x/scoresync/daemon.lock")
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
            in: ControlPaths.Surroundings(
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
            (paths.homeLock, 0o600),
        ] {
            #expect(platform_file_status(path, &file) == 0)
            #expect(file.mode == UInt32(mode), "\(path)")
        }
    }

    @Test("is refused in a directory that others may enter", arguments: [0o755, 0o710, 0o701])
    func openDirectory(mode: Int) throws {
        let home = try TemporaryHome(mode: mode)
        let paths = try home.paths
        #expect(throws: ControlSocketError.openDirectory(home.path, mode: UInt32(mode))) {
            try ControlLock(paths)
        }
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
        let file = FileManager.default.fileExists(atPath: paths.homeLock)
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

    @Test("has a path of at most 103 bytes, on both ends")
    func pathLength() throws {
        let home = try TemporaryHome()
        for (length, fits) in [(103, true), (104, false)] {
            let rest = length - home.path.utf8.count - "//control.sock".utf8.count
            let path = home.path + "/" + String(repeating: "d", count: rest)
            let paths = try ControlPaths(
                chosen: path,
                in: ControlPaths.Surroundings(
                    variable: { _ in nil },
                    currentDirectory: "/",
                    userID: 0,
                    isPrivateDirectory: { _ in false }
                )
            )
            #expect(paths.socket.utf8.count == length)
            let listen = {
                try ControlListener(
                    paths: paths,
                    lock: ControlLock(paths),
                    queue: thread.queue,
                    router: ControlRouter()
                )
            }
            if fits {
                try listen().stop()
            } else {
                #expect(throws: ControlSocketError.pathTooLong(paths.socket)) { try listen() }
                let error = #expect(throws: ControlError.self) {
                    try ControlClient(path: paths.socket, client: "tests")
                }
                #expect(error?.kind == .failed)
            }
        }
    }
}
