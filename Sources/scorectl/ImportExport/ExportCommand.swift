import CPlatform
import ControlSocket
import SyncProtocol

enum ExportCommand {
    static let command = Command(
        usage: "export [SESSION] [FILE]",
        summary: "write sessions into a file, for import or for other programs",
        details: "json is lossless: 'scorectl import' restores the sessions with scores, conflicts"
            + " and history. csv has a line for each cell, for spreadsheets. bgstats has a line for"
            + " each finished play, in the format of the app BG Stats.\n"
            + "Without FILE, or with -, it prints to standard output. A single argument is the"
            + " session, unless it is - or contains / or a dot: then it is the file.\n"
            + "Keys are left out: the imported sessions can be used, but must join again by an"
            + " invite to sync. With --with-key anyone with the file is a member.",
        options: [
            CommandOption("all", "all sessions"),
            CommandOption(
                "format FORM",
                "json (the default), csv or bgstats",
                choices: ["json", "csv", "bgstats"]
            ),
            CommandOption("with-key", "include the keys: anyone with the file is a member"),
        ],
        examples: [
            ("export Friday friday.json", "one session"),
            ("export --all scores.json", "all sessions of this laptop"),
            ("export --format csv friday.csv", "the current session, for a spreadsheet"),
        ],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        let options = try ExportOptions(call)
        if options.withKeys {
            call.inform("Anyone with this file is a member of its sessions: keep it safe.")
        }
        let target = try ExportTarget(options.file, isPrivate: options.withKeys, call.console)
        let client = try call.connect()
        let count: Int
        switch options.format {
        case .json:
            do throws(ControlError) {
                count = try LosslessExport.write(options, client, call, target)
            } catch {
                guard error.kind == .notFound, let word = call.words.first, options.file == nil,
                    word != "-"
                else { throw error }
                var error = error
                error.hint = "to write the current session to a file of that name: ./\(word)"
                throw error
            }
        case .csv: count = try CellTable.write(try options.sessions(client), client, target)
        case .bgstats: count = try Plays.write(options, client, call, target)
        }
        try target.finish()
        guard let file = options.file else { return }
        let document: JSONDocument = [
            "schema": 1, "file": file, "format": options.format.rawValue, "count": count,
            "bytes": target.bytes,
        ]
        let content = Plural.text(count, options.format.unit)
        try call.print(document, [Line("Wrote \(file): \(content).")])
    }
}

struct ExportOptions {
    enum Format: String, CaseIterable {
        case json, csv, bgstats

        var unit: String {
            switch self {
            case .json: "session"
            case .csv: "cell"
            case .bgstats: "play"
            }
        }
    }

    let format: Format
    let isAll: Bool
    let withKeys: Bool
    /// The file; nil for standard output.
    let file: String?
    /// The named session; nil for the current one.
    private let session: String?

    init(_ call: Invocation) throws(ControlError) {
        let name = call.value("format") ?? Format.json.rawValue
        guard let format = Format(rawValue: name) else {
            let text = "--format is json, csv or bgstats, not '\(name)'"
            throw .usage(text, candidates: Format.allCases.map(\.rawValue))
        }
        (self.format, isAll, withKeys) = (format, call.has("all"), call.has("with-key"))
        guard format == .json || !withKeys else {
            throw .usage("--with-key requires --format json")
        }
        var words = call.words
        if isAll || call.session != nil {
            guard words.count < 2, !(isAll && call.session != nil) else {
                throw .usage("the session is named twice")
            }
            session = call.session
        } else if let first = words.first, words.count == 2 || !Self.isFile(first) {
            session = first
            words.removeFirst()
        } else {
            session = nil
        }
        file = words.first == "-" ? nil : words.first
        guard file != nil || !call.isJSON else { throw .usage("--json requires a FILE") }
    }

    private static func isFile(_ word: String) -> Bool {
        word == "-" || word.contains("/") || word.contains(".")
    }

    /// Returns the names or ids of the sessions to export, the latest first, so that a next game
    /// comes before the game that refers to it.
    func sessions(_ client: ControlClient) throws(ControlError) -> [String?] {
        guard isAll else { return [session] }
        return try client.call(.sessions).items.map(\.id)
    }

    func ids(_ client: ControlClient) throws(ControlError) -> Set<String> {
        var ids: Set<String> = []
        for session in try sessions(client) {
            ids.insert(try client.call(.session, .init(session: session)).session.id)
        }
        return ids
    }
}

/// The destination of an export: standard output, or a file that is replaced atomically.
///
/// The content is written under a temporary name in the same directory, flushed, and renamed. A
/// signal that ends the process removes the temporary file.
final class ExportTarget {
    private(set) var bytes = 0

    private let console: Console
    private let path: String?
    private var partial = ""
    private var descriptor: Int32 = -1

    /// Opens a file, or standard output for nil.
    init(_ path: String?, isPrivate: Bool, _ console: Console) throws(ControlError) {
        (self.path, self.console) = (path, console)
        guard let path else { return }
        var file = platform_file()
        let result = platform_target_status(path, &file)
        if result != -ENOENT { try Files.check(result, "check \(path)") }
        guard result < 0 || file.is_regular else {
            let hint = "to write elsewhere, redirect standard output"
            throw .usage("\(path) is not a file", hint: hint)
        }
        partial = "\(path).partial-\(platform_own_process())"
        // Registered before the file exists, so that no signal can leave it behind.
        console.removeOnSignal(partial)
        descriptor = try Files.check(platform_create_file(partial, isPrivate), "write \(path)")
    }

    deinit {
        if descriptor >= 0 {
            platform_close(descriptor)
            platform_unlink(partial)
        }
        console.removeOnSignal(nil)
    }

    func write(_ content: [UInt8]) throws(ControlError) {
        bytes += content.count
        guard let path else { return console.write(content) }
        try Files.check(platform_write_all(descriptor, content, content.count), "write \(path)")
    }

    func finish() throws(ControlError) {
        guard let path else { return }
        try Files.check(platform_sync(descriptor), "write \(path)")
        platform_close(descriptor)
        descriptor = -1
        let renamed = platform_rename(partial, path)
        if renamed < 0 { platform_unlink(partial) }
        console.removeOnSignal(nil)
        try Files.check(renamed, "write \(path)")
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let parent = directory.joined(separator: "/")
        let isRoot = path.utf8.first == UInt8(ascii: "/") && parent.isEmpty
        // Syncing a directory is not supported everywhere; the file itself is safe.
        _ = platform_sync_path(isRoot ? "/" : parent.isEmpty ? "." : parent)
    }
}

/// Writes sessions in the format of `import`; the daemon produces the lines, page by page.
enum LosslessExport {
    static func write(
        _ options: ExportOptions,
        _ client: ControlClient,
        _ call: Invocation,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        let sessions = try options.sessions(client)
        var progress = Progress("exporting", call.console)
        defer { progress.clear() }
        var header: String?
        for (index, session) in sessions.enumerated() {
            let request = ExportParameters(session: session, withKey: options.withKeys)
            let export = try client.call(.startExport, request)
            if header == nil {
                header = export.header
                try target.write(Array(export.header.utf8))
            }
            if export.isKeyMissing {
                progress.clear()
                call.inform("“\(export.title)” is exported without a key: it has none here.")
            }
            var isLast = false
            while !isLast {
                let page = try client.call(.nextExport)
                try target.write(Array(page.text.utf8))
                isLast = page.isLast
                let share = Double(min(page.rows, export.rows)) / Double(max(1, export.rows))
                progress.show((Double(index) + share) / Double(sessions.count))
            }
        }
        guard header != nil else { throw .notFound("no sessions to export") }
        try target.write(ExportEnd.line(ofFileWith: sessions.count) + [0x0A])
        return sessions.count
    }
}

/// The progress of long work, shown on a terminal; short work shows none.
struct Progress {
    private static let delayMilliseconds: Int64 = 400
    private static let intervalMilliseconds: Int64 = 100

    private let work: String
    private let console: Console
    private var nextUpdate: Int64
    private var share: Double?
    private var isShown = false

    /// Starts to show the progress of some work, such as `exporting`.
    init(_ work: String, _ console: Console) {
        (self.work, self.console) = (work, console)
        nextUpdate = console.steady() + Progress.delayMilliseconds
    }

    /// Shows the share that is done, from 0 to 1; nil keeps the last one.
    mutating func show(_ share: Double?) {
        self.share = share ?? self.share
        let now = console.steady()
        guard console.isErrorTerminal, now >= nextUpdate else { return }
        nextUpdate = now + Progress.intervalMilliseconds
        isShown = true
        let percent = self.share.map { ": \(Int(max(0, min(1, $0)) * 100)) %" } ?? " …"
        console.writeError(Array("\r\u{1B}[K\(work)\(percent)".utf8))
    }

    mutating func clear() {
        guard isShown else { return }
        isShown = false
        console.writeError(Array("\r\u{1B}[K".utf8))
    }
}

/// Sessions as comma-separated values (RFC 4180): a line for each cell, in UTF-8.
///
/// A text that a spreadsheet would evaluate, because it begins with = + - @, a tab or a carriage
/// return, gets an apostrophe: names chosen by other people must not run as formulas.
struct CellTable {
    private static let columns = [
        "session", "title", "game", "status", "player", "name", "team", "removed", "row", "round",
        "value", "counts", "points", "by", "at", "conflicts",
    ]

    static func write(
        _ sessions: [String?],
        _ client: ControlClient,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        try target.write(line(columns))
        var count = 0
        for session in sessions {
            let document = try client.call(.show, .init(session: session)).document
            for player in document.players {
                var lines: [UInt8] = []
                for cell in player.cells { lines += line(fields(cell, player, document.session)) }
                count += player.cells.count
                try target.write(lines)
            }
        }
        return count
    }

    private static func fields(
        _ cell: ShownCell,
        _ player: ShownPlayer,
        _ session: ShownSession
    ) -> [String] {
        let conflicts = cell.conflict.map { "\(field($0.value)) (\($0.by))" }
        return [
            session.id, guarded(session.title), session.game, session.status,
            player.id, guarded(player.name), guarded(player.team ?? ""),
            player.removed ? "yes" : "no",
            cell.row, cell.round.map(String.init) ?? "",
            field(cell.value), cell.count.map(String.init) ?? "",
            cell.points.map(String.init) ?? "",
            guarded(cell.by), cell.at.description, guarded(conflicts.joined(separator: "; ")),
        ]
    }

    /// Returns the field of an entry; only texts need the apostrophe.
    private static func field(_ value: Scalar) -> String {
        if case .text(let text) = value { return guarded(text) }
        return value == .null ? "" : value.description
    }

    private static func guarded(_ text: String) -> String {
        guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return text }
        return "'" + text
    }

    private static func line(_ fields: [String]) -> [UInt8] {
        let quoted = fields.map { field in
            guard field.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return field }
            let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"")
            return "\"\(doubled)\""
        }
        return Array((quoted.joined(separator: ",") + "\r\n").utf8)
    }
}

/// Finished plays, a line of JSON each, in the import format of the app BG Stats (bgstatsapp.com,
/// “Push plays to BG Stats from other apps or websites”).
enum Plays {
    /// Writes the plays of sessions, with `--all` also those of sessions that were left, and returns
    /// their number.
    static func write(
        _ options: ExportOptions,
        _ client: ControlClient,
        _ call: Invocation,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        let all = try client.call(.results, .init()).items
        let ids = try options.isAll ? nil : options.ids(client)
        var count = 0
        for result in all where ids?.contains(result.session) ?? true {
            guard let play = document(result, call.console) else { continue }
            try target.write(try ControlJSON.encode(play) + [0x0A])
            count += 1
        }
        if count == 0 { call.inform("No finished plays to export.") }
        return count
    }

    /// Returns the play of a result, with the field names of BG Stats; nil if its time is unknown.
    private static func document(_ result: ResultSummary, _ console: Console) -> JSONDocument? {
        guard let at = result.at?.milliseconds else { return nil }
        let ranked = result.players.filter { $0.rank != nil }
            .sorted { ($0.rank ?? 0, $0.id) < ($1.rank ?? 0, $1.id) }
        let isLowest = (ranked.first?.total ?? 0) < (ranked.last?.total ?? 0)
        let game: JSONDocument = [
            "name": result.name, "sourceGameId": result.game, "highestWins": !isLowest,
            "noPoints": result.players.allSatisfy { $0.total == 0 },
            "cooperative": ["all-won", "all-lost"].contains(result.verdict),
        ]
        let players = result.players.map { line -> JSONDocument in
            let team = result.teams.first { $0.players.contains(line.id) }
            var player: JSONDocument = [
                "name": line.name, "sourcePlayerId": line.id, "score": line.total,
                "winner": line.winner, "role": team?.name ?? "",
            ]
            player["rank"] = line.rank
            return player
        }
        var play: JSONDocument = [
            "sourceName": "ScoreSync", "sourcePlayId": "\(result.session)-\(result.number)",
            "playDate": "\(console.date(at)) \(console.timeOfDay(at)):00",
            "comments": result.title, "game": game, "players": players,
        ]
        play["durationMin"] = StatisticsPage.minutes(of: result)
        return play
    }
}
