import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

enum SheetCommands {
    static let show = Command(
        usage: "show [SESSION]",
        summary: "print the score sheet, who is online and what is not synced",
        details: "★ marks the leader, * a score with different values from several laptops, and ! a"
            + " score that does not count.",
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.show, .init(session: try call.namedSession()))
            let page = call.page(of: reply)
            try call.print(reply.document, page.lines)
        }
    )

    static let wait = Command(
        usage: "wait --for synced|peers=N|turn|ready",
        summary: "wait for a condition, for scripts",
        arity: 0...0,
        details: "synced: another laptop is linked and all linked ones have the same scores."
            + " peers=N: N laptops are linked. turn: it is your turn, or that of --player; exits 5"
            + " if the game is over. ready: the daemon answers. Exits 7 after the timeout.",
        options: [
            CommandOption(
                "for CONDITION",
                "the condition",
                choices: ["synced", "peers=", "turn", "ready"]
            ),
            CommandOption("player NAME", "the player to wait for with turn (you)", kind: .player),
            CommandOption(
                "timeout TIME",
                "the maximum time, such as 30s or 5m (unlimited); a number alone is seconds"
            ),
        ],
        examples: [("wait --for synced --timeout 10s", "before you close the laptop")],
        takesSession: true,
        action: .run(wait)
    )

    private static let timeouts = TypedTime(0, .seconds)...TypedTime(14, .days)

    private static func wait(_ call: Invocation) throws(ControlError) {
        guard let text = call.value("for"), let condition = condition(text, call) else {
            let conditions = "--for synced, --for peers=N, --for turn or --for ready"
            throw .usage("missing condition: \(conditions)")
        }
        guard text == "turn" || !call.has("player") else {
            throw .usage("--player requires --for turn")
        }
        // As for timeout(1), a number alone is seconds.
        let limit = try call.time("timeout", in: timeouts, usual: .seconds)
            .map { Int($0.milliseconds) }
        let start = platform_steady_milliseconds()
        let client = try condition == .ready ? readyDaemon(call, limit) : call.connect()
        let remaining = limit.map { max(0, $0 - Int(platform_steady_milliseconds() - start)) }
        let request = WaitParameters(
            session: call.session,
            condition: condition,
            timeoutMilliseconds: remaining
        )
        // The daemon has the timeout; the margin is for a daemon that hangs.
        let reply = try client.call(
            .wait,
            request,
            timeoutMilliseconds: remaining.map { $0 + 2000 }
        )
        try call.print(reply, [])
    }

    /// Returns a connection to the daemon; with `--no-spawn` it waits for one.
    private static func readyDaemon(
        _ call: Invocation,
        _ limit: Int?
    ) throws(ControlError) -> ControlClient {
        let deadline = limit.map { platform_steady_milliseconds() + Int64($0) }
        while true {
            do { return try call.connect() } catch {
                guard error.kind == .noDaemon, !call.maySpawn else { throw error }
            }
            if let deadline, platform_steady_milliseconds() >= deadline {
                throw ControlError(.timedOut, "no daemon has answered")
            }
            _ = platform_wait(-1, false, -1, 20)
        }
    }

    private static func condition(_ text: String, _ call: Invocation) -> WaitCondition? {
        switch text {
        case "turn": return .turn(player: call.value("player"))
        case "synced": return .synced
        case "ready": return .ready
        default:
            guard text.hasPrefix("peers="), let count = Int(text.dropFirst(6)), count > 0 else {
                return nil
            }
            return .peers(count)
        }
    }
}

/// The history as a table; the current values are marked.
enum HistoryList {
    static func lines(_ entries: [HistoryEntry], now: Int64) -> [Line] {
        guard !entries.isEmpty else { return [Line("No scores yet.")] }
        var table = Table(["When", "Player", "Row", .right("Value"), "", "By", "Replaced"])
        for entry in entries {
            let value = TextWidth.truncated(entry.text ?? entry.value.description, to: 20)
            let texts = entry.replacedTexts ?? entry.replaced.map(\.description)
            let replaced = texts.joined(separator: ", ")
            table.add([
                Line(Ago.text(entry.at, now: now), .faint),
                Line(TextWidth.truncated(entry.player, to: 20)),
                Line(entry.label ?? CellAddress.text(entry.row, entry.round)),
                Line(value, entry.winner ? .strong : .faint), Line(entry.winner ? "✓" : "", .good),
                Line(entry.by + (entry.phone == true ? ", by phone" : "")), Line(replaced, .faint),
            ])
        }
        return table.lines + [Line("✓ current value", .faint)]
    }
}

/// The cells with conflicts, each with the commands that resolve it.
enum ConflictList {
    static func lines(_ conflicts: [ConflictSummary], now: Int64) -> [Line] {
        guard !conflicts.isEmpty else { return [Line("No conflicts.")] }
        var blocks: [[Line]] = []
        for conflict in conflicts {
            let address = CellAddress.text(conflict.row, conflict.round)
            let head = Line(conflict.player, .strong) + Line(" " + (conflict.label ?? address))
            let rows = conflict.values.enumerated().map { index, value in
                [
                    Line("  " + read(value)), author(of: value, isShown: index == 0, now: now),
                    Line(resolve(conflict.player, address, value)),
                ]
            }
            blocks.append([head] + Table.aligned(rows, [.left, .left, .left], gap: 2))
        }
        return Array(blocks.joined(separator: [Line()]))
    }

    /// Returns the command line that resolves a conflict with one of its values.
    static func resolve(_ player: String, _ address: String, _ chosen: AttributedValue) -> String {
        (["scorectl"] + words(player, address, chosen)).map(ShellWord.quoted)
            .joined(separator: " ")
    }

    static func words(_ player: String, _ address: String, _ chosen: AttributedValue) -> [String] {
        guard chosen.value != .null else { return ["clear", player, address] }
        return ["resolve", player, address, chosen.typed ?? chosen.value.description]
    }

    static func author(of value: AttributedValue, isShown: Bool, now: Int64) -> Line {
        let ago = Ago.text(value.at, now: now)
        return Line("by \(value.by), \(ago)" + (isShown ? " (shown)" : ""), .faint)
    }

    static func read(_ value: AttributedValue) -> String { value.text ?? "\(value.value)" }
}

/// `scorectl board`: the score sheet in browsers, served by `scoresync-board`.
enum BoardCommand {
    static let command = Command(
        usage: "board [SESSION]",
        summary: "show the score sheet live in a browser, until Ctrl-C",
        details: "Opens the browser of this laptop. With --lan anyone on the same network with the"
            + " address can see the scores: a television, a tablet, phones, which scan the QR code"
            + " in the terminal. The address cannot be guessed and stays the same, until --new-links"
            + " replaces it and the links of phones, but the connection is not encrypted.\n"
            + "With --enter the board also shows a QR code for each player. Anyone who scans it"
            + " gets a score pad for that player. Scores from phones count as those of this laptop;"
            + " 'history' shows that they came by phone.\n"
            + "The page waits for a daemon that restarts.",
        options: [
            CommandOption("lan", "show it on the local network, with a QR code"),
            CommandOption("enter", "let phones enter scores, each for one player"),
            CommandOption("new-links", "use new addresses; those of earlier boards end"),
            CommandOption("for TIME", "end after this time, such as 90m, 4h or 2d"),
            CommandOption("port N", "the port (47640 to 47649)"),
            CommandOption("no-open", "do not open the browser"),
        ],
        examples: [
            ("board --lan --for 4h", "for the television, this evening"),
            ("board --lan --enter", "everyone enters by phone"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let session = try call.namedSession()
            // Errors about the session are reported before anything is opened.
            let show = try call.call(.show, .init(session: session))
            guard let program = InstalledProgram("scoresync-board") else {
                throw .failed("scoresync-board is neither next to scorectl nor in PATH")
            }
            let paths = try call.paths()
            var words = paths.isChosen ? ["--home", paths.home] : []
            if session != nil { words += ["--session", show.document.session.id] }
            words += ["lan", "enter", "new-links", "no-open", "json"].filter(call.has).map {
                "--\($0)"
            }
            for name in ["for", "port"] {
                if let value = call.value(name) { words += ["--\(name)", value] }
            }
            try Files.check(program.become(words), "start \(program.path)")
        }
    )
}
