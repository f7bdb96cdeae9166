import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

enum ImportCommand {
    static let command = Command(
        usage: "import FILE",
        summary: "import exported sessions, or plays from BG Stats",
        details: "FILE was written by 'scorectl export'; - is standard input. The whole file is"
            + " checked before anything is imported.\n"
            + "A new session is created with its scores, conflicts and history. An existing session"
            + " is merged: it gets what it lacks, and newer values stay. Importing a file twice"
            + " changes nothing.\n"
            + "The plays in an export of the app BG Stats (JSON) become results of this laptop, for"
            + " 'results', 'leaders' and 'stats'; a game that has a sheet here counts with it. Plays"
            + " that were imported before, and games that this laptop has itself, are left out.",
        options: [CommandOption("dry-run", "only print what would change")],
        examples: [
            ("import scores.json", "on the new laptop"),
            ("import --dry-run scores.json", "print what it would do"),
            ("import BGStatsExport.json", "evenings from before ScoreSync"),
        ],
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        let isDryRun = call.has("dry-run")
        if let plays = try plays(in: call.words[0]) { return try add(plays, isDryRun, call) }
        let source = try ImportSource(call.words[0], call.console)
        let client = try call.connect()
        var sessions: [ImportedSummary]
        do throws(ControlError) {
            sessions = try send(source, to: client, dryRun: true, call)
            if !isDryRun { sessions = try send(source, to: client, dryRun: false, call) }
        } catch {
            throw error.with(message: "\(source.name): \(error.message)")
        }
        let document: JSONDocument = ["schema": 1, "dryRun": isDryRun, "sessions": sessions]
        try call.print(document, sessions.map { line($0, isDryRun) })
        let keyless = sessions.count { !$0.hasKey && $0.outcome == .new }
        guard keyless > 0, !isDryRun, !call.isJSON else { return }
        call.inform(
            "The file has no \(keyless == 1 ? "key" : "keys"): the imported sessions can be used "
                + "here, but sync only after this laptop has joined them again by an invite."
        )
    }

    // MARK: Plays of BG Stats

    /// Returns the plays in a file; nil if it is no export of BG Stats.
    private static func plays(
        in file: String
    ) throws(ControlError) -> (plays: [PlayedGame], others: Int)? {
        var status = platform_file()
        guard file != "-", platform_target_status(file, &status) == 0, status.is_regular,
            // The first line of ScoreSync's own files says what they are.
            !ExportFormat.isHeader(try Files.read(file, atMost: 4096))
        else { return nil }
        let content = try Files.read(file, atMost: min(Int(status.bytes), PlayFile.bytes) + 1)
        do throws(PlayFileError) { return try PlayFile.plays(in: content) } catch {
            throw .failed("\(file): \(error)")
        }
    }

    private static func add(
        _ found: (plays: [PlayedGame], others: Int),
        _ isDryRun: Bool,
        _ call: Invocation
    ) throws(ControlError) {
        let client = try call.connect()
        var sum = AddedResultsReply(added: 0, known: 0)
        let size = PlayedGamesParameters.maxPlays
        for start in stride(from: 0, to: found.plays.count, by: size) {
            let part = Array(found.plays[start..<min(start + size, found.plays.count)])
            let reply = try client.call(.addResults, .init(part, dryRun: isDryRun))
            sum.added += reply.added
            sum.known += reply.known
        }
        let document: JSONDocument = [
            "schema": 1, "dryRun": isDryRun, "added": sum.added, "known": sum.known,
            "others": found.others,
        ]
        let known = sum.known == 0 ? "" : ", \(sum.known) already known"
        // Incomplete ones, and those that do not count in the statistics of the app.
        let others = found.others == 0 ? "" : ", \(found.others) left out"
        let verb = isDryRun ? "Would add" : "Added"
        try call.print(
            document,
            [Line("\(verb) \(Plural.text(sum.added, "play"))\(known)\(others).")]
        )
    }

    // MARK: Sessions

    /// Sends the file to the daemon, once to be checked and once to be imported.
    private static func send(
        _ source: ImportSource,
        to client: ControlClient,
        dryRun: Bool,
        _ call: Invocation
    ) throws(ControlError) -> [ImportedSummary] {
        var progress = Progress(dryRun ? "checking" : "importing", call.console)
        defer { progress.clear() }
        var source = source
        var sessions: [ImportedSummary] = []
        _ = try client.call(.startImport, .init(dryRun: dryRun))
        while let text = try source.next() {
            let request = TextParameters(text: text)
            sessions += try client.call(.addImport, request, timeoutMilliseconds: nil).items
            progress.show(source.share)
        }
        sessions += try client.call(.finishImport, timeoutMilliseconds: nil).items
        return sessions
    }

    private static func line(_ session: ImportedSummary, _ isDryRun: Bool) -> Line {
        let name = Line(session.title.isEmpty ? session.id : session.title, .strong)
        let entries = session.entries == 1 ? "1 entry" : "\(session.entries) entries"
        let history = Plural.text(session.journal, "line")
        let content = "\(entries), \(history) of history"
        switch session.outcome {
        case .new: return name + Line(isDryRun ? " would be new: \(content)" : ": new, \(content)")
        case .changed:
            return name + Line(isDryRun ? " would get \(content)" : ": added \(content)")
        case .same: return name + Line(": already up to date")
        }
    }
}

/// The source of an import: a file that is read in pieces of whole lines, or standard input.
///
/// Standard input is kept in memory, because the source is read twice.
struct ImportSource {
    /// The size of a piece, unless a line is longer.
    private static let pieceBytes = 256 << 10

    let name: String

    /// The content of standard input; nil for a file.
    private var input: [UInt8]?
    private var offset = 0
    private let size: Int
    private var rest: [UInt8] = []
    private var lines = 0

    init(_ word: String, _ console: Console) throws(ControlError) {
        guard word != "-" else {
            name = "standard input"
            var bytes: [UInt8] = []
            while let line = console.readLine() { bytes += Array((line + "\n").utf8) }
            (input, size) = (bytes, bytes.count)
            return
        }
        name = word
        var file = platform_file()
        let result = platform_target_status(word, &file)
        guard result != -ENOENT else { throw .notFound("no such file: \(word)") }
        guard result == 0, file.is_regular else {
            throw .usage("\(word) is not a file", hint: "to read a pipe, use -")
        }
        size = max(1, Int(file.bytes))
    }

    var share: Double { Double(offset) / Double(max(1, size)) }

    /// Returns the next lines, each with its end; nil at the end of the file.
    mutating func next() throws(ControlError) -> String? {
        while true {
            let limit = ImportSource.pieceBytes
            let piece = try read(limit)
            rest += piece
            guard !piece.isEmpty else {
                guard !rest.isEmpty else { return nil }
                // The last line has no line break: an editor removed it, or the file was truncated.
                guard rest.last == UInt8(ascii: "}") else {
                    let reason = lines == 0 ? ExportError.foreign : .cut(lines: lines)
                    throw .failed("\(reason)")
                }
                let last = rest + [0x0A]
                rest = []
                return try text(last)
            }
            guard let end = rest.lastIndex(of: 0x0A) else {
                guard rest.count <= ExportFormat.longestLine else {
                    throw damage("longer than \(ExportFormat.longestLine) bytes", line: lines + 1)
                }
                continue
            }
            let whole = Array(rest[...end])
            rest.removeFirst(end + 1)
            let text = try text(whole)
            lines += whole.count { $0 == 0x0A }
            return text
        }
    }

    private func text(_ bytes: [UInt8]) throws(ControlError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let sound = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .prefix { String(validating: $0, as: UTF8.self) != nil }
        throw damage("not valid UTF-8", line: lines + sound.count + 1)
    }

    /// Returns the error of a line; a file whose first line is wrong is not an export.
    private func damage(_ reason: String, line: Int) -> ControlError {
        .failed("\(line == 1 ? ExportError.foreign : .damaged(line: line, reason: reason))")
    }

    private mutating func read(_ limit: Int) throws(ControlError) -> [UInt8] {
        let piece =
            if let input {
                Array(input[offset...].prefix(limit))
            } else {
                try Files.read(name, from: Int64(offset), atMost: limit)
            }
        offset += piece.count
        return piece
    }
}
