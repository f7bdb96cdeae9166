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
    }

    /// The word that people type.
    let name: String
    /// What it is for, in one line without a full stop.
    let summary: String
    /// The words after it, as help shows them.
    var words = ""
    /// How many words it takes.
    var count: ClosedRange<Int> = 0...0
    /// What else to know, a paragraph each.
    var details: [String] = []
    /// The options of its own, beside those of every command.
    var options: [CommandOption] = []
    /// Lines to copy, each with what it does.
    var examples: [(line: String, does: String)] = []
    /// Which of a group's commands is meant where none is named; nil where one must be.
    var usual: String?
    /// What happens.
    let action: Action

    /// The commands of a group.
    var subcommands: [Command] {
        switch action {
        case .group(let commands): commands
        case .run: []
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

    /// The options of every command.
    static let global = [
        CommandOption(name: "home", value: "DIR", summary: "the state directory of the daemon"),
        CommandOption(name: "session", value: "S", summary: "another session than the current one"),
        CommandOption(name: "json", summary: "print one line of JSON"),
        CommandOption(name: "no-spawn", summary: "do not start a daemon when none runs"),
        CommandOption(
            name: "color",
            value: "WHEN",
            summary: "always, never, or auto (the default)"
        ),
        CommandOption(name: "help", summary: "explain the command"),
    ]
}
