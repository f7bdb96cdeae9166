import SyncProtocol

/// The commands as `help --json` prints them: all that there is to know of them without trying.
struct TreeDocument: Encodable {
    let schema = 1
    let program = "scorectl"
    let version = Versions.program
    /// The commands at the top, in the order of help.
    let commands: [Node]
    /// The options of every command.
    let options: [Choice]
    /// What the exit statuses mean.
    let exitCodes: [Code]

    /// The document of these commands.
    init(_ commands: [Command]) {
        self.commands = commands.map { Node($0, under: []) }
        options = CommandOption.global.map(Choice.init)
        exitCodes = ExitStatus.all.map { Code(code: $0.code, meaning: $0.meaning) }
    }

    /// A command, or a group of them.
    struct Node: Encodable {
        let name: String
        /// The names of the groups around it and its own: what is typed.
        let path: [String]
        let summary: String
        let details: [String]
        /// The words after it, as help shows them.
        let usage: String
        let words: [CommandWord]
        let leastWords: Int
        let mostWords: Int
        let options: [Choice]
        let examples: [Example]
        let commands: [Node]
        /// Of a group: the command that is meant where none is named.
        let alone: String?

        /// A command under the groups of a path.
        init(_ command: Command, under path: [String]) {
            name = command.name
            self.path = path + [command.name]
            let own = self.path
            summary = command.summary
            details = command.details
            usage = command.words
            words = command.takes
            leastWords = command.count.lowerBound
            mostWords = command.count.upperBound
            options = command.options.map(Choice.init)
            examples = command.examples.map { Example(line: "scorectl " + $0.line, does: $0.does) }
            commands = command.subcommands.map { Node($0, under: own) }
            alone = command.alone
        }
    }

    /// An option; it has no `value` where it takes none.
    struct Choice: Encodable {
        let name: String
        let summary: String
        let repeats: Bool
        let value: CommandWord?

        /// An option.
        init(_ option: CommandOption) {
            name = "--" + option.name
            summary = option.summary
            repeats = option.repeats
            value = CommandWord(valueOf: option)
        }
    }

    /// A line to copy.
    struct Example: Encodable {
        let line: String
        let does: String
    }

    /// An exit status.
    struct Code: Encodable {
        let code: Int32
        let meaning: String
    }
}
