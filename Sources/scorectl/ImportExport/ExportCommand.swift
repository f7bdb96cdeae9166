import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl export`: writes sessions into a file.
enum ExportCommand {
    static let command = Command(
        name: "export",
        summary: "write sessions into a file, for import or for other programs",
        words: "[SESSION] [FILE]",
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
            let export = LosslessExport(
                client: client,
                call: call,
                options: options,
                target: target
            )
            do throws(ControlError) { count = try export.write() } catch {
                guard error.kind == .notFound, let word = call.words.first, options.file == nil,
                    word != "-"
                else { throw error }
                throw ControlError(
                    .notFound,
                    error.message,
                    hint: "to write the current session to a file of that name: ./\(word)",
                    candidates: error.candidates
                )
            }
        case .csv: count = try CellTable.write(try options.sessions(client), client, target)
        case .bgstats: count = try Plays.write(options, client, call, target)
        }
        try target.finish()
        guard let file = options.file else { return }
        let reply = ExportSummary(
            file: file,
            format: options.format.rawValue,
            count: count,
            bytes: target.bytes
        )
        try call.print(reply, [Line("Wrote \(file): \(options.format.counted(count)).")])
    }
}

private struct ExportSummary: Encodable {
    let schema = 1
    let file: String
    let format: String
    let count: Int
    let bytes: Int
}

/// The sessions, format and destination of an export.
struct ExportOptions {
    enum Format: String, CaseIterable {
        /// Everything, for `import`.
        case json
        /// A line for each cell.
        case csv
        /// A line for each finished play.
        case bgstats

        /// A number of its lines, in words.
        func counted(_ count: Int) -> String {
            switch self {
            case .json: count == 1 ? "1 session" : "\(count) sessions"
            case .csv: count == 1 ? "1 cell" : "\(count) cells"
            case .bgstats: count == 1 ? "1 play" : "\(count) plays"
            }
        }
    }

    let format: Format
    /// Whether to export all sessions.
    let isAll: Bool
    let withKeys: Bool
    /// The file; nil for standard output.
    let file: String?
    /// The named session; nil for the current one.
    private let session: String?

    init(_ call: Invocation) throws(ControlError) {
        let name = call.value("format") ?? Format.json.rawValue
        guard let format = Format(rawValue: name) else {
            throw ControlError(
                .usage,
                "--format is json, csv or bgstats, not '\(name)'",
                candidates: Format.allCases.map(\.rawValue)
            )
        }
        (self.format, isAll, withKeys) = (format, call.has("all"), call.has("with-key"))
        guard format == .json || !withKeys else {
            throw ControlError(.usage, "--with-key requires --format json")
        }
        var words = call.words
        if isAll || call.session != nil {
            guard words.count < 2, !(isAll && call.session != nil) else {
                throw ControlError(.usage, "the session is named twice")
            }
            session = call.session
        } else if let first = words.first, words.count == 2 || !Self.isFile(first) {
            session = first
            words.removeFirst()
        } else {
            session = nil
        }
        file = words.first == "-" ? nil : words.first
        guard file != nil || !call.isJSON else {
            throw ControlError(.usage, "--json requires a FILE")
        }
    }

    private static func isFile(_ word: String) -> Bool {
        word == "-" || word.contains("/") || word.contains(".")
    }

    /// The names or ids of the sessions, the latest first, so that a next game comes before the
    /// game that refers to it.
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
    /// The number of written bytes.
    private(set) var bytes = 0

    private let console: Console
    private let path: String?
    private var partial = ""
    private var descriptor: Int32 = -1

    /// A file, or standard output for nil.
    init(_ path: String?, isPrivate: Bool, _ console: Console) throws(ControlError) {
        (self.path, self.console) = (path, console)
        guard let path else { return }
        var file = platform_file()
        let result = platform_target_status(path, &file)
        if result != -ENOENT { try Self.check(result, "check \(path)") }
        guard result < 0 || file.is_regular else {
            let hint = "to write elsewhere, redirect standard output"
            throw ControlError(.usage, "\(path) is not a file", hint: hint)
        }
        partial = "\(path).partial-\(platform_own_process())"
        // Registered before it exists, so that no signal can come in between.
        console.removeOnSignal(partial)
        descriptor = try Self.check(platform_create_file(partial, isPrivate), "write \(path)")
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
        guard path != nil else { return console.write(content) }
        try Self.check(
            platform_write_all(descriptor, content, content.count),
            "write \(path ?? "")"
        )
    }

    /// Flushes the file to disk and renames it.
    func finish() throws(ControlError) {
        guard let path else { return }
        try Self.check(platform_sync(descriptor), "write \(path)")
        platform_close(descriptor)
        descriptor = -1
        let renamed = platform_rename(partial, path)
        if renamed < 0 { platform_unlink(partial) }
        console.removeOnSignal(nil)
        try Self.check(renamed, "write \(path)")
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let parent = directory.joined(separator: "/")
        let isRoot = path.utf8.first == UInt8(ascii: "/") && parent.isEmpty
        // Not every file system supports this; the file exists nevertheless.
        _ = platform_sync_directory(isRoot ? "/" : parent.isEmpty ? "." : parent)
    }

    @discardableResult
    private static func check(_ result: Int32, _ action: String) throws(ControlError) -> Int32 {
        guard result < 0 else { return result }
        throw ControlSocketError.system(action, code: -result).controlError
    }
}

/// Writes sessions in the format of `import`; the daemon produces the lines, page by page.
struct LosslessExport {
    let client: ControlClient
    let call: Invocation
    let options: ExportOptions
    let target: ExportTarget

    /// Writes everything and returns the number of sessions.
    func write() throws(ControlError) -> Int {
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
        guard header != nil else {
            throw ControlError(.notFound, "no sessions to export")
        }
        try target.write(ExportEnd.line(ofFileWith: sessions.count) + [0x0A])
        return sessions.count
    }
}

/// The progress of long work on a terminal; short work shows none.
struct Progress {
    private static let delayMilliseconds: Int64 = 400
    private static let intervalMilliseconds: Int64 = 100

    private let work: String
    private let console: Console
    private var nextUpdate: Int64
    private var share: Double?
    private var isShown = false

    /// The progress of work that starts now, such as `exporting`.
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
