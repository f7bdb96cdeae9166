import CPlatform
import SyncProtocol

/// `scorectl backup`: a copy of everything in one file, and the copies that are kept by themselves.
enum BackupCommand {
    static var command: Command {
        Command(
            name: "backup",
            summary: "write a copy of everything, or list the copies that are kept",
            words: "[FILE]",
            count: 0...1,
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
            options: [CommandOption(name: "force", summary: "replace a file that is there")],
            examples: [
                ("backup /media/stick/scores.db", "keep this as you keep a key"),
                ("backup", "which copies there are"),
            ],
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        if let file = call.words.first, file != "list" { return try write(file, call) }
        let reply = try call.call(BackupListRequest())
        try call.print(reply, lines(reply, call))
    }

    private static func write(_ file: String, _ call: Invocation) throws(ControlError) {
        guard !file.isEmpty, !file.hasSuffix("/") else {
            throw ControlError(.usage, "'\(file)' is no name of a file")
        }
        let request = BackupMakeRequest(
            file: absolute(file),
            replace: call.has("force") ? true : nil
        )
        // A large store on a slow stick takes as long as it takes.
        let reply = try call.call(request, timeoutMilliseconds: nil)
        let copy = reply.copy
        try call.print(
            reply,
            [Line("Wrote \(copy.file): \(sessions(copy.sessions)), \(ByteCount.text(copy.bytes))")]
        )
        guard !call.isJSON else { return }
        call.tell(
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
