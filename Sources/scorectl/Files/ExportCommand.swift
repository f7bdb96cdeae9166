import ControlSocket
import SyncProtocol

/// `scorectl export`: sessions into a file.
enum ExportCommand {
    static var command: Command {
        Command(
            name: "export",
            summary: "write sessions into a file, for import or for other programs",
            words: "[SESSION] [FILE]",
            count: 0...2,
            details: [
                "json is lossless: 'scorectl import' makes the same sessions of it, with scores,"
                    + " conflicts and history. csv is a line for each cell, for spreadsheets."
                    + " bgstats is a line for each play that has ended, in the form that the app"
                    + " BG Stats takes by a link.",
                "Without FILE, or with -, it goes to standard output. One word is the session,"
                    + " unless it is - or has a / or a . in it: then it is the file.",
                "Keys are left out: who imports the file can read and write the sessions, and"
                    + " joins them again by an invite. With --with-key the file is a key to them.",
            ],
            options: [
                CommandOption(name: "all", summary: "all sessions"),
                CommandOption(
                    name: "format",
                    value: "FORM",
                    summary: "json (the default), csv or bgstats",
                    choices: ["json", "csv", "bgstats"]
                ),
                CommandOption(
                    name: "with-key",
                    summary: "with the keys: whoever has the file is a member"
                ),
            ],
            examples: [
                ("export Friday friday.json", "one session"),
                ("export --all scores.json", "everything that is held here"),
                ("export --format csv friday.csv", "the current one, for a spreadsheet"),
            ],
            takesSession: true,
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        let wish = try ExportWish(call)
        if wish.withKeys {
            call.tell("Whoever gets this file is a member of what is in it: keep it as a key.")
        }
        let target = try ExportTarget(wish.file, isPrivate: wish.withKeys, call.console)
        let client = try call.connect()
        let count: Int
        switch wish.form {
        case .json:
            let export = LosslessExport(client, call, wish, target)
            do throws(ControlError) { count = try export.write() } catch {
                guard error.kind == .notFound, let word = call.words.first, wish.file == nil,
                    word != "-"
                else { throw error }
                let hint = "to write the current session to a file of that name: ./\(word)"
                throw ControlError(
                    .notFound,
                    "\(error.message) (\(hint))",
                    candidates: error.candidates
                )
            }
        case .csv: count = try CellTable.write(try wish.sessions(client), client, target)
        case .bgstats: count = try Plays.write(wish, client, call, target)
        }
        try target.finish()
        guard let file = wish.file else { return }
        let reply = ExportSummary(
            file: file,
            format: wish.form.rawValue,
            count: count,
            bytes: target.bytes
        )
        try call.print(reply, [Line("Wrote \(file): \(wish.form.counted(count)).")])
    }
}

/// What `export --json` prints where a file was written.
private struct ExportSummary: Encodable {
    let schema = 1
    let file: String
    let format: String
    let count: Int
    let bytes: Int
}
