import CPlatform
import ControlSocket
import SyncProtocol

/// The state of this machine as far as it can be seen without the daemon, and the daemon's answer.
struct MachineFacts: Sendable {
    var paths: ControlPaths
    var home = Directory.private
    /// The disk of the home; nil if it cannot be asked.
    var disk: Disk?
    var store = StoreHeader.missing
    /// Why this user cannot write the database; nil if possible.
    var storeRefusal: String?
    /// The paths of damaged databases that were set aside.
    var setAside: [String] = []
    var socket = SocketFile.socket
    var socketDirectory = Directory.private
    var daemon: Daemon
    /// The logged reason of a daemon that could not start.
    var startFailure: String?
    /// The `scoresyncd` that `scorectl` would start; nil if none is installed.
    var program: String?
    /// The number of free ports for other laptops; nil while a daemon runs.
    var freePorts: Int?
    var firewalls: [Firewall] = []

    /// A directory that only its owner may enter.
    enum Directory: Hashable, Sendable {
        case `private`
        case missing
        case wrong(ControlSocketError)
    }

    struct Disk: Hashable, Sendable {
        var freeBytes: Int64
        /// Why nothing can be written; nil if possible.
        var refusal: String?
    }

    /// The file at the path of the control socket.
    enum SocketFile: Hashable, Sendable {
        /// A socket of this user.
        case socket
        case missing
        /// A socket of another user.
        case foreign(owner: UInt32)
        /// No socket.
        case inTheWay
        /// The path is too long for a socket.
        case tooLong
    }

    enum Daemon: Sendable {
        case none
        /// It sent its diagnosis on the socket at a path.
        case answered(Diagnosis, socket: String)
        /// It runs and does not answer; the process is nil if the system does not say which it is.
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
    /// The daemon needs up to a second for its announcement, its dials and its disk.
    private static let answerMilliseconds = 2500
    private static let silenceMilliseconds: Int64 = 1000
    private static let maxSetAside = 32
    private static let fileBytes = 64 << 10

    func facts() -> MachineFacts {
        let daemon = daemon()
        var facts = MachineFacts(paths: paths, daemon: daemon)
        facts.home = Self.directory(paths.home)
        facts.socketDirectory = Self.directory(paths.directory)
        facts.socket = Self.socket(at: paths.socket)
        let database = paths.home + "/scoresync.db"
        if facts.home != .missing {
            facts.disk = Self.disk(of: paths.home)
            facts.store = Self.header(of: database)
            if facts.store != .missing { facts.storeRefusal = Self.refusal(database) }
        }
        facts.setAside = Self.setAside(nextTo: database)
        facts.program = InstalledProgram("scoresyncd")?.path
        if case .none = daemon {
            facts.freePorts = Ports.listening.count(where: Self.isFree)
            facts.startFailure = startFailure
        }
        facts.firewalls = Self.firewalls
        return facts
    }

    // MARK: The daemon

    private func daemon() -> MachineFacts.Daemon {
        if let answer = answer() { return answer }
        guard ControlLock.isHeld(paths) else { return .none }
        let process = DaemonProcess(holding: paths)
        // A daemon whose socket file is gone creates it again.
        process?.requestSocketCheck()
        let end = platform_steady_milliseconds() + Self.silenceMilliseconds
        while platform_steady_milliseconds() < end {
            _ = platform_wait(-1, false, -1, 20)
            if let answer = answer() { return answer }
            if !ControlLock.isHeld(paths) { return .none }
        }
        return .silent(process: process?.id)
    }

    /// The answer of the daemon at its usual socket, or at the one that its lock names; nil if
    /// none listens.
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
        case .timedOut: .silent(process: DaemonProcess(holding: paths)?.id)
        case .versionMismatch, .usage: .otherVersion(mismatch ?? error.text)
        case .notFound, .refused, .wrongCode: .refused(error.text)
        }
    }

    /// The message of every other command about a daemon of another version.
    private var mismatch: String? {
        do throws(ControlError) {
            _ = try Invocation.client(paths)
            return nil
        } catch { return error.text }
    }

    /// Why the last daemon could not start, if that is the last line of its log.
    private var startFailure: String? {
        let prefix = "scoresyncd: "
        guard let line = DaemonLog(paths.log).tail(lines: 1)?.last, line.hasPrefix(prefix) else {
            return nil
        }
        return String(line.dropFirst(prefix.count))
    }

    // MARK: Files

    private static func directory(_ path: String) -> MachineFacts.Directory {
        guard fileStatus(path) != nil else { return .missing }
        do throws(ControlSocketError) { try PrivateDirectory.check(path) } catch {
            return .wrong(error)
        }
        return .private
    }

    private static func socket(at path: String) -> MachineFacts.SocketFile {
        guard path.utf8.count <= ControlLimits.pathBytes else { return .tooLong }
        guard let file = fileStatus(path) else { return .missing }
        guard file.is_socket else { return .inTheWay }
        return file.owner == platform_own_user() ? .socket : .foreign(owner: file.owner)
    }

    private static func disk(of path: String) -> MachineFacts.Disk? {
        var disk = platform_disk()
        guard platform_disk_status(path, &disk) == 0 else { return nil }
        let reason = disk.is_read_only ? "the disk of \(path) is read-only" : nil
        return MachineFacts.Disk(freeBytes: disk.free_bytes, refusal: reason ?? refusal(path))
    }

    /// Why this user cannot write a file; nil if possible.
    private static func refusal(_ path: String) -> String? {
        let result = platform_may_write(path)
        guard result < 0 else { return nil }
        return "\(ControlSocketError.system("write \(path)", code: -result))"
    }

    private static func header(of path: String) -> StoreHeader {
        guard fileStatus(path) != nil else { return .missing }
        var bytes = [UInt8](repeating: 0, count: StoreHeader.bytes)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        // The check of the disk reports why it cannot be read.
        guard count >= 0 else { return .empty }
        return StoreHeader(Array(bytes.prefix(count)))
    }

    private static func setAside(nextTo database: String) -> [String] {
        (1...maxSetAside).map { "\(database).damaged-\($0)" }.filter {
            fileStatus($0) != nil
        }
    }

    private static func fileStatus(_ path: String) -> platform_file? {
        var file = platform_file()
        return platform_file_status(path, &file) == 0 ? file : nil
    }

    // MARK: The network

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = platform_tcp_socket()
        guard descriptor >= 0 else { return false }
        defer { platform_close(descriptor) }
        return platform_reuse_address(descriptor) >= 0 && platform_bind(descriptor, 0, port) >= 0
    }

    private static var firewalls: [Firewall] {
        FirewallSearch(read: text, exists: { fileStatus($0) != nil }).found
    }

    private static func text(of path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: fileBytes)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// The header of a database file (SQLite, "Database File Format", section 1.3).
///
/// It identifies the database without opening it, which would change its files.
enum StoreHeader: Hashable, Sendable {
    case missing
    /// A daemon created the file and wrote nothing.
    case empty
    case damaged
    /// A database of the program with this application id.
    case foreign(UInt32)
    case own(schema: UInt32)

    /// The size of the header.
    static let bytes = 100
    /// The application id of ScoreSync's databases: "ScSy".
    static let applicationID: UInt32 = 0x5363_5379
    /// The latest schema that this version knows.
    static let knownSchema: UInt32 = 5

    private static let magic = Array("SQLite format 3\0".utf8)

    init(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        guard bytes.count >= StoreHeader.bytes, bytes.starts(with: StoreHeader.magic) else {
            self = .damaged
            return
        }
        let (id, schema) = (Self.number(bytes, at: 68), Self.number(bytes, at: 60))
        // A database that is being created has no id yet.
        self = id == Self.applicationID || id == 0 ? .own(schema: schema) : .foreign(id)
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
