import SyncProtocol

/// A word of a command, or the value of an option, as `help --json` and completion describe it.
struct CommandArgument: Hashable, Sendable, Encodable {
    let name: String
    let kind: ArgumentKind
    let choices: [String]
    let optional: Bool
    let repeats: Bool

    /// Parses a part of a usage line, such as `[PLAYER]` or `NAME...`; nil if it is not an
    /// argument.
    init?(_ part: String, kinds: [String: ArgumentKind] = [:]) {
        var name = part
        optional = name.hasPrefix("[")
        if optional { name.removeFirst() }
        if optional, let end = name.lastIndex(of: "]") { name.remove(at: end) }
        // The bracket may have been opened by an earlier argument.
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
    /// The arguments of the command, in order, parsed from its usage.
    ///
    /// The usage may contain an alternative form after `or`, which is ignored.
    var arguments: [CommandArgument] {
        guard arity?.upperBound != 0 else { return [] }
        return words.split(separator: " ").prefix { $0 != "or" }
            .compactMap { CommandArgument(String($0), kinds: kinds) }
    }

    func arguments(after count: Int) -> [CommandArgument] {
        guard count < self.count.upperBound else { return [] }
        let all = arguments
        // An optional argument may be skipped.
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

/// The kind of an argument, for completion and `help --json`.
enum ArgumentKind: String, Hashable, Sendable, CaseIterable, Encodable {
    /// The title of a session of this laptop, or the beginning of its id.
    case session
    case player, person, team
    case removedPlayer = "removed-player"
    /// A row of the sheet, with its round if it has rounds.
    case row
    case cell
    /// `ROW=VALUE`.
    case score = "entry"
    case move, game
    /// `NAME=VALUE`.
    case gameOption = "game-option"
    case daemonOption = "daemon-option"
    /// Another laptop of the session, by its name or an address.
    case peer
    case address, file, directory, command, choice, code, number, time, text

    /// The kinds of placeholders, unless a command specifies another.
    private static let placeholders: [String: ArgumentKind] = [
        "SESSION": .session, "S": .session, "PLAYER": .player, "TEAM": .team,
        "ROW[.ROUND]": .cell, "ROW[.ROUND]=VALUE": .score, "MOVE": .move, "GAME": .game,
        "NAME=VALUE": .gameOption, "K=V": .gameOption, "HOST[:PORT]": .address, "FILE": .file,
        "TEAM=NAME,...": .text, "DIR": .directory, "DIRECTORY": .directory, "COMMAND": .command,
        "SCORESYNCD-OPTION": .daemonOption, "CODE": .code, "N": .number, "TIME": .time,
        "NAME": .text, "TITLE": .text, "T": .text, "VALUE": .text,
        "NEW-NAME": .text, "ID": .text, "DEVICE": .text, "WORD": .text, "LAPTOP": .text,
    ]

    init?(placeholder: String) {
        guard let kind = Self.placeholders[placeholder] else { return nil }
        self = kind
    }
}

/// The commands as `help --json` prints them.
enum CommandTreeDocument {
    static func all(_ commands: [Command]) -> JSONDocument {
        let codes = ExitStatus.all.map { ["code": $0.code, "meaning": $0.meaning] as JSONDocument }
        return [
            "schema": 1, "program": "scorectl", "version": Versions.program,
            "commands": commands.map { document(of: $0, under: []) },
            "options": CommandOption.global.map(option), "exitCodes": codes,
        ]
    }

    static func document(of command: Command, under path: [String]) -> JSONDocument {
        let path = path + [command.name]
        let examples = command.examples.map {
            ["line": "scorectl " + $0.line, "does": $0.does] as JSONDocument
        }
        var document: JSONDocument = [
            "name": command.name, "path": path, "summary": command.summary,
            "details": command.paragraphs, "usage": command.words, "words": command.arguments,
            "leastWords": command.count.lowerBound, "mostWords": command.count.upperBound,
            "options": command.options.map(option), "examples": examples,
            "commands": command.subcommands.map { Self.document(of: $0, under: path) },
        ]
        document["alone"] = command.defaultSubcommand
        return document
    }

    private static func option(_ option: CommandOption) -> JSONDocument {
        var document: JSONDocument = [
            "name": "--" + option.name, "summary": option.summary, "repeats": option.repeats,
        ]
        document["value"] = CommandArgument(valueOf: option)
        return document
    }
}
