import SyncProtocol

/// A command of the command line, or a group of commands: the single model for parsing, help, man
/// pages, `help --json` and completion.
struct Command: Sendable {
    enum Action: Sendable {
        case group([Command])
        case run(@Sendable (Invocation) throws(ControlError) -> Void)
        case runWithStatus(@Sendable (Invocation) throws(ControlError) -> Int32)
    }

    /// The name and the arguments, as help shows them: `clear PLAYER [ROW]...`.
    let usage: String
    /// The purpose in one line, without a full stop.
    let summary: String
    /// Names of other programs for the same, which are not taken but answered with this one.
    let otherNames: [String]
    /// The argument kinds that the placeholders do not imply, keyed by placeholder.
    let kinds: [String: ArgumentKind]
    /// The number of arguments, if the usage does not imply it.
    let arity: ClosedRange<Int>?
    /// The description; each line is a paragraph.
    let details: String
    /// The options in addition to those of every command.
    let options: [CommandOption]
    let examples: [(line: String, does: String)]
    /// The subcommand of a group that runs if none is named.
    let defaultSubcommand: String?
    /// Whether the command concerns one session, which `--session` may name.
    let takesSession: Bool
    /// Whether its output is a page to read, for which a pager opens if it is longer than the screen.
    let isPage: Bool
    /// Whether `--` as the last argument is a word, as it is a move in bowling.
    let takesDashes: Bool
    /// Makes the action, whose types the runtime looks up then: at each start of the program those of
    /// all commands would take longer than most commands.
    private let makeAction: @Sendable () -> Action

    init(
        usage: String,
        summary: String,
        otherNames: [String] = [],
        kinds: [String: ArgumentKind] = [:],
        arity: ClosedRange<Int>? = nil,
        details: String = "",
        options: [CommandOption] = [],
        examples: [(line: String, does: String)] = [],
        defaultSubcommand: String? = nil,
        takesSession: Bool = false,
        isPage: Bool = false,
        takesDashes: Bool = false,
        action: @autoclosure @escaping @Sendable () -> Action
    ) {
        self.usage = usage
        self.summary = summary
        self.otherNames = otherNames
        self.kinds = kinds
        self.arity = arity
        self.details = details
        self.options = options
        self.examples = examples
        self.defaultSubcommand = defaultSubcommand
        self.takesSession = takesSession
        self.isPage = isPage
        self.takesDashes = takesDashes
        makeAction = action
    }

    var action: Action { makeAction() }

    var name: String { String(usage.prefix { $0 != " " }) }
    var words: String { String(usage.dropFirst(name.count + 1)) }

    /// The command to run: of a group its default subcommand, otherwise itself.
    var resolved: Command { subcommands.first { $0.name == defaultSubcommand } ?? self }

    /// Its options and those of every command, which its own come before.
    var allOptions: [CommandOption] {
        let own = Set(options.map(\.name))
        return options + CommandOption.global.filter { !own.contains($0.name) }
    }

    /// Returns all commands and groups with the groups around them, outermost first.
    static func paths(of commands: [Command]) -> [[Command]] {
        commands.flatMap { command in
            [[command]] + paths(of: command.subcommands).map { [command] + $0 }
        }
    }

    var paragraphs: [String] { details.split(separator: "\n").map(String.init) }

    var subcommands: [Command] {
        switch action {
        case .group(let commands): commands
        case .run, .runWithStatus: []
        }
    }

    /// The number of arguments; at most 64 if one of them repeats.
    var count: ClosedRange<Int> {
        if let arity { return arity }
        let arguments = arguments
        let maximum = arguments.contains(where: \.repeats) ? 64 : arguments.count
        return arguments.count { !$0.optional }...maximum
    }
}

/// An option, `--name` or `--name VALUE`.
struct CommandOption: Sendable {
    /// The name without its dashes.
    let name: String
    /// The placeholder of its value; nil if it takes none.
    let value: String?
    let summary: String
    /// Whether it may be given several times.
    let repeats: Bool
    /// The kind of its value, if the placeholder does not imply it.
    let kind: ArgumentKind?
    /// The possible values, if they are few.
    let choices: [String]
    /// The short form, after one dash.
    let letter: Character?
    /// Former or common names, which are rejected with a hint to this one.
    let otherNames: [String]

    /// Creates an option from its usage: `name` or `name VALUE`.
    init(
        _ usage: String,
        _ summary: String,
        repeats: Bool = false,
        kind: ArgumentKind? = nil,
        choices: [String] = [],
        letter: Character? = nil,
        otherNames: [String] = []
    ) {
        let words = usage.split(separator: " ").map(String.init)
        (name, value) = (words[0], words.dropFirst().first)
        (self.summary, self.repeats, self.kind) = (summary, repeats, kind)
        (self.choices, self.letter, self.otherNames) = (choices, letter, otherNames)
    }

    /// Whether an argument, up to its equals sign, is this option.
    func isTyped(as argument: String) -> Bool {
        argument == "--" + name || letter.map { argument == "-\($0)" } == true
    }

    /// Answers every question with yes, for scripts; also listed in the help of the commands that ask.
    static let yes = CommandOption("yes", "answer every question with yes", letter: "y")

    static let global = [
        CommandOption("home DIR", "the state directory of the daemon"),
        CommandOption("session S", "the session, instead of the current one"),
        CommandOption("json", "print one line of JSON"),
        CommandOption("no-spawn", "do not start the daemon"),
        CommandOption(
            "color WHEN",
            "always, never, or auto (the default)",
            choices: ["always", "never", "auto"]
        ),
        CommandOption("no-pager", "print long pages without a pager"),
        CommandOption("quiet", "print only results and errors", letter: "q"),
        CommandOption("verbose", "log every request to the daemon, with its duration", letter: "v"),
        yes,
        CommandOption("help", "explain the command", letter: "h"),
    ]

    /// Returns the options of some commands and their subcommands, by name.
    ///
    /// An option takes a value in all commands or in none, so that options can be parsed before the
    /// command is known; a test checks this.
    static func all(in commands: [Command]) -> [String: CommandOption] {
        var all: [String: CommandOption] = [:]
        for command in commands {
            for option in command.options { all[option.name] = option }
            all.merge(Self.all(in: command.subcommands)) { first, _ in first }
        }
        return all
    }
}
