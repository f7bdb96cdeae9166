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
