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
        let document = CommandTreeDocument.document(of: command, under: line.path.dropLast())
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

    func lines(_ columns: Int) -> [Line] { HelpPage.pairs(pairs, columns) }

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
        let name = (["scorectl"] + path).joined(separator: " ")
        var lines = Self.title(name, command.summary, columns)
        if command.subcommands.isEmpty {
            let options = command.options.isEmpty ? "" : "[OPTION...]"
            lines += Self.usage([[name, command.words, options]], columns)
        } else {
            let word = command.defaultSubcommand == nil ? "COMMAND" : "[COMMAND]"
            let words = command.defaultSubcommand == nil ? "" : command.resolved.words
            let usages = [[name, word]] + (words.isEmpty ? [] : [[name, words, "[OPTION...]"]])
            lines += Self.usage(usages, columns)
            lines += Self.section("Commands", Self.list(command.subcommands, columns))
        }
        for paragraph in command.paragraphs {
            lines.append(Line())
            lines += TextWidth.wrapped(paragraph, to: columns).map { Line($0) }
        }
        if !command.options.isEmpty {
            lines += Self.section("Options", Self.list(command.options, columns))
        }
        if !command.examples.isEmpty {
            let pairs = command.examples.map { ("scorectl " + $0.line, $0.does) }
            lines += Self.section("Examples", Self.pairs(pairs, columns, limit: 46))
        }
        let more = "'scorectl help' lists all commands and common options."
        return lines + [Line()] + Self.faint(more, columns)
    }

    static func overview(of commands: [Command], _ columns: Int) -> [Line] {
        var lines = title("scorectl", "one score sheet on many laptops", columns)
        lines += usage([["scorectl", "COMMAND [WORD...] [OPTION...]"]], columns)
        lines += section("Commands", list(commands, columns))
        lines += section("Options of every command", list(CommandOption.global, columns))
        let codes = ExitStatus.all.map { ("\($0.code)", $0.meaning) }
        lines += section("Exit status", pairs(codes, columns))
        lines += [Line()] + faint("'scorectl help COMMAND' explains a command. To start:", columns)
        return lines + firstSteps.map { Line("  " + $0) }
    }

    static let firstSteps = [
        "scorectl session new rounds --title Friday --player Ann,Bob --me Ann",
        "scorectl session invite",
    ]

    private static func title(_ name: String, _ summary: String, _ columns: Int) -> [Line] {
        let line = Line(name, .strong) + Line(" – " + summary)
        guard line.width > columns else { return [line, Line()] }
        let texts = TextWidth.wrapped(summary, to: columns - 2).map { Line("  " + $0) }
        return [Line(name, .strong)] + texts + [Line()]
    }

    /// Renders the forms of a command, each of which hangs below its first word.
    private static func usage(_ usages: [[String]], _ columns: Int) -> [Line] {
        usages.enumerated().flatMap { index, words -> [Line] in
            let text = words.filter { !$0.isEmpty }.joined(separator: " ")
            return TextWidth.wrapped(text, to: columns - 9).enumerated().map { number, line in
                let head = index + number == 0 ? "Usage: " : number == 0 ? "       " : "         "
                return Line(head + line)
            }
        }
    }

    private static func faint(_ text: String, _ columns: Int) -> [Line] {
        TextWidth.wrapped(text, to: columns).map { Line($0, .faint) }
    }

    private static func section(_ title: String, _ content: [Line]) -> [Line] {
        [Line(), Line(title + ":", .strong)] + content
    }

    private static func list(_ commands: [Command], _ columns: Int) -> [Line] {
        let rows = commands.map { command in
            let subcommands = command.subcommands.map(\.name).joined(separator: ", ")
            return (command.name, command.summary + (subcommands.isEmpty ? "" : ": " + subcommands))
        }
        return pairs(rows, columns)
    }

    private static func list(_ options: [CommandOption], _ columns: Int) -> [Line] {
        let rows = options.map { option in
            let value = option.value.map { " " + $0 } ?? ""
            let letter = option.letter.map { "-\($0), " } ?? ""
            return (letter + "--" + option.name + value, option.summary)
        }
        return pairs(rows, columns)
    }

    /// The minimum width of a second column.
    private static let minTextWidth = 24

    /// Renders two columns and wraps the second; an entry of the first that is longer than the limit,
    /// or leaves the second too little room, has a line of its own.
    fileprivate static func pairs(
        _ rows: [(String, String)],
        _ columns: Int,
        limit: Int = 28
    ) -> [Line] {
        let limit = min(limit, columns - 4 - minTextWidth)
        let widest = rows.map { TextWidth.of($0.0) }.filter { $0 <= limit }.max() ?? 0
        return rows.flatMap { left, right -> [Line] in
            let texts = TextWidth.wrapped(right, to: columns - widest - 4)
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
