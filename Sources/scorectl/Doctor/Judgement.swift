import ControlSocket
import SyncProtocol

/// Makes findings of facts: what is wrong, why, and what to do about it.
///
/// It looks at nothing itself, so that every finding can be provoked by facts alone.
struct Judgement {
    let facts: MachineFacts
    /// The wall clock, in milliseconds since 1970.
    let now: Int64

    /// The room on a disk below which nothing can be promised, and below which it is worth a word.
    static let (leastBytes, fewBytes): (Int64, Int64) = (16 << 20, 200 << 20)

    /// What is found on this machine, and needs no network.
    var machine: [Finding] { [home, disk] + store + [socket, daemon, version].compactMap(\.self) }

    /// What is found about other laptops.
    var network: [Finding] {
        guard let diagnosis = facts.diagnosis else { return ports + firewalls(hasEcho: nil) }
        let told =
            sessions(diagnosis) + [port(diagnosis)] + announcing(diagnosis)
            + firewalls(hasEcho: hasEcho(diagnosis)) + peers(diagnosis) + clocks(diagnosis)
        return told + alarms(diagnosis, besides: machine + told)
    }

    // MARK: Where scores are kept

    private var home: Finding {
        let path = facts.paths.home
        switch facts.home {
        case .private: return .fine(.home, "\(path) is there, and closed to others")
        case .missing: return .fine(.home, "\(path) does not exist yet: the first command makes it")
        case .wrong(let error):
            return Finding(
                id: .home,
                state: .problem,
                text: "the state directory cannot be used",
                cause: "\(error)",
                cure: "see that it is a directory of yours which nobody else may enter",
                commands: Self.commands(for: error)
            )
        }
    }

    private var disk: Finding {
        let path = facts.paths.home
        if let reason = facts.diagnosis?.refusedWrite ?? facts.disk?.refusal ?? facts.storeRefusal {
            return Finding(
                id: .disk,
                state: .problem,
                text: "scores cannot be saved",
                cause: reason,
                cure: "see that there is room, and that \(path) and all that is in it is yours",
                commands: [
                    "df -h \(ShellWord.quoted(path))", "ls -la \(ShellWord.quoted(path))",
                ]
            )
        }
        guard let disk = facts.disk else {
            return .fine(.disk, "there is nothing on the disk yet")
        }
        let room = Self.room(disk.freeBytes)
        guard disk.freeBytes < Self.fewBytes else {
            return .fine(.disk, "it takes what is written, with \(room) free")
        }
        return Finding(
            id: .disk,
            state: disk.freeBytes < Self.leastBytes ? .problem : .warning,
            text: "the disk is nearly full",
            cause: "\(room) is free on the disk of \(path)",
            cure: "make room on that disk",
            commands: ["df -h \(ShellWord.quoted(path))"]
        )
    }

    private var store: [Finding] {
        let path = facts.paths.home + "/scoresync.db"
        // A daemon that runs tells of them in an alarm, with what was lost.
        let aside = facts.diagnosis == nil ? facts.setAside : []
        return [store(at: path)]
            + aside.map {
                self.aside($0, "it was made anew from what could be read; the file is \($0)")
            }
    }

    /// A damaged database that stands beside the one in use.
    func aside(_ file: String, _ cause: String) -> Finding {
        Finding(
            id: .store,
            subject: file,
            state: .warning,
            text: "the database was damaged and was made anew",
            cause: cause,
            cure: "look whether your scores are there, then delete the damaged file",
            commands: ["scorectl history"]
        )
    }

    private func store(at path: String) -> Finding {
        switch facts.store {
        case .missing: return .fine(.store, "nothing has been kept yet")
        case .empty: return .fine(.store, "\(path) is empty yet")
        case .own(let schema) where schema <= StoreHeader.knownSchema:
            return .fine(.store, "\(path) is there, and of a version that is known")
        case .own(let schema):
            return Finding(
                id: .store,
                state: .problem,
                text: "the database is newer than this version of ScoreSync",
                cause: "a later version has written \(path): its schema is \(schema), this "
                    + "version knows up to \(StoreHeader.knownSchema)",
                cure: "install the latest version on this laptop"
            )
        case .foreign(let id):
            return Finding(
                id: .store,
                state: .problem,
                text: "the database is not ScoreSync's",
                cause: "\(path) is a database of another program (application id \(id))",
                cure: "move it away",
                commands: Self.moveAway(path)
            )
        case .damaged:
            let isRunning = facts.diagnosis != nil
            return Finding(
                id: .store,
                state: .problem,
                text: "the database is damaged",
                cause: "\(path) does not begin as a database does",
                cure: "the daemon makes it anew from what can be read as it starts, and the other "
                    + "laptops give back the rest",
                commands: (isRunning ? ["scorectl daemon stop"] : []) + ["scorectl daemon start"]
            )
        }
    }

    // MARK: Words

    /// What makes a directory right again; nil where that is for people to decide.
    static func commands(for error: ControlSocketError) -> [String]? {
        switch error {
        case .openDirectory(let path, _): ["chmod 700 \(ShellWord.quoted(path))"]
        case .foreignDirectory(let path, _): ["ls -ld \(ShellWord.quoted(path))"]
        case .inTheWay(let path): moveAway(path)
        case .alreadyRunning, .homeReplaced, .pathTooLong, .system: nil
        }
    }

    /// What moves a file away, to where nothing is.
    static func moveAway(_ path: String) -> [String] {
        let word = ShellWord.quoted(path)
        return ["mv -n \(word) \(ShellWord.quoted(path + ".aside"))"]
    }

    /// Bytes as people say them.
    private static func room(_ bytes: Int64) -> String {
        let units: [(String, Int64)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        for (name, size) in units where bytes >= size { return "\(bytes / size) \(name)" }
        return "\(bytes) bytes"
    }
}
