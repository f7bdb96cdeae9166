import CPlatform
import ControlSocket
import SessionCRDT
import SyncProtocol

/// The state of this machine as far as it can be seen without the daemon, and the daemon's answer.
struct MachineFacts: Sendable {
    var paths: ControlPaths
    var home = DirectoryState.private
    /// The free bytes on the disk of the home; nil if unknown.
    var freeBytes: Int64?
    var store = StoreHeader.missing
    /// The reason why this user cannot write the home or the database; nil if they can.
    var writeFailure: String?
    var setAside: [String] = []
    /// The reason why the path of the control socket cannot be used; nil if it can.
    var socketError: ControlSocketError?
    var daemon: Daemon
    /// The logged reason of a daemon that could not start.
    var startFailure: String?
    /// The `scoresyncd` that `scorectl` would start; nil if none is installed.
    var program: String?
    /// The number of free ports for other laptops; nil while a daemon is running.
    var freePorts: Int?
    var firewalls: [Firewall] = []
    var surroundings = Surroundings.plain

    /// The environment of this system.
    enum Surroundings: Hashable, Sendable {
        case plain
        /// Linux inside of Windows (WSL).
        case windows
        /// A container, which may have a network of its own.
        case container
    }

    /// A directory that only its owner may enter.
    enum DirectoryState: Hashable, Sendable {
        case `private`, missing
        case wrong(ControlSocketError)
    }

    enum Daemon: Sendable {
        case none
        case answered(Diagnosis, socket: String)
        /// The daemon is running but does not answer; the process is nil if unknown.
        case silent(process: Int32?)
        case otherVersion(String)
        case refused(String)
    }

    var diagnosis: Diagnosis? {
        if case .answered(let diagnosis, _) = daemon { diagnosis } else { nil }
    }
}

/// Collects the facts about this machine, without changing anything.
///
/// Each step has a time limit, so that the survey ends within seconds even if something hangs.
struct MachineSurvey {
    let paths: ControlPaths
    private static let greetingMilliseconds = 1500
    /// The timeout; the daemon needs up to two seconds to check announcements, dials and its disk.
    private static let answerMilliseconds = 4000
    private static let silenceMilliseconds: Int64 = 1000
    private static let maxSetAside = 32
    private static let fileBytes = 64 << 10

    func facts() -> MachineFacts {
        let daemon = daemon()
        var facts = MachineFacts(paths: paths, daemon: daemon)
        facts.home = Self.directory(paths.home)
        facts.socketError = socketError
        let database = paths.home + "/scoresync.db"
        if facts.home != .missing {
            facts.freeBytes = Self.disk(of: paths.home)?.free_bytes
            facts.store = Self.header(of: database)
            facts.writeFailure = writeFailure(database)
        }
        facts.setAside = Self.setAside(nextTo: database)
        facts.program = InstalledProgram("scoresyncd")?.path
        if case .none = daemon {
            facts.freePorts = Ports.listening.count(where: Self.isFree)
            facts.startFailure = startFailure
        }
        facts.firewalls = Self.firewalls
        facts.surroundings = Self.surroundings
        return facts
    }

    // MARK: The daemon

    private func daemon() -> MachineFacts.Daemon {
        if let answer = answer() { return answer }
        guard ControlLock.isHeld(paths) else { return .none }
        let process = WatchedProcess(holding: paths)
        // A daemon whose socket file is gone creates it again.
        process?.requestSocketCheck()
        let deadline = platform_steady_milliseconds() + Self.silenceMilliseconds
        while platform_steady_milliseconds() < deadline {
            _ = platform_wait(-1, false, -1, 20)
            if let answer = answer() { return answer }
            if !ControlLock.isHeld(paths) { return .none }
        }
        return .silent(process: process?.id)
    }

    /// Requests the diagnosis at the usual socket, or at the one that the daemon's lock names; nil
    /// if no daemon listens.
    private func answer() -> MachineFacts.Daemon? {
        let locked = ControlLock.socket(paths)
        let sockets = [paths.socket] + [locked].compactMap { $0 == paths.socket ? nil : $0 }
        for socket in sockets {
            do throws(ControlError) {
                let client = try ControlClient(
                    path: socket,
                    client: "scorectl " + Versions.program,
                    home: paths.home,
                    timeoutMilliseconds: Self.greetingMilliseconds
                )
                let limit = Self.answerMilliseconds
                return .answered(
                    try client.call(.diagnosis, timeoutMilliseconds: limit),
                    socket: socket
                )
            } catch {
                if let answer = answer(after: error) { return answer }
            }
        }
        return nil
    }

    private func answer(after error: ControlError) -> MachineFacts.Daemon? {
        switch error.kind {
        case .noDaemon, .lost, .failed: nil
        case .timedOut: .silent(process: WatchedProcess(holding: paths)?.id)
        case .versionMismatch, .usage: .otherVersion(mismatch ?? error.text)
        case .notFound, .refused, .wrongCode: .refused(error.text)
        }
    }

    /// The message about a daemon of another version that every other command prints.
    private var mismatch: String? {
        do throws(ControlError) {
            _ = try Invocation.client(paths)
            return nil
        } catch { return error.text }
    }

    /// The reason why the last daemon could not start, if it is the last line of the log.
    private var startFailure: String? {
        let prefix = "scoresyncd: "
        let line = DaemonLog(path: paths.latestLog).tail(lines: 1)?.last
        guard let line, line.hasPrefix(prefix) else { return nil }
        return String(line.dropFirst(prefix.count))
    }

    // MARK: Files

    private static func directory(_ path: String) -> MachineFacts.DirectoryState {
        guard Files.status(path) != nil else { return .missing }
        do throws(ControlSocketError) { try PrivateDirectory.check(path) } catch {
            return .wrong(error)
        }
        return .private
    }

    private var socketError: ControlSocketError? {
        let path = paths.socket
        guard path.utf8.count <= ControlLimits.pathBytes else { return .pathTooLong(path) }
        if let file = Files.status(path) {
            guard file.is_socket else { return .inTheWay(path) }
            guard file.owner == platform_own_user() else {
                return .foreignDirectory(path, owner: file.owner)
            }
        }
        guard paths.directory != paths.home,
            case .wrong(let error) = Self.directory(paths.directory)
        else { return nil }
        return error
    }

    private static func disk(of path: String) -> platform_disk? {
        var disk = platform_disk()
        return platform_disk_status(path, &disk) == 0 ? disk : nil
    }

    /// Returns the reason why this user cannot write the home or the database; nil if they can.
    private func writeFailure(_ database: String) -> String? {
        let home = paths.home
        if let disk = Self.disk(of: home) {
            if disk.is_read_only { return "the disk of \(home) is read-only" }
            if let failure = Self.writeFailure(home) { return failure }
        }
        return Files.status(database).flatMap { _ in Self.writeFailure(database) }
    }

    private static func writeFailure(_ path: String) -> String? {
        do { try Files.check(platform_may_write(path), "write \(path)") } catch {
            return error.message
        }
        return nil
    }

    private static func header(of path: String) -> StoreHeader {
        guard Files.status(path) != nil else { return .missing }
        // An unreadable file is reported by the check of the disk.
        return (try? Files.read(path, atMost: StoreHeader.bytes)).map(StoreHeader.init) ?? .empty
    }

    private static func setAside(nextTo database: String) -> [String] {
        (1...maxSetAside).map { "\(database).damaged-\($0)" }.filter { Files.status($0) != nil }
    }

    // MARK: The network

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = platform_tcp_socket_at(port)
        guard descriptor >= 0 else { return false }
        platform_close(descriptor)
        return true
    }

    private static var firewalls: [Firewall] {
        FirewallSearch(read: text, exists: { Files.status($0) != nil }).found
    }

    private static func text(of path: String) -> String? {
        let bytes = try? Files.read(path, atMost: fileBytes)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private static var surroundings: MachineFacts.Surroundings {
        if text(of: "/proc/sys/kernel/osrelease")?.lowercased().contains("microsoft") == true {
            return .windows
        }
        // Written by Docker and Podman.
        let marks = ["/.dockerenv", "/run/.containerenv"]
        return marks.contains { Files.status($0) != nil } ? .container : .plain
    }
}

/// The header of a database file (SQLite, "Database File Format", section 1.3).
///
/// It identifies the database without opening it, which would change its files.
enum StoreHeader: Hashable, Sendable {
    case missing
    /// A daemon created the file but wrote nothing to it.
    case empty
    case damaged
    /// A database of another program, with its application id.
    case foreign(UInt32)
    case own(schema: UInt32)

    static let bytes = 100
    /// The application id of ScoreSync's databases: "ScSy".
    static let applicationID: UInt32 = 0x5363_5379
    static let knownSchema: UInt32 = 8

    private static let magic = Array("SQLite format 3\0".utf8)

    init(_ bytes: [UInt8]) {
        func number(at offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        if bytes.isEmpty {
            self = .empty
        } else if bytes.count < Self.bytes || !bytes.starts(with: Self.magic) {
            self = .damaged
        } else {
            let id = number(at: 68)
            // A database that is being created has no id yet.
            let isOwn = id == Self.applicationID || id == 0
            self = isOwn ? .own(schema: number(at: 60)) : .foreign(id)
        }
    }
}
