import ControlSocket
import SyncProtocol

/// `scorectl import`: sessions out of a file.
enum ImportCommand {
    static var command: Command {
        Command(
            name: "import",
            summary: "take in sessions that were exported",
            words: "FILE",
            count: 1...1,
            details: [
                "FILE is what 'scorectl export' wrote; - is standard input. All of it is checked"
                    + " before anything is written.",
                "A session that is not here is made, with its scores, conflicts and history. One"
                    + " that is here takes in what it lacks; what is newer here stays, and a file"
                    + " that is imported twice changes nothing.",
            ],
            options: [
                CommandOption(name: "dry-run", summary: "only say what would change")
            ],
            examples: [
                ("import scores.json", "on the new laptop"),
                ("import --dry-run scores.json", "what it would do"),
            ],
            action: .run(run)
        )
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        let isDryRun = call.has("dry-run")
        let source = try ImportSource(call.words[0], call.console)
        let client = try call.connect()
        var progress = Progress("checking", call.console)
        var sessions: [ImportedSummary]
        do throws(ControlError) {
            sessions = try send(source, to: client, dryRun: true, &progress)
            progress.clear()
            if !isDryRun {
                progress = Progress("importing", call.console)
                sessions = try send(source, to: client, dryRun: false, &progress)
                progress.clear()
            }
        } catch {
            progress.clear()
            throw error.with(message: "\(source.name): \(error.message)")
        }
        let reply = ImportedSessions(dryRun: isDryRun, sessions: sessions)
        try call.print(reply, sessions.map { line($0, isDryRun) })
        let keyless = sessions.count { !$0.hasKey && $0.outcome == .new }
        guard keyless > 0, !isDryRun, !call.isJSON else { return }
        call.tell(
            "The file has no \(keyless == 1 ? "key" : "keys"): what came can be read and written "
                + "here, and is shared again once a member invites and this laptop joins."
        )
    }

    /// Hands the file over, once to be checked and once to be taken in.
    private static func send(
        _ source: ImportSource,
        to client: ControlClient,
        dryRun: Bool,
        _ progress: inout Progress
    ) throws(ControlError) -> [ImportedSummary] {
        var source = source
        var sessions: [ImportedSummary] = []
        _ = try client.call(ImportBeginRequest(dryRun: dryRun))
        while let text = try source.next() {
            let request = ImportAddRequest(text: text)
            sessions += try client.call(request, timeoutMilliseconds: nil).sessions
            progress.show(source.share)
        }
        sessions += try client.call(ImportFinishRequest(), timeoutMilliseconds: nil).sessions
        return sessions
    }

    private static func line(_ session: ImportedSummary, _ isDryRun: Bool) -> Line {
        let name = Line(session.title.isEmpty ? session.id : session.title, .strong)
        let entries = session.entries == 1 ? "1 entry" : "\(session.entries) entries"
        let history = session.journal == 1 ? "1 line" : "\(session.journal) lines"
        let what = "\(entries), \(history) of history"
        switch session.outcome {
        case .new: return name + Line(isDryRun ? " would be new: \(what)" : ": new, \(what)")
        case .changed: return name + Line(isDryRun ? " would take in \(what)" : ": took in \(what)")
        case .same: return name + Line(": has all of it already")
        }
    }
}

/// What `import --json` prints.
private struct ImportedSessions: Encodable {
    let schema = 1
    let dryRun: Bool
    let sessions: [ImportedSummary]
}
