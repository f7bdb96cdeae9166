import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl restore`: a copy in the place of what this laptop holds.
///
/// The daemon's program does it, under the lock of the home, because only that knows the store; the
/// daemon is stopped for it and started afterwards.
enum RestoreHomeCommand {
    static var command: Command {
        Command(
            name: "restore",
            summary: "bring back a copy that 'backup' wrote",
            words: "FILE [-- SCORESYNCD-OPTION...]",
            count: 1...64,
            details: [
                "FILE may also be the name or the number of a copy that 'scorectl backup' lists."
                    + " Everything on this laptop is then as it was in the copy, and what others"
                    + " have that is newer comes back by itself.",
                "The copy is checked first. What is here now is set aside and never removed; where"
                    + " that is anything, you are asked first. The daemon stops meanwhile, and"
                    + " starts with the options that it had, or with what follows -- in their"
                    + " place.",
                "The laptop is the one of the copy again. While that still runs elsewhere, do not"
                    + " restore its copy on another one: let that join instead.",
            ],
            options: [.yes],
            examples: [
                ("restore /media/stick/scores.db", "on a new disk, or a new laptop"),
                ("restore 12", "the copy of this number in 'scorectl backup'"),
            ],
            action: .run(run)
        )
    }

    /// How often it is begun anew because somebody has started a daemon meanwhile.
    private static let attempts = 3

    private static func run(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        let file = named(call.words[0])
        let found = try report(call, paths, ["--restore", file, "--check"], "checking")
        if found.wasUsed { try call.confirm(question(found, call)) }
        let stopped = try DaemonCommands.end(paths)
        let given = Array(call.words.dropFirst())
        let options = given.isEmpty ? stopped?.options ?? [] : given
        let done: RestoreReport
        do throws(ControlError) { done = try restore(call, paths, file) } catch {
            if stopped != nil { try? call.console.launch(paths, options) }
            throw error
        }
        if call.maySpawn {
            do throws(ControlError) { try call.console.launch(paths, options) } catch {
                throw error.with(message: "the copy was restored; \(error.message)")
            }
        }
        try call.print(done, lines(done, call))
    }

    private static func restore(
        _ call: Invocation,
        _ paths: ControlPaths,
        _ file: String
    ) throws(ControlError) -> RestoreReport {
        var left = attempts
        while true {
            left -= 1
            do throws(ControlError) {
                return try report(call, paths, ["--restore", file], "restoring")
            } catch {
                guard error.kind == .noDaemon, left > 0 else { throw error }
                // Whoever watches has started it again.
                _ = try DaemonCommands.end(paths)
            }
        }
    }

    private static func report(
        _ call: Invocation,
        _ paths: ControlPaths,
        _ words: [String],
        _ work: String
    ) throws(ControlError) -> RestoreReport {
        var progress = Progress(work, call.console)
        defer { progress.clear() }
        let said = try call.console.errand(paths, words) { progress.show($0) }
        return try ControlJSON.decode(RestoreReport.self, from: said)
    }

    /// What was typed as the daemon's program wants it: a path from the root, or the bare name of a
    /// copy that is kept.
    private static func named(_ word: String) -> String {
        var file = platform_file()
        let path = BackupCommand.absolute(word)
        let isPath = word.contains("/") || platform_file_status(path, &file) >= 0
        return isPath ? path : word
    }

    private static func question(_ found: RestoreReport, _ call: Invocation) -> String {
        let held = found.heldSessions.map(BackupCommand.sessions)
        let here = held.map { "This laptop holds \($0)." } ?? "What is here cannot be read."
        return "\(here) Put the copy\(age(of: found.copy, call)) with "
            + "\(BackupCommand.sessions(found.copy.sessions)) in their place? What is here now is "
            + "set aside in \(found.home)."
    }

    private static func age(of copy: CopySummary, _ call: Invocation) -> String {
        guard let latest = copy.latest?.milliseconds else { return "" }
        let console = call.console
        return " as of \(console.date(latest)) \(console.timeOfDay(latest))"
    }

    private static func lines(_ done: RestoreReport, _ call: Invocation) -> [Line] {
        let what = BackupCommand.sessions(done.copy.sessions)
        var lines = [Line("Restored \(what)\(age(of: done.copy, call)).")]
        lines.append(Line("What the others have that is newer comes back by itself."))
        if let replaced = done.replaced, done.wasUsed {
            lines.append(Line("What was here is \(replaced); delete it when you need it no more."))
        }
        return lines
    }
}
