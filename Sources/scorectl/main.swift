import CPlatform
import SyncProtocol

/// One run of `scorectl`: from the words that were typed to the exit status.
enum Program {
    /// Does what the words say, prints, and answers with the exit status.
    static func run(_ arguments: [String], _ console: Console) -> Int32 {
        if let status = UnlistedCommand.run(arguments, console) { return status }
        var line: TypedLine?
        do throws(ControlError) {
            let commands = CommandTree.commands
            // What every program understands, though it is a command here.
            let asksForVersion = arguments.first == "--version"
            let words = asksForVersion ? ["version"] + arguments.dropFirst() : arguments
            let parsed = try TypedLine(words, in: commands)
            line = parsed
            return try run(parsed, commands, console)
        } catch {
            let isJSON = line.map { $0.options["json"] != nil } ?? arguments.contains("--json")
            report(error, line, arguments, isJSON: isJSON, console)
            return error.exitCode
        }
    }

    private static func run(
        _ line: TypedLine,
        _ commands: [Command],
        _ console: Console
    ) throws(ControlError) -> Int32 {
        let invocation = Invocation(line: line, console: console)
        guard let command = line.command else {
            invocation.printLines(HelpPage.overview(of: commands))
            return 0
        }
        if line.asksForHelp {
            invocation.printLines(HelpPage(command, path: line.path).lines)
            return 0
        }
        switch command.acting.action {
        case .group(let subcommands):
            let names = subcommands.map(\.name).joined(separator: ", ")
            let path = line.path.joined(separator: " ")
            throw ControlError(.usage, "'\(path)' needs one of: \(names)")
        case .run(let action):
            try line.checkWords()
            try action(invocation)
            return 0
        case .judge(let action):
            try line.checkWords()
            return try action(invocation)
        }
    }

    private static func report(
        _ error: ControlError,
        _ typed: TypedLine?,
        _ arguments: [String],
        isJSON: Bool,
        _ console: Console
    ) {
        if isJSON, let json = try? ControlJSON.encode(Report(error: error)) {
            return console.writeError(HarmlessJSON.of(json) + [0x0A])
        }
        var lines = [Line("scorectl: " + error.text)]
        if let candidates = error.candidates, !candidates.isEmpty {
            // Often the message itself lists them, and the same list twice helps nobody.
            let list = candidates.joined(separator: ", ")
            let isListed = candidates.count > 1 && error.text.contains(list)
            let words = typed.map { $0.words + $0.options.values.joined().sorted() }
            if !isListed {
                lines.append(Line(Suggestion.text(candidates, near: words ?? arguments)))
            }
        }
        if error.kind == .usage {
            lines.append(
                Line("Try: " + (["scorectl", "help"] + (typed?.path ?? [])).joined(separator: " "))
            )
        }
        console.writeError(Array(lines.map { $0.text + "\n" }.joined().utf8))
    }

    /// An error as `--json` prints it.
    private struct Report: Encodable {
        let schema = 1
        let error: ControlError
    }
}

/// Every command of `scorectl`, in the order in which help lists them.
enum CommandTree {
    /// The commands at the top.
    static var commands: [Command] {
        [
            GamesCommands.group, SessionCommands.group, JoinCommand.command, PlayerCommands.group,
            PeopleCommands.group,
            ScoreCommands.score, ScoreCommands.clear, ScoreCommands.undo, ScoreCommands.resolve,
            PlayCommands.play, PlayCommands.reset,
            SheetCommands.show, WatchCommand.command, ChartCommand.command, BoardCommand.command,
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
}

/// What other programs call and people do not: no help lists it, and words are taken as they are.
enum UnlistedCommand {
    /// Does what the words say; nil where they are no such command, else the exit status.
    static func run(_ arguments: [String], _ console: Console) -> Int32? {
        let words = Array(arguments.dropFirst())
        let lines: [String]?
        switch arguments.first {
        case "__complete": lines = ShellCompletion(CommandTree.commands).lines(words, console)
        case "__man": lines = ManualPage.lines(words, console)
        case "__service": lines = ServiceFile.lines(words)
        default: return nil
        }
        guard let lines else { return 2 }
        console.write(Array(lines.map { $0 + "\n" }.joined().utf8))
        return 0
    }
}

/// What the exit statuses of `scorectl` mean: scripts may rely on them.
enum ExitStatus {
    /// All of them, by number.
    static let all: [(code: Int32, meaning: String)] = [
        (0, "done"),
        (1, "it could not be done"),
        (2, "what was typed makes no sense, or nobody could be asked"),
        (3, "no daemon runs, and none could or was to be started"),
        (4, "there is no such session, player, game, ..., or nobody answers"),
        (5, "the rules of the game, or the session, forbid it"),
        (6, "the join code was rejected"),
        (7, "it was not so in time"),
        (8, "this program and the daemon are of versions that do not fit"),
        (10, "'scorectl doctor' found a problem"),
    ]
}

/// Outside of the main actor, to which everything in this file would belong.
platform_exit(Program.run(Array(CommandLine.arguments.dropFirst()), .ofThisProcess()))
