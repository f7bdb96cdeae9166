import SyncProtocol

/// One command of the command line, or a group of them: what it is called, what it takes, what help
/// says about it, and what it does.
struct Command {
    /// What happens when it is called.
    enum Action {
        /// It consists of other commands.
        case group([Command])
        /// It does something.
        case run((Invocation) throws(ControlError) -> Void)
        /// It does something, and its exit status says what came of it.
        case judge((Invocation) throws(ControlError) -> Int32)
    }

    /// The word that people type.
    let name: String
    /// What it is for, in one line without a full stop.
    let summary: String
    /// The words after it, as help shows them.
    var words = ""
    /// What kinds of things its words are, by the names that help gives them, where the name alone
    /// does not tell (`WordKind`).
    var kinds: [String: WordKind] = [:]
    /// How many words it takes.
    var count: ClosedRange<Int> = 0...0
    /// What else to know, a paragraph each.
    var details: [String] = []
    /// The options of its own, beside those of every command.
    var options: [CommandOption] = []
    /// Lines to copy, each with what it does.
    var examples: [(line: String, does: String)] = []
    /// Of a group: the command that is meant where none is named.
    var alone: String?
    /// Whether it is about one session, which `--session` may name.
    var takesSession = false
    /// Whether two dashes at its end are a word, as they are a move in bowling.
    var takesDashes = false
    /// What happens.
    let action: Action

    /// The command that is carried out when this one is typed without another: of a group the one
    /// that is meant alone, else itself.
    var acting: Command { subcommands.first { $0.name == alone } ?? self }

    /// The commands of a group.
    var subcommands: [Command] {
        switch action {
        case .group(let commands): commands
        case .run, .judge: []
        }
    }
}

/// An option, `--name` or `--name VALUE`.
struct CommandOption {
    /// The name without its dashes.
    let name: String
    /// What its value is called in help; nil when it takes none.
    var value: String?
    /// What it is for, in a few words.
    let summary: String
    /// Whether it may be given several times.
    var repeats = false
    /// What kind of thing its value is, where what it is called does not tell (`WordKind`).
    var kind: WordKind?
    /// What its value can be, where that is one of some words.
    var choices: [String] = []
    /// The letter that says the same after one dash.
    var letter: Character?

    /// Answers every question with yes, for scripts; in the help of the commands that ask.
    static let yes = CommandOption(
        name: "yes",
        summary: "answer every question with yes",
        letter: "y"
    )

    /// The options of every command.
    static let global = [
        CommandOption(name: "home", value: "DIR", summary: "the state directory of the daemon"),
        CommandOption(name: "session", value: "S", summary: "another session than the current one"),
        CommandOption(name: "json", summary: "print one line of JSON"),
        CommandOption(name: "no-spawn", summary: "do not start a daemon when none runs"),
        CommandOption(
            name: "color",
            value: "WHEN",
            summary: "always, never, or auto (the default)",
            choices: ["always", "never", "auto"]
        ),
        CommandOption(
            name: "quiet",
            summary: "print only what was asked for, and errors",
            letter: "q"
        ),
        CommandOption(
            name: "verbose",
            summary: "tell what the daemon is asked, and how long it takes",
            letter: "v"
        ),
        yes,
        CommandOption(name: "help", summary: "explain the command", letter: "h"),
    ]
}
