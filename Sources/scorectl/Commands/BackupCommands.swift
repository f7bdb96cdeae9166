import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl backup`: a copy of everything in one file, and the copies that are kept by themselves.
enum BackupCommand {
    static let command = Command(
        name: "backup",
        summary: "write a copy of everything, or list the copies that are kept",
        words: "[FILE]",
        details: [
            "The copy holds all sessions with their history, the people, results and games of"
                + " this laptop, and the keys: whoever has the file can read the sessions and"
                + " write in them. Scores can be entered meanwhile. It is there under its name"
                + " only when it is whole and on disk. The daemon writes it, to its end also"
                + " after Ctrl-C.",
            "Without a file, or with 'list', it lists the copies that the daemon keeps by"
                + " itself: one a week, and one before an update changes the store. Five are"
                + " kept. 'scorectl restore' brings any of them back.",
        ],
        options: [CommandOption("force", "replace a file that is there")],
        examples: [
            ("backup /media/stick/scores.db", "keep this as you keep a key"),
            ("backup", "which copies there are"),
        ],
        action: .run { call throws(ControlError) in
            if let file = call.words.first, file != "list" { return try write(file, call) }
            let reply = try call.call(.backups)
            try call.print(reply, lines(reply, call))
        }
    )

    private static func write(_ file: String, _ call: Invocation) throws(ControlError) {
        guard !file.isEmpty, !file.hasSuffix("/") else {
            throw ControlError(.usage, "'\(file)' is no name of a file")
        }
        let request = BackupParameters(
            file: absolute(file),
            replace: call.has("force") ? true : nil
        )
        // A large store on a slow stick takes as long as it takes.
        let reply = try call.call(.makeBackup, request, timeoutMilliseconds: nil)
        let copy = reply.copy
        try call.print(
            reply,
            [Line("Wrote \(copy.file): \(sessions(copy.sessions)), \(ByteCount.text(copy.bytes))")]
        )
        guard !call.isJSON else { return }
        call.inform(
            "It holds the keys: whoever has it can read these sessions and write in them."
        )
    }

    private static func lines(_ reply: BackupListReply, _ call: Invocation) -> [Line] {
        guard !reply.copies.isEmpty else {
            return [
                Line("No copies yet: the first is kept when the daemon has run for ten minutes."),
                Line("To write one now: scorectl backup FILE"),
            ]
        }
        let now = call.console.now()
        var table = Table([
            Table.Column("Copy"), Table.Column("Kept"), Table.Column("Size", .right),
            Table.Column("Why"),
        ])
        for copy in reply.copies {
            table.add([
                copy.name, Ago.text(copy.madeAt, now: now), ByteCount.text(copy.bytes),
                copy.reason == "weekly" ? "weekly" : "before an update",
            ])
        }
        let name = ShellWord.quoted(reply.copies[0].name)
        return table.lines + [Line(), Line("To bring one back: scorectl restore \(name)", .faint)]
    }

    /// "1 session", "3 sessions".
    static func sessions(_ count: Int) -> String { count == 1 ? "1 session" : "\(count) sessions" }

    /// A path from the root: the daemon has another directory than this program.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        var bytes = [CChar](repeating: 0, count: 4096)
        guard platform_current_directory(&bytes, bytes.count) == 0 else { return "/" + path }
        let directory = String(
            decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        return directory + (directory.hasSuffix("/") ? "" : "/") + path
    }
}

/// `scorectl restore`: a copy in the place of what this laptop holds.
///
/// The daemon's program does it, under the lock of the home, because only that knows the store; the
/// daemon is stopped for it and started afterwards.
enum RestoreHomeCommand {
    static let command = Command(
        name: "restore",
        summary: "bring back a copy that 'backup' wrote",
        words: "FILE [-- SCORESYNCD-OPTION...]",
        arity: 1...64,
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

    /// How often it is begun anew because somebody has started a daemon meanwhile.
    private static let attempts = 3

    private static func run(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        let file = named(call.words[0])
        let found = try report(call, paths, ["--restore", file, "--check"], "checking")
        if found.wasUsed { try call.ask(question(found, call)) }
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
        let said = try call.console.runTask(paths, words) { progress.show($0) }
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
