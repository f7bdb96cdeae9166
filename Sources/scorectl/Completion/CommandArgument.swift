import SyncProtocol

/// A word of a command, or the value of an option, as `help --json` and completion describe it.
struct CommandArgument: Hashable, Sendable, Encodable {
    /// The placeholder.
    let name: String
    let kind: ArgumentKind
    /// The possible words, if they are few.
    let choices: [String]
    let optional: Bool
    let repeats: Bool

    /// Parses a part of a usage line, such as `[PLAYER]` or `NAME...`; nil if it is not a word.
    init?(_ part: String, kinds: [String: ArgumentKind] = [:]) {
        var name = part
        optional = name.hasPrefix("[")
        if optional { name.removeFirst() }
        if optional, let end = name.lastIndex(of: "]") { name.remove(at: end) }
        // Brackets may have begun at an earlier word.
        if name.hasSuffix("]"), !name.contains("[") { name.removeLast() }
        while name.hasSuffix(",") { name.removeLast() }
        repeats = name.hasSuffix("...")
        if repeats { name.removeLast(3) }
        guard !name.isEmpty, !name.hasPrefix("-"), name != "|" else { return nil }
        self.name = name
        let isChoice = name.contains("|") || name.allSatisfy { $0.isLowercase || $0 == "-" }
        choices = isChoice ? name.split(separator: "|").map(String.init) : []
        kind = kinds[name] ?? (isChoice ? .choice : ArgumentKind(placeholder: name) ?? .text)
    }

    /// The value of an option.
    init?(valueOf option: CommandOption) {
        guard let name = option.value else { return nil }
        self.name = name
        let isChoice = name.contains("|")
        choices = isChoice ? name.split(separator: "|").map(String.init) : option.choices
        let usual = ArgumentKind(placeholder: name).map { $0 == .cell ? .row : $0 }
        kind = option.kind ?? (choices.isEmpty ? usual ?? .text : .choice)
        optional = false
        repeats = false
    }
}

extension Command {
    /// The words of the command, in order, parsed from its usage.
    ///
    /// The words after `or` are another form of the same.
    var arguments: [CommandArgument] {
        guard arity?.upperBound != 0 else { return [] }
        return words.split(separator: " ").prefix { $0 != "or" }
            .compactMap { CommandArgument(String($0), kinds: kinds) }
    }

    /// The possible next words after a number of words.
    func arguments(after count: Int) -> [CommandArgument] {
        guard count < self.count.upperBound else { return [] }
        let all = arguments
        // An optional word may be skipped.
        func candidates(from index: Int) -> Set<Int> {
            guard index < all.count else { return [] }
            return all[index].optional ? candidates(from: index + 1).union([index]) : [index]
        }
        var indices = candidates(from: 0)
        for _ in 0..<count {
            indices = indices.reduce(into: []) { next, index in
                next.formUnion(candidates(from: index + 1))
                if all[index].repeats { next.insert(index) }
            }
        }
        return indices.sorted().map { all[$0] }
    }
}

/// The kind of a word of a command line, for completion and `help --json`.
enum ArgumentKind: String, Hashable, Sendable, CaseIterable, Encodable {
    /// The title of a session of this laptop, or the beginning of its id.
    case session
    case player
    case removedPlayer = "removed-player"
    /// A person who plays on this laptop.
    case person
    case team
    /// A row of the sheet, with its round if it has rounds.
    case row
    /// A filled cell.
    case cell
    /// `ROW=VALUE`.
    case score = "entry"
    case move
    /// The id of a game.
    case game
    /// `NAME=VALUE`.
    case gameOption = "game-option"
    /// The address of another laptop.
    case address
    case file
    case directory
    case command
    case daemonOption = "daemon-option"
    case choice
    /// A join code.
    case code
    case number
    case time
    case text

    /// The kinds of placeholders, unless a command specifies another.
    private static let placeholders: [String: ArgumentKind] = [
        "SESSION": .session, "S": .session, "PLAYER": .player, "TEAM": .team,
        "ROW[.ROUND]": .cell, "ROW[.ROUND]=VALUE": .score, "MOVE": .move, "GAME": .game,
        "NAME=VALUE": .gameOption, "K=V": .gameOption, "HOST[:PORT]": .address, "FILE": .file,
        "DIR": .directory, "DIRECTORY": .directory, "COMMAND": .command,
        "SCORESYNCD-OPTION": .daemonOption, "CODE": .code, "N": .number, "TIME": .time,
        "SECONDS": .time, "NAME": .text, "TITLE": .text, "T": .text, "VALUE": .text,
        "NEW-NAME": .text, "DEVICE": .text, "WORD": .text,
    ]

    init?(placeholder: String) {
        guard let kind = Self.placeholders[placeholder] else { return nil }
        self = kind
    }
}

/// The commands as `help --json` prints them.
struct CommandTreeDocument: Encodable {
    let schema = 1
    let program = "scorectl"
    let version = Versions.program
    let commands: [Node]
    /// The options of every command.
    let options: [Option]
    let exitCodes: [ExitCode]

    init(_ commands: [Command]) {
        self.commands = commands.map { Node($0, under: []) }
        options = CommandOption.global.map(Option.init)
        exitCodes = ExitStatus.all.map(ExitCode.init)
    }

    struct Node: Encodable {
        let name: String
        /// The names of the groups around it and its own.
        let path: [String]
        let summary: String
        let details: [String]
        let usage: String
        let words: [CommandArgument]
        let leastWords: Int
        let mostWords: Int
        let options: [Option]
        let examples: [Example]
        let commands: [Node]
        /// The default subcommand of a group.
        let alone: String?

        init(_ command: Command, under path: [String]) {
            name = command.name
            self.path = path + [command.name]
            let own = self.path
            summary = command.summary
            details = command.paragraphs
            usage = command.words
            words = command.arguments
            leastWords = command.count.lowerBound
            mostWords = command.count.upperBound
            options = command.options.map(Option.init)
            examples = command.examples.map { Example(line: "scorectl " + $0.line, does: $0.does) }
            commands = command.subcommands.map { Node($0, under: own) }
            alone = command.defaultSubcommand
        }
    }

    struct Option: Encodable {
        let name: String
        let summary: String
        let repeats: Bool
        let value: CommandArgument?

        init(_ option: CommandOption) {
            name = "--" + option.name
            summary = option.summary
            repeats = option.repeats
            value = CommandArgument(valueOf: option)
        }
    }

    struct Example: Encodable {
        let line: String
        let does: String
    }

    struct ExitCode: Encodable {
        let code: Int32
        let meaning: String
    }
}
