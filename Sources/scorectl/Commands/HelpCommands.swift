import ScoreSheets
import SyncProtocol
import TerminalText

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
        isPage: true,
        action: .run(help)
    )

    private static func help(_ call: Invocation) throws(ControlError) {
        let commands = CommandTree.commands
        if call.words.count == 1, !commands.contains(where: { $0.name == call.words[0] }) {
            if let topic = HelpTopic(rawValue: call.words[0]) {
                return try call.print(topic.document, topic.lines(call.helpColumns))
            }
            if (try? SheetLibrary.builtIn.sheet(named: call.words[0])) != nil {
                return try GamesCommands.explain(.init(game: call.words[0]), call)
            }
        }
        let line = try ParsedArguments(call.words, in: commands)
        guard let command = line.command else {
            return try call.print(
                CommandTreeDocument.all(commands),
                HelpPage.overview(of: commands, call.helpColumns)
            )
        }
        if let extra = line.words.first {
            let name = line.path.joined(separator: " ")
            throw .usage("unknown command '\(extra)': '\(name)' has no subcommands")
        }
        var document = CommandTreeDocument.document(of: command, under: line.path.dropLast())
        document["schema"] = 1
        let page = HelpPage(command: command, path: line.path, columns: call.helpColumns)
        try call.print(document, page.lines)
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

    func lines(_ columns: Int) -> [Line] { HelpLayout(columns: columns).pairs(pairs) }

    var document: JSONDocument {
        let items = pairs.map { ["name": $0.0, "meaning": $0.1] }
        return ["schema": 1, "topic": rawValue, "items": items]
    }
}

/// The help page of a command.
struct HelpPage {
    let command: Command
    /// The names of the groups around the command and its own.
    let path: [String]
    let columns: Int

    var lines: [Line] {
        let layout = HelpLayout(columns: columns)
        let name = (["scorectl"] + path).joined(separator: " ")
        var lines = layout.title(name, command.summary)
        if command.subcommands.isEmpty {
            let options = command.options.isEmpty ? "" : "[OPTION...]"
            lines += layout.usage([Self.form(name, command.words, options)])
        } else {
            let word = command.defaultSubcommand == nil ? "COMMAND" : "[COMMAND]"
            let words = command.defaultSubcommand == nil ? "" : command.resolved.words
            let others = words.isEmpty ? [] : [Self.form(name, words, "[OPTION...]")]
            lines += layout.usage([Self.form(name, word)] + others)
            lines += layout.section("Commands", layout.pairs(Self.list(command.subcommands)))
        }
        for paragraph in command.paragraphs { lines += [Line()] + layout.paragraph(paragraph) }
        if !command.options.isEmpty {
            lines += layout.section("Options", layout.pairs(Self.list(command.options)))
        }
        if !command.examples.isEmpty {
            let pairs = command.examples.map { ("scorectl " + $0.line, $0.does) }
            lines += layout.section("Examples", layout.pairs(pairs, limit: 46))
        }
        let more = "'scorectl help' lists all commands and common options."
        return lines + [Line()] + layout.paragraph(more, .faint)
    }

    static func overview(of commands: [Command], _ columns: Int) -> [Line] {
        let layout = HelpLayout(columns: columns)
        var lines = layout.title("scorectl", "one score sheet on many laptops")
        lines += layout.usage(["scorectl COMMAND [WORD...] [OPTION...]"])
        lines += layout.section("Commands", layout.pairs(list(commands)))
        let options = layout.pairs(list(CommandOption.global))
        lines += layout.section("Options of every command", options)
        let codes = ExitStatus.all.map { ("\($0.code)", $0.meaning) }
        lines += layout.section("Exit status", layout.pairs(codes))
        let more = "'scorectl help COMMAND' explains a command. To start:"
        lines += [Line()] + layout.paragraph(more, .faint)
        return lines + firstSteps.map { Line("  " + $0) }
    }

    static let firstSteps = [
        "scorectl session new rounds --title Friday --player Ann,Bob --me Ann",
        "scorectl session invite",
    ]

    private static func form(_ words: String...) -> String {
        words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func list(_ commands: [Command]) -> [(String, String)] {
        commands.map { command in
            let subcommands = command.subcommands.map(\.name).joined(separator: ", ")
            return (command.name, command.summary + (subcommands.isEmpty ? "" : ": " + subcommands))
        }
    }

    private static func list(_ options: [CommandOption]) -> [(String, String)] {
        options.map { option in
            let value = option.value.map { " " + $0 } ?? ""
            let letter = option.letter.map { "-\($0), " } ?? ""
            return (letter + "--" + option.name + value, option.summary)
        }
    }
}
