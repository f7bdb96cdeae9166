import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl show` and `scorectl wait`.
enum SheetCommands {
    static let show = Command(
        name: "show",
        summary: "print the score sheet, who is online and what is not synced",
        words: "[SESSION]",
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
        name: "wait",
        summary: "wait for a condition, for scripts",
        words: "--for synced|peers=N|turn|ready",
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
            CommandOption("player NAME", "the player of turn (you)", kind: .player),
            CommandOption("timeout SECONDS", "the maximum time (unlimited)"),
        ],
        examples: [("wait --for synced --timeout 10", "before you close the laptop")],
        takesSession: true,
        action: .run(wait)
    )

    private static func wait(_ call: Invocation) throws(ControlError) {
        guard let text = call.value("for"), let condition = condition(text, call) else {
            throw ControlError(
                .usage,
                "missing condition: --for synced, --for peers=N, --for turn or --for ready"
            )
        }
        guard text == "turn" || !call.has("player") else {
            throw ControlError(.usage, "--player requires --for turn")
        }
        let limit = try call.value("timeout").map { (text) throws(ControlError) in
            guard let seconds = Double(text), seconds >= 0, seconds <= 1_000_000 else {
                throw ControlError(.usage, "--timeout needs a number of seconds, not '\(text)'")
            }
            return Int(seconds * 1000)
        }
        let start = platform_steady_milliseconds()
        let client = try condition == .ready ? readyDaemon(call, limit) : call.connect()
        let left = limit.map { max(0, $0 - Int(platform_steady_milliseconds() - start)) }
        let request = WaitParameters(
            session: call.session,
            condition: condition,
            timeoutMilliseconds: left
        )
        // The daemon times out by itself; the margin is for one that hangs.
        let reply = try client.call(.wait, request, timeoutMilliseconds: left.map { $0 + 2000 })
        try call.print(reply, [])
    }

    /// A connection to the daemon; with `--no-spawn` it waits for one.
    private static func readyDaemon(
        _ call: Invocation,
        _ limit: Int?
    ) throws(ControlError) -> ControlClient {
        let end = limit.map { platform_steady_milliseconds() + Int64($0) }
        while true {
            do { return try call.connect() } catch {
                guard error.kind == .noDaemon, !call.maySpawn else { throw error }
            }
            if let end, platform_steady_milliseconds() >= end {
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
            let rows = conflict.values.enumerated().map { index, value -> [Line] in
                let command = resolve(conflict.player, address, value)
                let by = "by \(value.by), \(Ago.text(value.at, now: now))"
                let shown = index == 0 ? " (shown)" : ""
                return [Line("  " + read(value)), Line(by + shown, .faint), Line(command)]
            }
            blocks.append([head] + Table.aligned(rows, [.left, .left, .left], gap: 2))
        }
        return Array(blocks.joined(separator: [Line()]))
    }

    /// The command line that chooses a value.
    static func resolve(_ player: String, _ address: String, _ chosen: AttributedValue) -> String {
        (["scorectl"] + words(player, address, chosen)).map(ShellWord.quoted)
            .joined(separator: " ")
    }

    /// The arguments that choose a value.
    static func words(_ player: String, _ address: String, _ chosen: AttributedValue) -> [String] {
        guard chosen.value != .null else { return ["clear", player, address] }
        return ["resolve", player, address, chosen.typed ?? typed(chosen.value)]
    }

    /// A value for people.
    static func read(_ value: AttributedValue) -> String { value.text ?? "\(value.value)" }

    /// A value as it is typed.
    private static func typed(_ value: Scalar) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}
