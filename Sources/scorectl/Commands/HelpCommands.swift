import ScoreSheets
import SyncProtocol

enum GeneralCommands {
    static let version = Command(
        usage: "version",
        summary: "print the version",
        action: .run { call throws(ControlError) in
            let document: JSONDocument = ["schema": 1, "version": Versions.program]
            try call.print(document, [Line("scorectl \(Versions.program)")])
        }
    )

    static let help = Command(
        usage: "help [COMMAND...]",
        summary: "explain a command, a game, or a topic",
        arity: 0...3,
        details: "A game may stand for COMMAND, and so may the topics environment, files, words and"
            + " exit-codes. With --json it prints everything about all commands, or one, in one line: the"
            + " source of shell completions and man pages.",
        action: .run(help)
    )

    private static func help(_ call: Invocation) throws(ControlError) {
        let commands = CommandTree.commands
        if call.words.count == 1, !commands.contains(where: { $0.name == call.words[0] }) {
            if let topic = HelpTopic(rawValue: call.words[0]) {
                return try call.print(topic.document, topic.lines)
            }
            if (try? SheetLibrary.builtIn.sheet(named: call.words[0])) != nil {
                return try GamesCommands.explain(.init(game: call.words[0]), call)
            }
        }
        let line = try ParsedArguments(call.words, in: commands)
        guard let command = line.command else {
            return try call.print(
                CommandTreeDocument.all(commands),
                HelpPage.overview(of: commands)
            )
        }
        if let extra = line.words.first {
            let name = line.path.joined(separator: " ")
            throw .usage("unknown command '\(extra)': '\(name)' has no subcommands")
        }
        let document = CommandTreeDocument.document(of: command, under: line.path.dropLast())
        try call.print(document, HelpPage(command: command, path: line.path).lines)
    }
}

/// Facts about all commands that help explains.
private enum HelpTopic: String {
    case environment, files, words
    case exitCodes = "exit-codes"

    private var pairs: [(String, String)] {
        switch self {
        case .environment: Reference.variables.map { ($0.name, $0.meaning) }
        case .files: Reference.files.map { ($0.name, $0.meaning) }
        case .words: Reference.words
        case .exitCodes: ExitStatus.all.map { ("\($0.code)", $0.meaning) }
        }
    }

    var lines: [Line] { HelpPage.pairs(pairs) }

    var document: JSONDocument {
        let items = pairs.map { ["name": $0.0, "meaning": $0.1] }
        return ["schema": 1, "topic": rawValue, "items": items]
    }
}

/// The help page of a command, at most 80 columns wide.
struct HelpPage {
    let command: Command
    /// The names of the groups around the command and its own.
    let path: [String]

    var lines: [Line] {
        let name = (["scorectl"] + path).joined(separator: " ")
        var lines = [Line(name, .strong) + Line(" – " + command.summary), Line()]
        if command.subcommands.isEmpty {
            let words = command.words.isEmpty ? "" : " " + command.words
            let options = command.options.isEmpty ? "" : " [OPTION...]"
            lines.append(Line("Usage: \(name)\(words)\(options)"))
        } else {
            let word = command.defaultSubcommand == nil ? "COMMAND" : "[COMMAND]"
            lines.append(Line("Usage: \(name) \(word)"))
            if !command.resolved.words.isEmpty, command.defaultSubcommand != nil {
                lines.append(Line("       \(name) \(command.resolved.words) [OPTION...]"))
            }
            lines += Self.section("Commands", Self.list(command.subcommands))
        }
        for paragraph in command.paragraphs {
            lines.append(Line())
            lines += TextWidth.wrapped(paragraph, to: 80).map { Line($0) }
        }
        if !command.options.isEmpty { lines += Self.section("Options", Self.list(command.options)) }
        if !command.examples.isEmpty {
            let pairs = command.examples.map { ("scorectl " + $0.line, $0.does) }
            lines += Self.section("Examples", Self.pairs(pairs, limit: 46))
        }
        lines += [Line(), Line("'scorectl help' lists all commands and common options.", .faint)]
        return lines
    }

    static func overview(of commands: [Command]) -> [Line] {
        var lines = [
            Line("scorectl", .strong) + Line(" – one score sheet on many laptops"),
            Line(),
            Line("Usage: scorectl COMMAND [WORD...] [OPTION...]"),
        ]
        lines += section("Commands", list(commands))
        lines += section("Options of every command", list(CommandOption.global))
        let codes = ExitStatus.all.map { ("\($0.code)", $0.meaning) }
        lines += section("Exit status", pairs(codes))
        lines += [
            Line(),
            Line("'scorectl help COMMAND' explains a command. To start:", .faint),
        ]
        return lines + firstSteps.map { Line("  " + $0) }
    }

    static let firstSteps = [
        "scorectl session new rounds --title Friday --player Ann,Bob --me Ann",
        "scorectl session invite",
    ]

    private static func section(_ title: String, _ content: [Line]) -> [Line] {
        [Line(), Line(title + ":", .strong)] + content
    }

    private static func list(_ commands: [Command]) -> [Line] {
        let rows = commands.map { command in
            let subcommands = command.subcommands.map(\.name).joined(separator: ", ")
            return (command.name, command.summary + (subcommands.isEmpty ? "" : ": " + subcommands))
        }
        return pairs(rows)
    }

    private static func list(_ options: [CommandOption]) -> [Line] {
        pairs(
            options.map { option in
                let value = option.value.map { " " + $0 } ?? ""
                let letter = option.letter.map { "-\($0), " } ?? ""
                return (letter + "--" + option.name + value, option.summary)
            }
        )
    }

    /// Renders two columns and wraps the second; a long entry of the first has a line of its own.
    fileprivate static func pairs(_ rows: [(String, String)], limit: Int = 28) -> [Line] {
        let widest = rows.map { TextWidth.of($0.0) }.filter { $0 <= limit }.max() ?? 0
        return rows.flatMap { left, right -> [Line] in
            let texts = TextWidth.wrapped(right, to: 80 - widest - 4)
            let isLong = TextWidth.of(left) > widest
            var lines = isLong ? [Line("  " + left)] : []
            for (index, text) in texts.enumerated() {
                let isFirst = index == 0 && !isLong
                let head = Line("  " + (isFirst ? left : "")).padded(to: widest + 4, .left)
                lines.append(head + Line(text))
            }
            return lines
        }
    }
}
