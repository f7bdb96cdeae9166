import CPlatform
import ControlSocket
import SyncProtocol

/// What can be seen of this machine without its daemon's help, and how the daemon answers.
struct MachineFacts: Sendable {
    /// Where everything should be.
    var paths: ControlPaths
    /// The state directory.
    var home = Directory.private
    /// The disk that it is on; nil where that cannot be asked.
    var disk: Disk?
    /// The database of scores.
    var store = StoreHeader.missing
    /// Why the database cannot be written by this user; nil where it can.
    var storeRefusal: String?
    /// The damaged databases that stand beside it, by path.
    var setAside: [String] = []
    /// What stands in the place of the control socket.
    var socket = SocketFile.socket
    /// The directory of the control socket.
    var socketDirectory = Directory.private
    /// How the daemon answers.
    var daemon: Daemon
    /// The last words of a daemon that could not start.
    var lastWords: String?
    /// The `scoresyncd` that `scorectl` would start; nil where there is none.
    var program: String?
    /// How many of the ports for other laptops are free; nil while a daemon runs.
    var freePorts: Int?
    /// The firewalls of this machine.
    var firewalls: [Firewall] = []

    /// A directory that only its owner may enter.
    enum Directory: Hashable, Sendable {
        /// It is as it should be.
        case `private`
        /// It does not exist.
        case missing
        /// It is not as it should be.
        case wrong(ControlSocketError)
    }

    /// What a disk says.
    struct Disk: Hashable, Sendable {
        /// The bytes that can still be written.
        var freeBytes: Int64
        /// Why nothing can be written; nil where it can.
        var refusal: String?
    }

    /// What stands in the place of a socket.
    enum SocketFile: Hashable, Sendable {
        /// A socket of this user.
        case socket
        /// Nothing.
        case missing
        /// A socket of another user.
        case foreign(owner: UInt32)
        /// Something else.
        case inTheWay
        /// The path is too long for one.
        case tooLong
    }

    /// How the daemon answers.
    enum Daemon: Sendable {
        /// None runs.
        case none
        /// It told what it knows; `socket` is where it was called.
        case told(Diagnosis, socket: String)
        /// It runs and does not answer; `nil`: the system does not say which process it is.
        case silent(process: Int32?)
        /// It speaks another version.
        case otherVersion(String)
        /// It refused.
        case refused(String)
    }

    /// What the daemon told, if it did.
    var diagnosis: Diagnosis? {
        if case .told(let diagnosis, _) = daemon { diagnosis } else { nil }
    }
}

/// Looks at this machine, without changing anything: nothing is started, made or mended.
///
/// Each look has a bound, so that the whole ends within some seconds whatever hangs.
struct MachineSurvey {
    let paths: ControlPaths
    private static let greetingMilliseconds = 1500
    /// The daemon itself takes up to a second: its announcement, its calls, its disk.
    private static let answerMilliseconds = 2500
    private static let silenceMilliseconds: Int64 = 1000
    /// How many damaged databases are looked for.
    private static let mostAside = 32
    private static let fileBytes = 64 << 10

    /// What is seen.
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
        facts.setAside = Self.setAside(beside: database)
        facts.program = InstalledProgram("scoresyncd")?.path
        if case .none = daemon {
            facts.freePorts = Ports.listening.count(where: Self.isFree)
            facts.lastWords = lastWords
        }
        facts.firewalls = Self.firewalls
        return facts
    }

    // MARK: The daemon

    private func daemon() -> MachineFacts.Daemon {
        if let answer = answer() { return answer }
        guard ControlLock.isHeld(paths) else { return .none }
        let process = DaemonProcess(holding: paths)
        // It makes its socket anew if that is gone.
        process?.lookAfterSocket()
        let end = platform_steady_milliseconds() + Self.silenceMilliseconds
        while platform_steady_milliseconds() < end {
            _ = platform_wait(-1, false, -1, 20)
            if let answer = answer() { return answer }
            if !ControlLock.isHeld(paths) { return .none }
        }
        return .silent(process: process?.id)
    }

    /// What a daemon answers where it should be called, or where its lock says; nil where none
    /// listens.
    private func answer() -> MachineFacts.Daemon? {
        let told = ControlLock.socket(paths)
        let places = [paths.socket] + (told == paths.socket ? [] : [told].compactMap(\.self))
        for place in places {
            do throws(ControlError) {
                let client = try ControlClient(
                    path: place,
                    client: "scorectl " + Versions.program,
                    home: paths.home,
                    timeoutMilliseconds: Self.greetingMilliseconds
                )
                let limit = Self.answerMilliseconds
                return .told(
                    try client.call(.diagnosis, timeoutMilliseconds: limit),
                    socket: place
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

    /// What every other command says of a daemon of another version.
    private var mismatch: String? {
        do throws(ControlError) {
            _ = try Invocation.client(paths)
            return nil
        } catch { return error.text }
    }

    /// Why the last daemon could not start, where that is the last that its log says.
    private var lastWords: String? {
        let mark = "scoresyncd: "
        guard let line = DaemonLog(paths.log).tail(lines: 1)?.last, line.hasPrefix(mark) else {
            return nil
        }
        return String(line.dropFirst(mark.count))
    }

    // MARK: Files

    private static func directory(_ path: String) -> MachineFacts.Directory {
        var file = platform_file()
        guard platform_file_status(path, &file) != -ENOENT else { return .missing }
        do throws(ControlSocketError) { try PrivateDirectory.check(path) } catch {
            return .wrong(error)
        }
        return .private
    }

    private static func socket(at path: String) -> MachineFacts.SocketFile {
        guard path.utf8.count <= ControlLimits.pathBytes else { return .tooLong }
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return .missing }
        guard file.is_socket else { return .inTheWay }
        return file.owner == platform_own_user() ? .socket : .foreign(owner: file.owner)
    }

    private static func disk(of path: String) -> MachineFacts.Disk? {
        var disk = platform_disk()
        guard platform_disk_status(path, &disk) == 0 else { return nil }
        let reason = disk.is_read_only ? "\(path) is on a disk that can only be read" : nil
        return MachineFacts.Disk(freeBytes: disk.free_bytes, refusal: reason ?? refusal(path))
    }

    /// Why this user cannot write something; nil where that can be.
    private static func refusal(_ path: String) -> String? {
        let result = platform_may_write(path)
        guard result < 0 else { return nil }
        return "\(ControlSocketError.system("write \(path)", code: -result))"
    }

    private static func header(of path: String) -> StoreHeader {
        var file = platform_file()
        guard platform_file_status(path, &file) == 0 else { return .missing }
        var bytes = [UInt8](repeating: 0, count: StoreHeader.bytes)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        // Why it cannot be read is told with the disk.
        guard count >= 0 else { return .empty }
        return StoreHeader(Array(bytes.prefix(count)))
    }

    private static func setAside(beside database: String) -> [String] {
        (1...mostAside).map { "\(database).damaged-\($0)" }.filter { path in
            var file = platform_file()
            return platform_file_status(path, &file) == 0
        }
    }

    // MARK: The network

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = platform_tcp_socket()
        guard descriptor >= 0 else { return false }
        defer { platform_close(descriptor) }
        return platform_reuse_address(descriptor) >= 0 && platform_bind(descriptor, 0, port) >= 0
    }

    private static var firewalls: [Firewall] {
        FirewallSearch(
            read: text,
            exists: { path in
                var file = platform_file()
                return platform_file_status(path, &file) == 0
            }
        ).found
    }

    private static func text(of path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: fileBytes)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// What the first bytes of a database say (SQLite, "Database File Format", section 1.3).
///
/// They are enough to see whose it is without opening it, which would change its files.
enum StoreHeader: Hashable, Sendable {
    /// There is no file.
    case missing
    /// It is empty: a daemon made it and came no further.
    case empty
    /// It is no database, or its first page is damaged.
    case damaged
    /// It belongs to another program, by that program's id.
    case foreign(UInt32)
    /// It is ScoreSync's, with this schema.
    case own(schema: UInt32)

    /// How many bytes are looked at.
    static let bytes = 100
    /// The id of ScoreSync's databases: "ScSy".
    static let applicationID: UInt32 = 0x5363_5379
    /// The last schema that this version knows.
    static let knownSchema: UInt32 = 5

    private static let magic = Array("SQLite format 3\0".utf8)

    /// What a file begins with.
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
        // A database that is made at this moment has no id yet.
        self = id == Self.applicationID || id == 0 ? .own(schema: schema) : .foreign(id)
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
