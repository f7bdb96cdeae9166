/// The man page of `scorectl`, made from its commands.
struct CommandManual {
    private let commands: [Command]

    /// The page of these commands.
    init(_ commands: [Command]) { self.commands = commands }

    /// Writes everything between the title and what else to read.
    func write(to page: inout Roff) {
        page.section("Name")
        page.append("scorectl \\- one score sheet on many laptops")
        page.section("Synopsis")
        page.append(Roff.usage("scorectl COMMAND [WORD...] [OPTION...]"))
        page.section("Description")
        page.append(
            Roff.escaped(
                "scorectl calls the daemon of this laptop, scoresyncd, and starts it when none"
                    + " runs. Options may stand anywhere; -- ends them. What looks like a number"
                    + " is never an option."
            )
        )
        page.section("Commands")
        for command in commands { write(command, [], to: &page) }
        page.section("Options of every command")
        write(CommandOption.global, to: &page)
        page.section("Exit status")
        for (code, meaning) in ExitStatus.all {
            page.term(Roff.bold("\(code)"), Roff.escaped(meaning))
        }
        page.section("Environment")
        for (name, meaning) in Self.variables {
            page.term(Roff.bold(name), Roff.escaped(meaning))
        }
        page.section("Files")
        for (path, meaning) in Self.files {
            page.term("\\fI\(Roff.escaped(path))\\fR", Roff.escaped(meaning))
        }
    }

    private func write(_ command: Command, _ path: [String], to page: inout Roff) {
        let path = path + [command.name]
        guard command.subcommands.isEmpty else {
            page.part("scorectl " + path.joined(separator: " "))
            write(command.summary, command.details, to: &page)
            for inner in command.subcommands { write(inner, path, to: &page) }
            return
        }
        page.part(
            (["scorectl"] + path + [command.words]).filter { $0 != "" }.joined(separator: " ")
        )
        write(command.summary, command.details, to: &page)
        write(command.options, to: &page)
        guard !command.examples.isEmpty else { return }
        let lines = command.examples.flatMap { ["# \($0.does)", "scorectl \($0.line)"] }
        page.code(lines)
    }

    private func write(_ summary: String, _ details: [String], to page: inout Roff) {
        let first = summary.prefix(1).uppercased() + summary.dropFirst() + "."
        page.append(Roff.escaped(first))
        for paragraph in details { page.paragraph(Roff.escaped(paragraph)) }
    }

    private func write(_ options: [CommandOption], to page: inout Roff) {
        for option in options {
            let value = option.value.map { " \\fI\(Roff.escaped($0))\\fR" } ?? ""
            page.term(Roff.bold("--" + option.name) + value, Roff.escaped(option.summary))
        }
    }

    private static let variables = [
        ("SCORESYNC_HOME", "the state directory, as --home chooses it"),
        ("XDG_STATE_HOME", "where the state directory is otherwise (~/.local/state)"),
        ("XDG_RUNTIME_DIR", "where the control socket is, unless a home was chosen"),
        ("NO_COLOR", "no colours, whatever the terminal can"),
        ("LC_ALL, LC_CTYPE, LANG", "whether the terminal can show more than ASCII"),
    ]

    private static let files = [
        ("~/.local/state/scoresync", "the sessions of this laptop, its keys and its settings"),
        ("~/.local/state/scoresync/daemon.log", "what a daemon wrote that scorectl has started"),
    ]
}
