import SyncProtocol

/// A word that a command takes, or the value of an option, as a program can know it.
struct CommandWord: Hashable, Sendable, Encodable {
    /// What help calls it.
    let name: String
    /// What it is.
    let kind: WordKind
    /// What it can be, where that is one of some words.
    let choices: [String]
    /// Whether it may be left out.
    let optional: Bool
    /// Whether any number of them may follow each other.
    let repeats: Bool

    /// The word that a part of a line of help stands for, such as `[PLAYER]` or `NAME...`; nil
    /// where that is no word of its own.
    init?(_ part: String, kinds: [String: WordKind] = [:]) {
        var name = part
        optional = name.hasPrefix("[")
        if optional { name.removeFirst() }
        if optional, let end = name.lastIndex(of: "]") { name.remove(at: end) }
        // The end of brackets that begin at a word before.
        if name.hasSuffix("]"), !name.contains("[") { name.removeLast() }
        while name.hasSuffix(",") { name.removeLast() }
        repeats = name.hasSuffix("...")
        if repeats { name.removeLast(3) }
        guard !name.isEmpty, !name.hasPrefix("-"), name != "|" else { return nil }
        self.name = name
        let isChoice = name.contains("|") || name.allSatisfy { $0.isLowercase || $0 == "-" }
        choices = isChoice ? name.split(separator: "|").map(String.init) : []
        kind = kinds[name] ?? (isChoice ? .choice : WordKind(placeholder: name) ?? .text)
    }

    /// The value of an option.
    init?(valueOf option: CommandOption) {
        guard let name = option.value else { return nil }
        self.name = name
        let isChoice = name.contains("|")
        choices = isChoice ? name.split(separator: "|").map(String.init) : option.choices
        let usual = WordKind(placeholder: name).map { $0 == .cell ? .row : $0 }
        kind = option.kind ?? (choices.isEmpty ? usual ?? .text : .choice)
        optional = false
        repeats = false
    }
}

extension Command {
    /// The words that the command takes, in order, as the line of help for them says.
    ///
    /// What follows an `or` in that line is another form of the same words.
    var takes: [CommandWord] {
        guard count.upperBound > 0 else { return [] }
        return words.split(separator: " ").prefix { $0 != "or" }
            .compactMap { CommandWord(String($0), kinds: kinds) }
    }

    /// What can be the word behind so many others.
    func takes(after count: Int) -> [CommandWord] {
        guard count < self.count.upperBound else { return [] }
        let all = takes
        // A word that may be left out, or has an end that is not told, lets the next one be there.
        func open(_ place: Int) -> Set<Int> {
            guard place < all.count else { return [] }
            return all[place].optional ? open(place + 1).union([place]) : [place]
        }
        var places = open(0)
        for _ in 0..<count {
            places = places.reduce(into: []) { next, place in
                next.formUnion(open(place + 1))
                if all[place].repeats { next.insert(place) }
            }
        }
        return places.sorted().map { all[$0] }
    }
}

/// What a word of a command line stands for: what can be completed there, and what `help --json`
/// says of it.
enum WordKind: String, Hashable, Sendable, CaseIterable, Encodable {
    /// A session that is held here: its title, or a beginning of its id.
    case session
    /// A player of the session.
    case player
    /// A player who was removed from the session.
    case removedPlayer = "removed-player"
    /// Somebody who plays on this laptop.
    case person
    /// A team of the session.
    case team
    /// A row of the sheet, with its round where it has rounds.
    case row
    /// A place of the sheet in which something is written.
    case cell
    /// A row and what to write there, `ROW=VALUE`.
    case score = "entry"
    /// What is played in a turn.
    case move
    /// A game, by its id.
    case game
    /// An option of a game and its value, `NAME=VALUE`.
    case gameOption = "game-option"
    /// The address of another laptop.
    case address
    /// A file.
    case file
    /// A directory.
    case directory
    /// A command of `scorectl`.
    case command
    /// An option of `scoresyncd`.
    case daemonOption = "daemon-option"
    /// One of some words.
    case choice
    /// A join code.
    case code
    /// A number.
    case number
    /// A stretch of time.
    case time
    /// Anything.
    case text

    /// What stands for it in the lines of help, where a command does not say otherwise.
    private static let placeholders: [String: WordKind] = [
        "SESSION": .session, "S": .session, "PLAYER": .player, "TEAM": .team,
        "ROW[.ROUND]": .cell, "ROW[.ROUND]=VALUE": .score, "MOVE": .move, "GAME": .game,
        "NAME=VALUE": .gameOption, "K=V": .gameOption, "HOST[:PORT]": .address, "FILE": .file,
        "DIR": .directory, "DIRECTORY": .directory, "COMMAND": .command,
        "SCORESYNCD-OPTION": .daemonOption, "CODE": .code, "N": .number, "TIME": .time,
        "SECONDS": .time, "NAME": .text, "TITLE": .text, "T": .text, "VALUE": .text,
        "NEW-NAME": .text, "DEVICE": .text, "WORD": .text,
    ]

    /// What a word in capitals stands for; nil where nobody has said it.
    init?(placeholder: String) {
        guard let kind = Self.placeholders[placeholder] else { return nil }
        self = kind
    }
}

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
