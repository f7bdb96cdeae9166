import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

enum ExportCommand {
    static let command = Command(
        usage: "export [SESSION] [FILE]",
        summary: "write sessions into a file, for import or for other programs",
        details: "json is lossless: 'scorectl import' restores the sessions with scores, conflicts"
            + " and history. csv has a line for each cell, for spreadsheets; with --table a line for"
            + " each round, with a column for each player. bgstats has a line for each finished"
            + " play, in the format of the app BG Stats.\n"
            + "The name of FILE says the format, if it ends in .json, .csv or .jsonl (bgstats)."
            + " Without FILE, or with -, it prints to standard output. A single argument is the"
            + " session, unless it is - or contains / or a dot: then it is the file.\n"
            + "Keys are left out: the imported sessions can be used, but must join again by an"
            + " invite to sync. With --with-key anyone with the file is a member.",
        options: [
            CommandOption("all", "all sessions"),
            CommandOption(
                "format FORM",
                "json (the default), csv or bgstats",
                choices: ExportOptions.Format.allCases.map(\.rawValue)
            ),
            CommandOption("link", "bgstats as links that open the app, one for each play"),
            CommandOption("qr", "the latest play as a QR code, for a phone with BG Stats"),
            CommandOption("table", "csv with a line for each round, as on paper"),
            CommandOption(
                "separator SIGN",
                "between the fields of csv: comma (the default), semicolon or tab, or the sign itself",
                choices: CellTable.Separator.allCases.map(\.rawValue)
            ),
            CommandOption("with-key", "include the keys: anyone with the file is a member"),
        ],
        examples: [
            ("export Friday friday.json", "one session"),
            ("export --all scores.json", "all sessions of this laptop"),
            ("export friday.csv", "the current session, for a spreadsheet"),
            ("export --qr", "a code that hands the current game over to BG Stats"),
            ("export --table --separator semicolon friday.csv", "rounds and players, as on paper"),
        ],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        let options = try ExportOptions(call)
        if options.isCode { return try Plays.showCode(options, call) }
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
        case .csv:
            let table = CellTable(separator: options.separator, isOfRounds: options.isOfRounds)
            let isFile = options.file.flatMap(ExportOptions.suffix) == options.format.suffix
            if isFile { try target.write(ByteOrderMark.bytes) }
            count = try table.write(try options.sessions(client), client, target)
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

        /// The end of the name of a file in this format.
        var suffix: String {
            switch self {
            case .json: ".json"
            case .csv: ".csv"
            case .bgstats: ".jsonl"
            }
        }
    }

    let format: Format
    let separator: CellTable.Separator
    let isOfRounds: Bool
    /// Whether plays are written as links.
    let isOfLinks: Bool
    /// Whether the latest play is shown as a QR code.
    let isCode: Bool
    let isAll: Bool
    let withKeys: Bool
    /// The file; nil for standard output.
    let file: String?
    /// The named session; nil for the current one.
    private let session: String?

    init(_ call: Invocation) throws(ControlError) {
        (isAll, withKeys) = (call.has("all"), call.has("with-key"))
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
        format =
            if let name = call.value("format") {
                try call.choice(name, of: "format")
            } else {
                try call.has("link") || call.has("qr")
                    ? .bgstats : file.map(Self.format(of:)) ?? .json
            }
        (isOfLinks, isCode) = (call.has("link"), call.has("qr"))
        for option in ["link", "qr"] where call.has(option) && format != .bgstats {
            throw .usage("--\(option) requires --format bgstats")
        }
        guard !isCode || file == nil && !isOfLinks else {
            throw .usage("--qr shows a code on the terminal, without FILE and --link")
        }
        guard format == .json || !withKeys else {
            throw .usage("--with-key requires --format json")
        }
        isOfRounds = call.has("table")
        separator =
            try call.value("separator").map { name throws(ControlError) in
                if let sign = CellTable.Separator(character: name) { return sign }
                return try call.choice(name, of: "separator")
            } ?? .comma
        for option in ["table", "separator"] where call.has(option) && format != .csv {
            throw .usage("--\(option) requires --format csv, or a FILE that ends in .csv")
        }
    }

    /// Returns the end of a file's name, from its last dot, in lower case; nil if it has none.
    static func suffix(_ file: String) -> String? {
        let name = file.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return name[dot...].lowercased()
    }

    /// Returns the format that the name of a file says; without a suffix that is `json`.
    private static func format(of file: String) throws(ControlError) -> Format {
        guard let suffix = suffix(file) else { return .json }
        if let format = Format.allCases.first(where: { $0.suffix == suffix }) { return format }
        let formats = Format.allCases.map { "\($0.rawValue) (\($0.suffix))" }
        throw .usage(
            "cannot write \(file): no format has the ending \(suffix)",
            hint: "formats: \(formats.joined(separator: ", ")); for another name add --format"
        )
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

extension Invocation {
    /// Returns the case of an option's value.
    fileprivate func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        of option: String
    ) throws(ControlError) -> Choice {
        if let choice = Choice(rawValue: name) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw .usage("--\(option) is \(list), not '\(name)'", candidates: names)
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
