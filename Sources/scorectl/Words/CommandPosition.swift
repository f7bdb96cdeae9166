/// Where in a command line its end is: which command, behind which words and options.
///
/// Unlike ``TypedLine`` it takes whatever is typed so far, for that is never wrong yet.
struct CommandPosition {
    /// The command; nil where none is named, or one that does not exist.
    private(set) var command: Command?
    /// The commands that can be named here.
    private(set) var among: [Command]
    /// The words behind the command.
    private(set) var words: [String] = []
    /// The options that are there, with their values.
    private(set) var options: [String: [String]] = [:]
    /// The option whose value comes next.
    private(set) var valued: CommandOption?
    /// Whether `--` is there, behind which everything is a word.
    private(set) var isPastOptions = false

    private let global: [CommandOption]
    private let everywhere: [String: CommandOption]

    /// The end of some whole words.
    init(after typed: [String], among commands: [Command], global: [CommandOption]) {
        among = commands
        self.global = global
        everywhere = Self.options(of: commands, and: global)
        for word in typed { take(word) }
    }

    /// The options that may stand here.
    var known: [CommandOption] { (command?.options ?? []) + global }

    /// The options that may still be given.
    var left: [CommandOption] { known.filter { $0.repeats || options[$0.name] == nil } }

    /// The option of a name, with its dashes.
    func option(_ dashed: some StringProtocol) -> CommandOption? {
        let name = dashed.drop { $0 == "-" }
        return known.first { $0.name == name } ?? everywhere[String(name)]
    }

    private mutating func take(_ word: String) {
        if let option = valued {
            valued = nil
            return options[option.name, default: []].append(word)
        }
        if !isPastOptions, word == "--" {
            isPastOptions = true
        } else if !isPastOptions, word.hasPrefix("--") {
            let halves = word.split(separator: "=", maxSplits: 1)
            guard let name = halves.first, let option = option(name) else { return }
            if halves.count > 1 {
                options[option.name, default: []].append(String(halves[1]))
            } else if option.value == nil {
                options[option.name, default: []].append("")
            } else {
                valued = option
            }
        } else if let found = among.first(where: { $0.name == word }) {
            command = found
            among = found.subcommands
        } else {
            words.append(word)
        }
    }

    private static func options(
        of commands: [Command],
        and global: [CommandOption]
    ) -> [String: CommandOption] {
        var known: [String: CommandOption] = [:]
        for command in commands {
            for option in command.options { known[option.name] = option }
            known.merge(options(of: command.subcommands, and: [])) { first, _ in first }
        }
        for option in global { known[option.name] = option }
        return known
    }
}
