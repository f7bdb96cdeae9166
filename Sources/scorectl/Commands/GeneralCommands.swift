import SyncProtocol

/// The commands about the command line itself.
enum GeneralCommands {
    static var version: Command {
        Command(name: "version", summary: "which version this is", action: .run(version))
    }

    private static func version(_ call: Invocation) throws(ControlError) {
        let document = VersionDocument()
        try call.print(document, [Line("scorectl \(document.version)")])
    }

    private struct VersionDocument: Encodable {
        let schema = 1
        let version = Versions.program
    }

    static var help: Command {
        Command(
            name: "help",
            summary: "explain a command",
            words: "[COMMAND...]",
            count: 0...3,
            details: [
                "With --json everything that is known of all commands, or of one, in one line: what"
                    + " the completions of shells and the man pages are made of."
            ],
            action: .run(help)
        )
    }

    private static func help(_ call: Invocation) throws(ControlError) {
        let commands = CommandTree.commands
        let line = try TypedLine(call.words, in: commands)
        guard let command = line.command else {
            return try call.print(TreeDocument(commands), HelpPage.overview(of: commands))
        }
        if let extra = line.words.first {
            throw ControlError(
                .usage,
                "there is no command '\(call.words.joined(separator: " "))'"
                    + ": '\(line.path.joined(separator: " "))' takes no commands such as '\(extra)'"
            )
        }
        let document = TreeDocument.Node(command, under: line.path.dropLast())
        try call.print(document, HelpPage(command, path: line.path).lines)
    }
}
