import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

/// `scorectl backup`: writes everything into one file, and lists the automatic backups.
enum BackupCommand {
    static let command = Command(
        usage: "backup [FILE]",
        summary: "back up everything to a file, or list the automatic backups",
        details: "A backup contains all sessions with their history, the people, results and games"
            + " of this laptop, and the keys: anyone with the file can read and change the"
            + " sessions. The file appears under its name only when it is complete and on disk. The"
            + " daemon writes it, and finishes even after Ctrl-C. Scores can be entered"
            + " meanwhile.\n"
            + "Without a file, or with 'list', it lists the automatic backups: one a week, and one"
            + " before an update changes the database. Five are kept. 'scorectl restore' restores"
            + " any of them.",
        options: [CommandOption("force", "replace an existing file")],
        examples: [
            ("backup /media/stick/scores.db", "keep the file as safe as a key"),
            ("backup", "list the automatic backups"),
        ],
        action: .run { call throws(ControlError) in
            if let file = call.words.first, file != "list" { return try write(file, call) }
            let reply = try call.call(.backups)
            try call.print(reply, lines(reply, call))
        }
    )

    private static func write(_ file: String, _ call: Invocation) throws(ControlError) {
        guard !file.isEmpty, !file.hasSuffix("/") else {
            throw .usage("'\(file)' is not a file name")
        }
        let request = BackupParameters(
            file: absolute(file),
            replace: call.has("force") ? true : nil
        )
        // No time limit: the store may be large, and the disk slow.
        let reply = try call.call(.makeBackup, request, timeoutMilliseconds: nil)
        let size = ByteCount.text(reply.copy.bytes)
        let line = "Wrote \(reply.copy.file): \(sessions(reply.copy.sessions)), \(size)"
        try call.print(reply, [Line(line)])
        guard !call.isJSON else { return }
        call.inform("It contains the keys: anyone with the file can read and change the sessions.")
    }

    private static func lines(_ reply: BackupListReply, _ call: Invocation) -> [Line] {
        guard !reply.copies.isEmpty else {
            return [
                Line("No backups yet. The first is made ten minutes after the daemon starts."),
                Line("To write one now: scorectl backup FILE"),
            ]
        }
        let now = call.console.now()
        var table = Table(["Backup", "Made", .right("Size"), "Reason"])
        for backup in reply.copies {
            table.add([
                backup.name, Ago.text(backup.madeAt, now: now), ByteCount.text(backup.bytes),
                backup.reason == "weekly" ? "weekly" : "before an update",
            ])
        }
        let name = ShellWord.quoted(reply.copies[0].name)
        return table.lines + [Line(), Line("To restore one: scorectl restore \(name)", .faint)]
    }

    static func sessions(_ count: Int) -> String { Plural.text(count, "session") }

    /// Returns an absolute path, since the daemon has another working directory.
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

/// `scorectl restore`: replaces the state of this laptop by a backup.
///
/// `scoresyncd` does the work while it holds the lock of the home, because only it links the
/// database; a running daemon is stopped before and started again afterwards.
enum RestoreHomeCommand {
    static let command = Command(
        usage: "restore FILE [-- SCORESYNCD-OPTION...]",
        summary: "restore a backup",
        arity: 1...64,
        details: "FILE may also be the name or the number of a backup that 'scorectl backup' lists."
            + " The state of this laptop becomes that of the backup; newer scores come back from"
            + " the other laptops.\n"
            + "The backup is checked first. The current state is moved aside and never deleted; if"
            + " there is any, the command asks for confirmation. The daemon is stopped meanwhile,"
            + " and then started with the same options, or with those after --.\n"
            + "The laptop takes over the identity in the backup. If the original laptop is still in"
            + " use, do not restore its backup on another one: join from there instead.",
        options: [.yes],
        examples: [
            ("restore /media/stick/scores.db", "on a new disk, or a new laptop"),
            ("restore 12", "backup number 12 of 'scorectl backup'"),
        ],
        action: .run(run)
    )

    /// The maximum number of attempts, because another client may start a daemon in between.
    private static let attempts = 3

    private static func run(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        let file = named(call.words[0])
        let found = try report(["--restore", file, "--check"], "checking", call)
        if found.wasUsed { try call.ask(question(found, call)) }
        let stopped = try DaemonCommands.stopAndWait(paths)
        let given = Array(call.words.dropFirst())
        let options = given.isEmpty ? stopped ?? [] : given
        let done: RestoreReport
        do throws(ControlError) { done = try restore(file, call) } catch {
            if stopped != nil { try? call.console.launch(paths, options) }
            throw error
        }
        if call.maySpawn {
            do throws(ControlError) { try call.console.launch(paths, options) } catch {
                throw error.with(message: "the backup was restored, but: \(error.message)")
            }
        }
        try call.print(done, lines(done, call))
    }

    private static func restore(
        _ file: String,
        _ call: Invocation
    ) throws(ControlError) -> RestoreReport {
        for _ in 1..<attempts {
            do throws(ControlError) {
                return try report(["--restore", file], "restoring", call)
            } catch {
                guard error.kind == .noDaemon else { throw error }
                // Another client, such as `watch`, has started the daemon again.
                _ = try DaemonCommands.stopAndWait(try call.paths())
            }
        }
        return try report(["--restore", file], "restoring", call)
    }

    private static func report(
        _ words: [String],
        _ work: String,
        _ call: Invocation
    ) throws(ControlError) -> RestoreReport {
        var progress = Progress(work, call.console)
        defer { progress.clear() }
        let output = try call.console.runTask(try call.paths(), words) { progress.show($0) }
        return try ControlJSON.decode(RestoreReport.self, from: output)
    }

    private static func named(_ word: String) -> String {
        let path = BackupCommand.absolute(word)
        return word.contains("/") || Files.status(path) != nil ? path : word
    }

    private static func question(_ found: RestoreReport, _ call: Invocation) -> String {
        let held = found.heldSessions.map(BackupCommand.sessions)
        let here = held.map { "This laptop has \($0)." } ?? "The current state cannot be read."
        return "\(here) Replace it with the backup\(age(of: found.copy, call)) with "
            + "\(BackupCommand.sessions(found.copy.sessions))? The current state is moved aside in "
            + "\(found.home)."
    }

    private static func age(of backup: CopySummary, _ call: Invocation) -> String {
        guard let latest = backup.latest?.milliseconds else { return "" }
        let console = call.console
        return " as of \(console.date(latest)) \(console.timeOfDay(latest))"
    }

    private static func lines(_ done: RestoreReport, _ call: Invocation) -> [Line] {
        let what = BackupCommand.sessions(done.copy.sessions)
        var lines = [
            "Restored \(what)\(age(of: done.copy, call)).",
            "Newer scores come back from the other laptops.",
        ]
        if let replaced = done.replaced, done.wasUsed {
            lines.append("The previous state is in \(replaced); delete it if you do not need it.")
        }
        return lines.map { Line($0) }
    }
}
