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
