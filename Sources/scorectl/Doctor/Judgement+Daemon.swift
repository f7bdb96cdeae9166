import ControlSocket
import SyncProtocol

/// The daemon of this machine, and the way to it.
extension Judgement {
    /// What makes a daemon of the installed version run.
    static let restart = ["scorectl daemon restart"]

    var socket: Finding? {
        let path = facts.paths.socket
        if case .told(_, let place) = facts.daemon {
            guard place != path else { return .fine(.socket, "\(path) answers") }
            return Finding(
                id: .socket,
                state: .warning,
                text: "the control socket is not in its usual place",
                cause: socketTrouble.map { "\($0)" }
                    ?? "the daemon was started from a session with another XDG_RUNTIME_DIR, or "
                    + "another home's daemon is there; it is called at \(place)",
                cure: "nothing need be done: scorectl finds it by the lock of its home"
            )
        }
        guard let trouble = socketTrouble else { return nil }
        return Finding(
            id: .socket,
            state: .problem,
            text: "the control socket cannot be used",
            cause: "\(trouble)",
            cure: "see that the place is yours alone and free, or choose another --home",
            commands: Self.commands(for: trouble)
        )
    }

    private var socketTrouble: ControlSocketError? {
        let path = facts.paths.socket
        switch facts.socket {
        case .tooLong: return .pathTooLong(path)
        case .inTheWay: return .inTheWay(path)
        case .foreign(let owner): return .foreignDirectory(path, owner: owner)
        case .socket, .missing: break
        }
        if case .wrong(let error) = facts.socketDirectory, facts.paths.directory != facts.paths.home
        {
            return error
        }
        return nil
    }

    var daemon: Finding {
        switch facts.daemon {
        case .told(let diagnosis, _):
            let daemon = diagnosis.daemon
            return .fine(.daemon, "it runs as \(daemon.name): pid \(daemon.pid)")
        case .none:
            return Finding(
                id: .daemon,
                state: facts.lastWords == nil ? .warning : .problem,
                text: "no daemon runs, so nothing is sent or received",
                cause: facts.lastWords.map { "the last one could not start: \($0)" }
                    ?? "it was stopped, or nothing has been done since this laptop started",
                cure: "any other command starts it; doctor does not, for it changes nothing",
                commands: ["scorectl daemon start"]
            )
        case .silent(let process?):
            return Finding(
                id: .daemon,
                state: .problem,
                text: "the daemon (pid \(process)) runs and does not answer",
                cause:
                    "it holds \(facts.paths.homeLock) and takes no call: it is stopped, or hangs",
                cure: "end it, and start another one",
                commands: ["kill -CONT \(process)"] + Self.restart
            )
        case .silent(nil):
            return Finding(
                id: .daemon,
                state: .problem,
                text: "something holds the lock of the daemon and does not answer",
                cause: "\(facts.paths.homeLock) is locked by a process that this user cannot see: "
                    + "one in a container, or on another machine that shares the directory",
                cure: "end the daemon there: a home is for one machine"
            )
        case .otherVersion(let text), .refused(let text):
            return Finding(
                id: .daemon,
                state: .problem,
                text: "a daemon runs, but cannot be asked",
                cause: text,
                cure: "stop it, and start the one that is installed",
                commands: Self.restart
            )
        }
    }

    var version: Finding? {
        guard let program = facts.program else {
            return Finding(
                id: .version,
                state: .problem,
                text: "scoresyncd is not installed",
                cause: "scoresyncd is neither beside scorectl nor in PATH",
                cure: "install both programs into one directory"
            )
        }
        if case .otherVersion(let text) = facts.daemon {
            return Finding(
                id: .version,
                state: .problem,
                text: "daemon and command line are of different versions",
                cause: text,
                cure: "start the daemon anew",
                commands: Self.restart
            )
        }
        let own = Versions.program
        guard let diagnosis = facts.diagnosis else {
            return .fine(.version, "scorectl is \(own), scoresyncd is at \(program)")
        }
        let running = diagnosis.daemon.version
        if running != own {
            return stale("the daemon that runs is \(running), this scorectl \(own)")
        }
        if diagnosis.program.replaced {
            let path = diagnosis.program.path ?? program
            return stale("\(path) was replaced since the daemon was started: an update")
        }
        return .fine(.version, "daemon and command line are both \(own)")
    }

    private func stale(_ cause: String) -> Finding {
        Finding(
            id: .version,
            state: .warning,
            text: "the daemon that runs is not the one that is installed",
            cause: cause,
            cure: "start it anew",
            commands: Self.restart
        )
    }

    /// The ports that a daemon would listen on, while none runs.
    var ports: [Finding] {
        guard case .none = facts.daemon, let free = facts.freePorts else { return [] }
        guard free == 0 else { return [.fine(.port, "\(free) ports for other laptops are free")] }
        return [takenPorts("other programs have TCP \(Self.range)")]
    }

    static let range = "\(Ports.listening.lowerBound)–\(Ports.listening.upperBound)"

    func takenPorts(_ cause: String) -> Finding {
        Finding(
            id: .port,
            state: .problem,
            text: "no other laptop can call this one",
            cause: cause,
            cure: "see which programs have the ports, and end those that you need no more",
            commands: ["ss -ltnp | grep 476", "scorectl daemon logs"]
        )
    }
}
