import ControlSocket
import SessionCRDT
import SyncProtocol

/// The checks of `doctor`, in the order in which they are printed.
///
/// Findings are computed from facts alone, so that a test can provoke each of them.
struct Diagnostics {
    let facts: MachineFacts
    let now: Int64

    /// The free bytes below which a disk is a problem, and below which it is a warning.
    static let (problemBytes, warningBytes): (Int64, Int64) = (16 << 20, 200 << 20)
    /// The commands that replace the running daemon by the installed one.
    static let restart = ["scorectl daemon restart"]
    /// The TCP ports on which laptops listen for each other, as text.
    static let range = "\(Ports.listening.lowerBound)–\(Ports.listening.upperBound)"

    /// The checks of this machine, which need no network.
    var machine: [Finding] { [home, disk] + store + [socket, daemon, version].compactMap(\.self) }

    /// The checks of the network and the other laptops.
    var network: [Finding] {
        guard let diagnosis = facts.diagnosis else { return ports + firewalls(hasEcho: nil) }
        let found =
            sessions(diagnosis) + [port(diagnosis)] + announcing(diagnosis) + host(diagnosis)
            + firewalls(hasEcho: hasEcho(diagnosis)) + peers(diagnosis) + clocks(diagnosis)
        // An alarm that another finding already names as its cause is not repeated.
        let causes = Set((machine + found).compactMap(\.cause))
        return found + diagnosis.alarms.filter { !causes.contains($0.text) }.map(finding)
    }

    // MARK: Where scores are stored

    private var home: Finding {
        let path = facts.paths.home
        return switch facts.home {
        case .private: .ok(.home, "\(path) exists, private (0700)")
        case .missing: .ok(.home, "\(path) does not exist yet: the first command creates it")
        case .wrong(let error):
            .problem(.home, "the state directory cannot be used").because("\(error)")
                .fix("make it a directory that you own and that no one else can enter")
                .run(Self.commands(for: error))
        }
    }

    private var disk: Finding {
        let path = facts.paths.home
        let df = "df -h \(ShellWord.quoted(path))"
        if let reason = facts.diagnosis?.refusedWrite ?? facts.writeFailure {
            return .problem(.disk, "scores cannot be saved").because(reason)
                .fix("free some space, and check that you own \(path) and everything in it")
                .run([df, "ls -la \(ShellWord.quoted(path))"])
        }
        guard let bytes = facts.freeBytes else { return .ok(.disk, "nothing is on the disk yet") }
        let free = Self.rounded(bytes)
        guard bytes < Self.warningBytes else { return .ok(.disk, "writable, \(free) free") }
        let state = bytes < Self.problemBytes ? Finding.State.problem : .warning
        return Finding(id: .disk, state: state, text: "the disk is nearly full")
            .because("\(free) free on the disk of \(path)").fix("free some space on that disk")
            .run([df])
    }

    private var store: [Finding] {
        // A running daemon reports damage in an alarm, which says what was lost.
        let aside = facts.diagnosis == nil ? facts.setAside : []
        return [database(at: facts.paths.home + "/scoresync.db")]
            + aside.map { damaged($0, "it was rebuilt from what could be read; the file is \($0)") }
    }

    /// Returns the finding about a damaged database that was set aside.
    private func damaged(_ file: String, _ cause: String) -> Finding {
        .warning(.store, "the database was damaged and was rebuilt", of: file).because(cause)
            .fix("check that your scores are there, then delete the damaged file")
            .run(["scorectl history"])
    }

    private func database(at path: String) -> Finding {
        switch facts.store {
        case .missing: return .ok(.store, "nothing is stored yet")
        case .empty: return .ok(.store, "\(path) is still empty")
        case .own(let schema) where schema <= StoreHeader.knownSchema:
            return .ok(.store, "\(path) exists, schema version supported")
        case .own(let schema):
            return .problem(.store, "the database is newer than this version of ScoreSync")
                .because(
                    "\(path) was written by a later version: its schema is \(schema), this "
                        + "version knows up to \(StoreHeader.knownSchema)"
                )
                .fix("install the latest version on this laptop")
        case .foreign(let id):
            return .problem(.store, "not a ScoreSync database")
                .because("\(path) is a database of another program (application id \(id))")
                .fix("move it away").run([Self.moveAway(path)])
        case .damaged:
            let stop = facts.diagnosis == nil ? [] : ["scorectl daemon stop"]
            return .problem(.store, "the database is damaged")
                .because("\(path) has no database header")
                .fix(
                    "restart the daemon: it rebuilds the database from what can be read, and "
                        + "gets the rest from the other laptops"
                )
                .run(stop + ["scorectl daemon start"])
        }
    }

    // MARK: The daemon

    private var socket: Finding? {
        let path = facts.paths.socket
        if case .answered(_, let address) = facts.daemon {
            guard address != path else { return .ok(.socket, "\(path) answers") }
            let usual =
                "the daemon was started with another XDG_RUNTIME_DIR, or the daemon of another "
                + "home is there; it answers at \(address)"
            return .warning(.socket, "the control socket is not at its usual path")
                .because(facts.socketError.map { "\($0)" } ?? usual)
                .fix("nothing to do: scorectl finds it by the lock of its home")
        }
        return facts.socketError.map { error in
            .problem(.socket, "the control socket cannot be used").because("\(error)")
                .fix("make sure that the path is free and yours, or choose another --home")
                .run(Self.commands(for: error))
        }
    }

    private var daemon: Finding {
        let lock = facts.paths.lock
        switch facts.daemon {
        case .answered(let diagnosis, _):
            return .ok(.daemon, "running as \(diagnosis.daemon.name), pid \(diagnosis.daemon.pid)")
        case .none:
            let text = "no daemon is running, so nothing is sent or received"
            let finding = facts.startFailure.map { failure in
                Finding.problem(.daemon, text).because("the last one could not start: \(failure)")
            }
            let stopped = "it was stopped, or no command was given since this laptop started"
            return (finding ?? .warning(.daemon, text).because(stopped))
                .fix("any other command starts it; doctor changes nothing")
                .run(["scorectl daemon start"])
        case .silent(let process?):
            return .problem(.daemon, "the daemon (pid \(process)) is running but does not answer")
                .because("it holds \(lock) and accepts no connections: it is suspended, or hangs")
                .fix("end it, and start another one").run(["kill -CONT \(process)"] + Self.restart)
        case .silent(nil):
            return .problem(.daemon, "another process holds the daemon's lock and does not answer")
                .because(
                    "\(lock) is locked by a process that this user cannot see: one in a "
                        + "container, or on another machine that shares the directory"
                )
                .fix("end the daemon there: a home is for one machine")
        case .otherVersion(let text), .refused(let text):
            return .problem(.daemon, "a daemon is running but cannot be queried").because(text)
                .fix("stop it, and start the installed one").run(Self.restart)
        }
    }

    private var version: Finding? {
        guard let program = facts.program else {
            return .problem(.version, "scoresyncd is not installed")
                .because("scoresyncd is neither next to scorectl nor in PATH")
                .fix("install both programs into one directory")
        }
        if case .otherVersion(let text) = facts.daemon {
            return .problem(.version, "the daemon and scorectl have different versions")
                .because(text).fix("restart the daemon").run(Self.restart)
        }
        let own = Versions.program
        guard let diagnosis = facts.diagnosis else {
            return .ok(.version, "scorectl is \(own), scoresyncd is at \(program)")
        }
        let running = diagnosis.daemon.version
        let isReplaced = diagnosis.program.replaced
        guard running != own || isReplaced else {
            return .ok(.version, "the daemon and scorectl are both \(own)")
        }
        return .warning(.version, "the running daemon is not the installed one")
            .because(
                running != own
                    ? "the running daemon is \(running), this scorectl \(own)"
                    : "\(diagnosis.program.path ?? program) was updated after the daemon was started"
            )
            .fix("restart it").run(Self.restart)
    }

    private var ports: [Finding] {
        guard case .none = facts.daemon, let free = facts.freePorts else { return [] }
        guard free == 0 else { return [.ok(.port, "\(free) ports for other laptops are free")] }
        return [noPort("other programs use TCP \(Self.range)")]
    }

    func noPort(_ cause: String) -> Finding {
        .problem(.port, "no other laptop can call this one").because(cause)
            .fix("find the programs that use the ports, and end those that you do not need")
            .run(["ss -ltnp | grep 476", "scorectl daemon logs"])
    }

    // MARK: Alarms

    private func finding(_ alarm: Alarm) -> Finding {
        switch alarm.kind {
        case "cloned-home":
            let moving = Self.moveAway(facts.paths.home)
            return .problem(.clone, "two daemons use the same home").because(alarm.text)
                .fix(
                    "on one of the two laptops of that name, and on no other: stop the daemon, move "
                        + "its home away, join"
                )
                .run(["scorectl daemon stop", moving, "scorectl join"])
        case "storage":
            if let file = facts.setAside.first(where: alarm.text.contains) {
                return damaged(file, alarm.text)
            }
            return .problem(.store, "the daemon has trouble with its database").because(alarm.text)
                .fix("read what it logged").run(["scorectl daemon logs"])
        case "version":
            return .problem(.version, "another laptop has another version").because(alarm.text)
                .fix("install the same version on both")
        default:
            return .warning(.alarm, "status reports an alarm", of: alarm.kind)
                .because(alarm.text).fix("see the status").run(["scorectl status"])
        }
    }

    // MARK: Commands and numbers

    /// Returns the commands that repair a directory; nil if the user must decide.
    private static func commands(for error: ControlSocketError) -> [String]? {
        switch error {
        case .openDirectory(let path, _): ["chmod 700 \(ShellWord.quoted(path))"]
        case .foreignDirectory(let path, _): ["ls -ld \(ShellWord.quoted(path))"]
        case .inTheWay(let path): [moveAway(path)]
        case .alreadyRunning, .homeReplaced, .pathTooLong, .system: nil
        }
    }

    private static func moveAway(_ path: String) -> String {
        "mv -n \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".aside"))"
    }

    /// Returns a size in the largest whole unit, rounded down.
    private static func rounded(_ bytes: Int64) -> String {
        let units: [(String, Int64)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        let unit = units.first { bytes >= $0.1 }
        return unit.map { "\(bytes / $0.1) \($0.0)" } ?? "\(bytes) bytes"
    }
}
