import CPlatform
import SessionCRDT
import SyncProtocol

/// One run of `scorectl`: from the arguments to the exit status.
enum Program {
    static func run(_ arguments: [String], _ console: Console) -> Int32 {
        let console = console.withoutDumbTerminal
        if let status = UnlistedCommand.run(arguments, console) { return status }
        var parsed: ParsedArguments?
        do throws(ControlError) {
            // `--version` is conventional; here it is a command.
            let asksForVersion =
                arguments.contains("--version")
                && ParsedArguments.commands(named: arguments, in: CommandTree.commands).isEmpty
            let words =
                asksForVersion
                ? arguments.map { $0 == "--version" ? "version" : $0 } : arguments
            let line = try ParsedArguments(words, in: CommandTree.commands)
            parsed = line
            return try run(Invocation(arguments: line, console: console))
        } catch {
            let isJSON = parsed?.options.keys.contains("json") ?? arguments.contains("--json")
            if isJSON,
                let json = try? ControlJSON.encode(["schema": 1, "error": error] as JSONDocument)
            {
                console.writeError(HarmlessJSON.escaped(json) + [0x0A])
            } else {
                let typed = parsed.map { $0.words + $0.options.values.joined().sorted() }
                let named = ParsedArguments.commands(named: arguments, in: CommandTree.commands)
                let lines = lines(error, typed ?? arguments, named.map(\.name))
                lines.forEach(console.inform)
            }
            return error.exitCode
        }
    }

    private static func run(_ call: Invocation) throws(ControlError) -> Int32 {
        let path = call.arguments.path
        guard let command = call.arguments.command else {
            call.printLines(HelpPage.overview(of: CommandTree.commands, call.helpColumns))
            return 0
        }
        if call.arguments.asksForHelp {
            let page = HelpPage(command: command, path: path, columns: call.helpColumns)
            call.printLines(page.lines)
            return 0
        }
        switch command.resolved.action {
        case .group(let subcommands):
            let names = subcommands.map(\.name).joined(separator: ", ")
            let name = path.joined(separator: " ")
            throw .usage("'\(name)' needs a subcommand: \(names)")
        case .run(let action):
            try call.arguments.checkWords()
            try action(call)
            return 0
        case .runWithStatus(let action):
            try call.arguments.checkWords()
            return try action(call)
        }
    }

    /// Formats an error for people, with the names that they may have meant.
    private static func lines(
        _ error: ControlError,
        _ typed: [String],
        _ path: [String]
    ) -> [String] {
        var lines = ["scorectl: " + error.text]
        if let candidates = error.candidates, !candidates.isEmpty {
            // Many messages already contain the candidates.
            let list = candidates.joined(separator: ", ")
            let isListed = candidates.count > 1 && error.text.contains(list)
            if !isListed { lines.append(Suggestion.text(candidates, near: typed)) }
        }
        guard error.kind == .usage else { return lines }
        return lines + ["Try: " + (["scorectl", "help"] + path).joined(separator: " ")]
    }
}

/// The commands of `scorectl`, in the order in which help lists them.
enum CommandTree {
    static let commands: [Command] = [
        GamesCommands.group, SessionCommands.group, JoinCommand.command, PlayerCommands.group,
        PeopleCommands.group,
        ScoreCommands.score, ScoreCommands.clear, ScoreCommands.undo, ScoreCommands.resolve,
        PlayCommands.play, PlayCommands.reset,
        SheetCommands.show, WatchCommand.command, ChartCommand.command, BoardCommand.command,
        AppCommand.command,
        SheetCommands.wait,
        ScoreCommands.conflicts, ScoreCommands.history,
        StatisticsCommands.results, StatisticsCommands.leaders, StatisticsCommands.stats,
        ExportCommand.command, ImportCommand.command,
        PeerCommands.group, DaemonCommands.status, DaemonCommands.group,
        BackupCommand.command, RestoreHomeCommand.command, DoctorCommand.command,
        DemoCommand.command, CompletionsCommand.command, GeneralCommands.version,
        GeneralCommands.help,
    ]
}

/// Commands for other programs, which help does not list; they have no options.
enum UnlistedCommand {
    /// Runs an unlisted command and returns the exit status; nil for other arguments.
    static func run(_ arguments: [String], _ console: Console) -> Int32? {
        let words = Array(arguments.dropFirst())
        let lines: [String]?
        switch arguments.first {
        case "__complete":
            lines = ShellCompletion(commands: CommandTree.commands).lines(words, console)
        case "__man": lines = ManualPage.lines(words, console)
        case "__service": lines = ServiceFile.lines(words)
        default: return nil
        }
        guard let lines else { return 2 }
        console.write(Array(lines.map { $0 + "\n" }.joined().utf8))
        return 0
    }
}

/// The exit statuses of `scorectl`, on which scripts may rely.
enum ExitStatus {
    static let all: [(code: Int32, meaning: String)] = [
        (0, "done"),
        (1, "failed"),
        (2, "usage error, or a question without a terminal"),
        (3, "the daemon is not running, and was not started"),
        (4, "no such session, player, game, ..., or no answer"),
        (5, "refused by the rules of the game, or by the session"),
        (6, "join code rejected"),
        (7, "timed out"),
        (8, "incompatible versions of this program and the daemon"),
        (10, "'scorectl doctor' found a problem"),
    ]
}

// Top-level closures would be isolated to the main actor, so a function does all the work.
platform_exit(Program.run(Array(CommandLine.arguments.dropFirst()), .ofThisProcess()))
