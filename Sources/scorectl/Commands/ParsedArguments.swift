import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The arguments of `scorectl`, parsed: the command, its words and its options.
///
/// Options may appear anywhere and `--` ends them. An argument whose dashes are not followed by a
/// letter is a word, such as the -5 of `score Ann -5`, and the moves of `play -/` and `play --` in
/// bowling.
struct ParsedArguments {
    /// The names of the command and the groups around it, outermost first.
    private(set) var path: [String] = []
    /// The command; nil if there were no words.
    private(set) var command: Command?
    private(set) var words: [String] = []
    /// The values of the options by name; an empty text for an option without a value.
    private(set) var options: [String: [String]] = [:]

    init(_ arguments: [String], in commands: [Command]) throws(ControlError) {
        try split(arguments, in: commands)
        let named = ParsedArguments.commands(at: words, in: commands)
        (path, command) = (named.map(\.name), named.last)
        words.removeFirst(named.count)
        let candidates = command.map(\.subcommands) ?? commands
        if !candidates.isEmpty, let word = words.first {
            // The word may be an argument of the group's default command: 'stats darts'.
            let target = command?.resolved
            guard let target, target.count.upperBound > 0, target.name != path.last else {
                let typed = (path + [word]).joined(separator: " ")
                throw Suggestion.unknownCommand(typed, word, among: candidates, of: commands)
            }
        }
        try checkOptions()
    }

    /// Returns the groups and the command that words begin with, outermost first.
    private static func commands(at words: [String], in commands: [Command]) -> [Command] {
        guard let word = words.first, let first = commands.first(where: { $0.name == word })
        else { return [] }
        return [first] + Self.commands(at: Array(words.dropFirst()), in: first.subcommands)
    }

    /// Returns the groups and the command that the words of arguments name, outermost first.
    static func commands(
        named arguments: [String],
        in commands: [Command]
    ) -> [Command] {
        var reader = ArgumentReader(arguments)
        var words: [String] = []
        while let argument = try? reader.next(), argument != "--" {
            if reader.isOption {
                let isTyped: (CommandOption) -> Bool = { $0.isTyped(as: argument) }
                let option =
                    CommandOption.global.first(where: isTyped)
                    ?? CommandOption.all(in: commands).values.first(where: isTyped)
                if option?.value != nil { _ = try? reader.value() }
            } else {
                words.append(argument)
            }
        }
        return Self.commands(at: words, in: commands)
    }

    var asksForHelp: Bool { options["help"] != nil }

    /// Throws unless the command takes as many words as there are.
    func checkWords() throws(ControlError) {
        guard let command = command?.resolved, !command.count.contains(words.count) else { return }
        let most = command.count.upperBound
        if let extra = words.dropFirst(most).first {
            let repeats = command.arguments.contains(where: \.repeats)
            throw .usage(
                repeats ? "too many arguments: at most \(most)" : "unexpected argument '\(extra)'"
            )
        }
        throw .usage("missing argument: \(command.words)")
    }

    private func checkOptions() throws(ControlError) {
        guard let command = command?.resolved else { return }
        for option in command.allOptions where !option.repeats {
            if (options[option.name]?.count ?? 0) > 1 {
                throw .usage("--\(option.name) given more than once")
            }
        }
        if options["session"] != nil, !command.takesSession, !asksForHelp {
            let name = path.joined(separator: " ")
            throw .usage("'\(name)' does not take --session")
        }
        if options["quiet"] != nil, options["verbose"] != nil {
            throw .usage("--quiet and --verbose exclude each other")
        }
        if let color = options["color"]?.first, !["always", "auto", "never"].contains(color) {
            throw .usage("--color is always, auto or never, not '\(color)'")
        }
    }

    private mutating func split(
        _ arguments: [String],
        in commands: [Command]
    ) throws(ControlError) {
        let command = ParsedArguments.commands(named: arguments, in: commands).last?.resolved
        // An unknown command is reported before its options.
        let known =
            command?.allOptions
            ?? CommandOption.global + Array(CommandOption.all(in: commands).values)
        var reader = ArgumentReader(arguments)
        while let argument = try reader.next() {
            if argument == "--" {
                let takesDashes = commands.contains { $0.name == words.first && $0.takesDashes }
                words += reader.rest.isEmpty && takesDashes ? [argument] : Array(reader.rest)
                return
            }
            guard reader.isOption else {
                words.append(argument)
                continue
            }
            guard let option = known.first(where: { $0.isTyped(as: argument) }) else {
                throw Suggestion.unknown(option: argument, among: known)
            }
            let value = try option.value.map { (wanted) throws(ControlError) in
                try reader.value(wanted)
            }
            options[option.name, default: []].append(value ?? "")
        }
    }
}

enum Suggestion {
    /// Returns the error for an unknown name, with the names that look like it.
    static func unknown(
        _ kind: String,
        _ typed: String,
        near word: String,
        among names: [String],
        prefix: String = ""
    ) -> ControlError {
        let close = Spelling.near(word, among: names).map { prefix + $0 }
        let text = "unknown \(kind) '\(typed)'"
        return ControlError(.usage, text, candidates: close.isEmpty ? nil : close)
    }

    /// Returns the error for an unknown command, with the commands that may be meant: those that are
    /// called so elsewhere, else names that look like it.
    static func unknownCommand(
        _ typed: String,
        _ word: String,
        among candidates: [Command],
        of commands: [Command]
    ) -> ControlError {
        let word = word.lowercased()
        let paths = Command.paths(of: commands)
        let isCalledSo: [(Command) -> Bool] = [
            { $0.name == word }, { $0.otherNames.contains(word) },
        ]
        for isMeant in isCalledSo {
            let found = paths.filter { $0.last.map(isMeant) == true }
            let shortest = found.map(\.count).min()
            let lines = found.filter { $0.count == shortest }.map { path in
                (["scorectl"] + path.map(\.name)).joined(separator: " ")
            }
            guard !lines.isEmpty else { continue }
            let hint = "it is: " + lines.joined(separator: " or ")
            return ControlError(.usage, "unknown command '\(typed)'", hint: hint)
        }
        return unknown("command", typed, near: word, among: candidates.map(\.name))
    }

    static func unknown(option: String, among options: [CommandOption]) -> ControlError {
        let name = String(option.drop { $0 == "-" })
        if let meant = options.first(where: { $0.otherNames.contains(name) }) {
            let usage = ["--" + meant.name, meant.value].compactMap(\.self).joined(separator: " ")
            return .usage("unknown option '\(option)'", hint: "it is: \(usage)")
        }
        let names = options.map(\.name).sorted()
        return unknown("option", option, near: name, among: names, prefix: "--")
    }

    /// The number of listed names if none of them looks like a typed word.
    private static let maxListed = 6

    /// Returns the suggestion in an error message: names close to a typed word, else the first ones.
    static func text(_ names: [String], near words: [String]) -> String {
        let lower = names.map { $0.lowercased() }
        var close: [String] = []
        // A word that is one of the names was understood.
        for word in words.flatMap(parts(of:)) where close.isEmpty && !lower.contains(word) {
            close = lower.filter { $0.contains(word) }
            if close.isEmpty { close = Spelling.near(word, among: lower) }
        }
        let meant = names.filter { close.contains($0.lowercased()) }
        return meant.isEmpty ? "Available: \(list(names))" : "Did you mean: \(list(meant))?"
    }

    /// Returns the parts of a word that may be a name: all of it, and pieces of it.
    private static func parts(of word: String) -> [String] {
        let word = word.lowercased()
        let pieces: [String] = [word] + word.split { "=.".contains($0) }.map(String.init)
        return pieces.filter { $0.count > 1 && $0.contains(where: \.isLetter) }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(maxListed).joined(separator: ", ")
        return names.count > maxListed ? "\(shown) and \(names.count - maxListed) more" : shown
    }
}
