import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

/// `scorectl app`: everything in the browser of this laptop, served by `scoresync-board`.
enum AppCommand {
    static let command = Command(
        usage: "app",
        summary: "open ScoreSync in the browser of this laptop",
        details: "Opens the app, in which a whole evening can be played without a terminal: games,"
            + " players, scores, invites, phones, results, backups. Only this user of this laptop"
            + " can open it. The app keeps running in the background after the terminal is closed,"
            + " and ends an hour after its last page, or from its menu.",
        options: [CommandOption("no-open", "print an address that works once, within a minute")],
        examples: [("app", "open ScoreSync")],
        action: .run(run)
    )

    private static let limitMilliseconds: Int32 = 10_000

    /// The output of `app --json`.
    private struct Opened: Encodable {
        let schema = 1
        /// The address that works once; absent if the browser was opened.
        let url: String?
        /// The address of the page in a browser that was let in.
        let page: String
    }

    private static func run(_ call: Invocation) throws(ControlError) {
        // Starts the daemon, whose errors are clearer here than in a browser.
        _ = try call.call(.status, NoParameters())
        let paths = try call.paths()
        let files = AppFiles(paths)
        let page = try page(files, paths)
        let key = try files.makeKey(for: page)
        let opens = !call.has("no-open")
        if opens { try openBrowser(key.path) }
        let opened = Opened(url: opens ? nil : key.url, page: page)
        let text = opens ? "Opened in the browser: \(page)" : key.url
        try call.print(opened, [Line(text)])
    }

    private static func openBrowser(_ page: String) throws(ControlError) {
        guard let program = InstalledProgram.browser else {
            throw ControlError(
                .failed,
                "cannot open a browser: xdg-open is missing",
                hint: "print the address instead with: scorectl app --no-open"
            )
        }
        program.startDetached([page])
    }

    private static func page(
        _ files: AppFiles,
        _ paths: ControlPaths
    ) throws(ControlError) -> String {
        if let page = try runningPage(files) { return page }
        return try launch(paths, files)
    }

    /// Returns the URL of the running app; an app from before an update is stopped.
    private static func runningPage(_ files: AppFiles) throws(ControlError) -> String? {
        guard let running = files.running else { return nil }
        let program = InstalledProgram("scoresync-board")
        if let program, ProgramBuild(at: program.path)?.text == running.build {
            return running.url
        }
        guard let process = files.process else { return nil }
        do throws(ControlSocketError) { try process.terminate() } catch { throw error.controlError }
        guard process.hasEnded(withinMilliseconds: limitMilliseconds) else {
            throw ControlError(.timedOut, "the app of an earlier version does not end")
        }
        return nil
    }

    /// Starts the app, unless another caller has just done so, and returns its URL.
    private static func launch(
        _ paths: ControlPaths,
        _ files: AppFiles
    ) throws(ControlError) -> String {
        guard let program = InstalledProgram("scoresync-board") else {
            throw .failed("scoresync-board is neither next to scorectl nor in PATH")
        }
        let log = platform_open_log("\(paths.state)/app.log")
        try Files.check(log, "open the log \(paths.state)/app.log")
        defer { platform_close(log) }
        let (_, pipe) = try DaemonLauncher.spawn(program.path, ["--app"], for: paths, log: log)
        defer { platform_close(pipe) }
        let message = DaemonLauncher.message(from: pipe, within: limitMilliseconds)
        if let running = files.running { return running.url }
        let reason = message.map { ": " + $0.drop { $0 == "!" } } ?? ""
        throw ControlError(.failed, "the app did not start\(reason)")
    }
}
