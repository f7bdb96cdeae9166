import ScoreSheets
import SyncProtocol

/// What was typed, taken apart: the command, its words and its options.
///
/// Options may stand anywhere, `--` ends them, and what has no letter behind its dashes is never
/// one, so that `score Ann -5` means what it says, and `play -/` and `play --` in bowling.
struct TypedLine {
    /// The names of the command and the groups around it, outermost first.
    let path: [String]
    /// The command; nil when nothing was typed.
    let command: Command?
    /// The words after the command.
    let words: [String]
    /// The values of the options by name; an empty text for an option without a value.
    let options: [String: [String]]

    /// Takes the words after the program's name apart.
    init(_ arguments: [String], in commands: [Command]) throws(ControlError) {
        let split = try Self.separate(arguments, in: commands)
        var path: [String] = []
        var command: Command?
        var among = commands
        var rest = split.words[...]
        while !among.isEmpty, let word = rest.first {
            guard let found = among.first(where: { $0.name == word }) else {
                // Words of the command that is meant alone: 'stats darts'.
                if let alone = command?.acting, alone.count.upperBound > 0, alone.name != path.last
                {
                    break
                }
                // A group called with a stranger's name: help for it, but no guess at another one.
                let typed = (path + [word]).joined(separator: " ")
                throw Suggestion.unknown(
                    "command",
                    typed,
                    near: word,
                    among: among.map(\.name)
                )
            }
            command = found
            path.append(word)
            among = found.subcommands
            rest = rest.dropFirst()
        }
        self.path = path
        self.command = command
        words = Array(rest)
        options = split.options
        try checkOptions()
    }

    /// What is carried out: the command, or of a group the one that is meant alone.
    var acting: Command? { command?.acting }

    /// Whether the command is to be explained instead of done.
    var asksForHelp: Bool { options["help"] != nil }

    /// Throws unless the command takes as many words as were typed.
    func checkWords() throws(ControlError) {
        guard let command = acting, !command.count.contains(words.count) else { return }
        let name = path.joined(separator: " ")
        if let extra = words.dropFirst(command.count.upperBound).first {
            throw ControlError(.usage, "'\(name)' does not take '\(extra)'")
        }
        throw ControlError(.usage, "'\(name)' needs \(command.words)")
    }

    private func checkOptions() throws(ControlError) {
        guard let command = acting else { return }
        let own = Set(command.options.map(\.name))
        let known = command.options + CommandOption.global.filter { !own.contains($0.name) }
        for name in options.keys.sorted() {
            guard let option = known.first(where: { $0.name == name }) else {
                throw Suggestion.unknown(
                    "option",
                    "--" + name,
                    near: name,
                    among: known.map(\.name),
                    prefix: "--"
                )
            }
            if !option.repeats, (options[name]?.count ?? 0) > 1 {
                throw ControlError(.usage, "--\(name) is there more than once")
            }
        }
        if options["session"] != nil, !command.takesSession, !asksForHelp {
            let name = path.joined(separator: " ")
            throw ControlError(.usage, "'\(name)' is about no session, so --session means nothing")
        }
        if options["quiet"] != nil, options["verbose"] != nil {
            throw ControlError(.usage, "--quiet and --verbose exclude each other")
        }
        if let color = options["color"]?.first, !["always", "auto", "never"].contains(color) {
            throw ControlError(.usage, "--color is always, auto or never, not '\(color)'")
        }
    }

    // MARK: Words and options

    private static func separate(
        _ arguments: [String],
        in commands: [Command]
    ) throws(ControlError) -> (words: [String], options: [String: [String]]) {
        let known = optionsByName(in: commands)
        var words: [String] = []
        var options: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                let isMove = rest.isEmpty && takesDashes(words, commands)
                words += isMove ? [argument] : Array(rest)
                break
            }
            guard isOption(argument) else {
                words.append(argument)
                continue
            }
            let parts = argument.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let spelled = Self.spelledOut(String(parts[0]), known)
            guard spelled.hasPrefix("--"), let option = known[String(spelled.dropFirst(2))] else {
                throw Suggestion.unknown(
                    "option",
                    spelled,
                    near: String(spelled.drop { $0 == "-" }),
                    among: known.keys.sorted(),
                    prefix: "--"
                )
            }
            var value = parts.count > 1 ? String(parts[1]) : nil
            if let wanted = option.value {
                value = value ?? rest.popFirst()
                guard value != nil else {
                    throw ControlError(.usage, "--\(option.name) needs \(wanted)")
                }
            } else if value != nil {
                throw ControlError(.usage, "--\(option.name) takes no value")
            }
            options[option.name, default: []].append(value ?? "")
        }
        return (words, options)
    }

    /// An option by its name, where a letter was typed.
    private static func spelledOut(_ word: String, _ known: [String: CommandOption]) -> String {
        guard word.count == 2, let letter = word.last else { return word }
        return known.values.first { $0.letter == letter }.map { "--" + $0.name } ?? word
    }

    /// Whether a word is an option; dashes alone, negative numbers and `-/` are not.
    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word.first { $0 != "-" }?.isLetter == true
    }

    /// Whether a command was typed of which two dashes are a word, where they end no options.
    private static func takesDashes(_ words: [String], _ commands: [Command]) -> Bool {
        commands.contains { $0.name == words.first && $0.takesDashes }
    }

    /// Every option of the tree by name.
    ///
    /// A name takes a value everywhere or nowhere, so options can
    /// be told from words before the command is known; a test watches over it.
    private static func optionsByName(in commands: [Command]) -> [String: CommandOption] {
        var known: [String: CommandOption] = [:]
        func collect(_ options: [CommandOption]) {
            for option in options { known[option.name] = option }
        }
        func visit(_ command: Command) {
            collect(command.options)
            for subcommand in command.subcommands { visit(subcommand) }
        }
        for command in commands { visit(command) }
        collect(CommandOption.global)
        return known
    }
}

/// What somebody may have meant who typed something else.
enum Suggestion {
    /// The error for a name that does not exist, with those that look like it.
    static func unknown(
        _ what: String,
        _ typed: String,
        near word: String,
        among names: [String],
        prefix: String = ""
    ) -> ControlError {
        let close = Spelling.near(word, among: names).map { prefix + $0 }
        return ControlError(
            .usage,
            "there is no \(what) '\(typed)'",
            candidates: close.isEmpty ? nil : close
        )
    }

    /// How many names are proposed where none of them looks like what was typed.
    private static let most = 6

    /// What is proposed to people of all the names that there are: those that look like a word that
    /// was typed, else the first of them; programs get all.
    static func text(_ names: [String], near words: [String]) -> String {
        let lower = names.map { $0.lowercased() }
        var close: [String] = []
        for word in words.flatMap(parts(of:)) where close.isEmpty {
            close = lower.filter { $0.contains(word) }
            if close.isEmpty { close = Spelling.near(word, among: lower) }
        }
        let meant = names.filter { close.contains($0.lowercased()) }
        if !meant.isEmpty { return "Did you mean: \(list(meant))?" }
        return names.count == 1 ? "There is: \(names[0])" : "There are: \(list(names))"
    }

    /// What of a typed word can be a name: all of it, and what stands before and after its signs.
    private static func parts(of word: String) -> [String] {
        let word = word.lowercased()
        let pieces: [String] = [word] + word.split { "=.".contains($0) }.map(String.init)
        return pieces.filter { $0.count > 1 && $0.contains(where: \.isLetter) }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(names.count - most) more" : shown
    }
}
