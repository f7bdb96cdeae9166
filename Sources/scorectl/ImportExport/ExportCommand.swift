import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl export`: sessions into a file.
enum ExportCommand {
    static let command = Command(
        name: "export",
        summary: "write sessions into a file, for import or for other programs",
        words: "[SESSION] [FILE]",
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
            CommandOption("all", "all sessions"),
            CommandOption(
                "format FORM",
                "json (the default), csv or bgstats",
                choices: ["json", "csv", "bgstats"]
            ),
            CommandOption("with-key", "with the keys: whoever has the file is a member"),
        ],
        examples: [
            ("export Friday friday.json", "one session"),
            ("export --all scores.json", "everything that is held here"),
            ("export --format csv friday.csv", "the current one, for a spreadsheet"),
        ],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        let wish = try ExportWish(call)
        if wish.withKeys {
            call.inform("Whoever gets this file is a member of what is in it: keep it as a key.")
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

/// What somebody wants to export, and where.
struct ExportWish {
    /// In which form.
    enum Form: String, CaseIterable {
        /// Everything, for `import`.
        case json
        /// A line for each cell.
        case csv
        /// A line for each play that has ended.
        case bgstats

        /// A number of what its lines are about, in words.
        func counted(_ count: Int) -> String {
            switch self {
            case .json: count == 1 ? "1 session" : "\(count) sessions"
            case .csv: count == 1 ? "1 cell" : "\(count) cells"
            case .bgstats: count == 1 ? "1 play" : "\(count) plays"
            }
        }
    }

    /// The form.
    let form: Form
    /// Whether all sessions are meant.
    let isAll: Bool
    /// Whether keys go along.
    let withKeys: Bool
    /// The file; nil is standard output.
    let file: String?
    /// The session as it was named; nil is the current one.
    private let session: String?

    /// What a command line says.
    init(_ call: Invocation) throws(ControlError) {
        let name = call.value("format") ?? Form.json.rawValue
        guard let form = Form(rawValue: name) else {
            let forms = Form.allCases.map(\.rawValue)
            throw ControlError(
                .usage,
                "--format is json, csv or bgstats, not '\(name)'",
                candidates: forms
            )
        }
        self.form = form
        isAll = call.has("all")
        withKeys = call.has("with-key")
        guard form == .json || !withKeys else {
            throw ControlError(.usage, "--with-key goes with --format json only")
        }
        var words = call.words
        if isAll || call.session != nil {
            guard words.count < 2, !(isAll && call.session != nil) else {
                throw ControlError(.usage, "the session is named twice")
            }
            session = call.session
        } else if let first = words.first, words.count == 2 || !ExportWish.isFile(first) {
            session = first
            words.removeFirst()
        } else {
            session = nil
        }
        file = words.first == "-" ? nil : words.first
        guard file != nil || !call.isJSON else {
            throw ControlError(.usage, "--json tells about a file: name one")
        }
    }

    private static func isFile(_ word: String) -> Bool {
        word == "-" || word.contains("/") || word.contains(".")
    }

    /// What is meant, as calls name it; the latest first, so that a next game comes before the one
    /// that names it.
    func sessions(_ client: ControlClient) throws(ControlError) -> [String?] {
        guard isAll else { return [session] }
        return try client.call(.sessions).sessions.map(\.id)
    }

    /// What is meant, by ids.
    func ids(_ client: ControlClient) throws(ControlError) -> Set<String> {
        var ids: Set<String> = []
        for session in try sessions(client) {
            ids.insert(try client.call(.session, .init(session: session)).session.id)
        }
        return ids
    }
}

/// Where an export goes: a file that is there whole or not at all, or standard output.
///
/// The file is written beside its place under another name, flushed, and then given its name; one
/// that was there before stays until then. A signal that ends the process takes it along.
final class ExportTarget {
    /// How many bytes were written.
    private(set) var bytes = 0

    private let console: Console
    private let path: String?
    private var partial = ""
    private var descriptor: Int32 = -1

    /// A file, or with nil standard output.
    init(_ path: String?, isPrivate: Bool, _ console: Console) throws(ControlError) {
        self.path = path
        self.console = console
        guard let path else { return }
        guard try Self.check(platform_file_kind(path), "look at \(path)") < 2 else {
            throw ControlError(
                .usage,
                "\(path) is no file; to write elsewhere, let it go to standard output"
            )
        }
        partial = "\(path).partial-\(platform_own_process())"
        // Before it is there, so that no signal can come in between: its name is this process's.
        console.removeOnSignal(partial)
        descriptor = try Self.check(platform_create_file(partial, isPrivate), "make \(partial)")
    }

    deinit {
        if descriptor >= 0 {
            platform_close(descriptor)
            platform_unlink(partial)
        }
        console.removeOnSignal(nil)
    }

    /// Adds bytes.
    func write(_ content: [UInt8]) throws(ControlError) {
        bytes += content.count
        guard path != nil else { return console.write(content) }
        try Self.check(platform_write_all(descriptor, content, content.count), "write \(partial)")
    }

    /// Gives the file its name, once all of it is on disk.
    func finish() throws(ControlError) {
        guard let path else { return }
        try Self.check(platform_sync(descriptor), "write \(partial)")
        platform_close(descriptor)
        descriptor = -1
        let renamed = platform_rename(partial, path)
        if renamed < 0 { platform_unlink(partial) }
        console.removeOnSignal(nil)
        try Self.check(renamed, "write \(path)")
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let parent = directory.joined(separator: "/")
        let isRoot = path.utf8.first == UInt8(ascii: "/") && parent.isEmpty
        // Some file systems cannot; the file is there nevertheless.
        _ = platform_sync_directory(isRoot ? "/" : parent.isEmpty ? "." : parent)
    }

    @discardableResult
    private static func check(_ result: Int32, _ action: String) throws(ControlError) -> Int32 {
        guard result < 0 else { return result }
        throw ControlSocketError.system(action, code: -result).controlError
    }
}

/// Writes sessions as `import` reads them: the daemon makes the lines, page by page.
struct LosslessExport {
    private let client: ControlClient
    private let call: Invocation
    private let wish: ExportWish
    private let target: ExportTarget

    /// An export by a connection.
    init(
        _ client: ControlClient,
        _ call: Invocation,
        _ wish: ExportWish,
        _ target: ExportTarget
    ) {
        self.client = client
        self.call = call
        self.wish = wish
        self.target = target
    }

    /// Writes everything; how many sessions there were.
    func write() throws(ControlError) -> Int {
        let sessions = try wish.sessions(client)
        var progress = Progress("exporting", call.console)
        defer { progress.clear() }
        var header: String?
        for (place, session) in sessions.enumerated() {
            let request = ExportParameters(session: session, withKey: wish.withKeys)
            let begun = try client.call(.startExport, request)
            if header == nil {
                header = begun.header
                try target.write(Array(begun.header.utf8))
            }
            if begun.isKeyMissing {
                progress.clear()
                call.inform("“\(begun.title)” goes along without key: it has none here.")
            }
            var isLast = false
            while !isLast {
                let page = try client.call(.nextExport)
                try target.write(Array(page.text.utf8))
                isLast = page.isLast
                let share = Double(min(page.rows, begun.rows)) / Double(max(1, begun.rows))
                progress.show((Double(place) + share) / Double(sessions.count))
            }
        }
        guard header != nil else {
            throw ControlError(.notFound, "there is no session here to export")
        }
        try target.write(ExportEnd.line(ofFileWith: sessions.count) + [0x0A])
        return sessions.count
    }
}

/// Tells on a terminal how far long work is; short work says nothing.
struct Progress {
    /// How long nothing is said, and how long between two sayings.
    private static let patienceMilliseconds: Int64 = 400
    private static let pauseMilliseconds: Int64 = 100

    private let work: String
    private let console: Console
    private var sayAt: Int64
    private var share: Double?
    private var isShown = false

    /// Work that begins now, in a word: `exporting`.
    init(_ work: String, _ console: Console) {
        self.work = work
        self.console = console
        sayAt = console.steady() + Progress.patienceMilliseconds
    }

    /// Says how much is done, from 0 to 1; nil where that is not known, or as before.
    mutating func show(_ share: Double?) {
        self.share = share ?? self.share
        let now = console.steady()
        guard console.isErrorTerminal, now >= sayAt else { return }
        sayAt = now + Progress.pauseMilliseconds
        isShown = true
        let percent = self.share.map { ": \(Int(max(0, min(1, $0)) * 100)) %" } ?? " …"
        console.writeError(Array("\r\u{1B}[K\(work)\(percent)".utf8))
    }

    /// Takes away what was said.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        console.writeError(Array("\r\u{1B}[K".utf8))
    }
}
