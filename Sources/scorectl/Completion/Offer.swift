import SyncProtocol

/// What can stand at the end of a command line: commands, their options, and whatever somebody
/// knows of the kinds of words that they take.
///
/// The live terminal and the completions of all shells ask the same.
struct Offer {
    /// The commands.
    let commands: [Command]
    /// The options of every command.
    var global: [CommandOption] = []
    /// Who knows what is there at this moment.
    let known: any KnownWords

    /// What can be typed somewhere.
    struct Answer {
        /// The words.
        var words: [OfferedWord] = []
        /// What is a name of the file system, which the shell knows: a file or a directory.
        var path: WordKind?
    }

    /// What can follow whole words, where another one has begun.
    func answer(after typed: [String], beginning begun: String) -> Answer {
        let place = CommandPosition(after: typed, among: commands, global: global)
        if let option = place.valued { return values(of: option, place) }
        if begun.hasPrefix("-"), !place.isPastOptions {
            let halves = begun.split(separator: "=", maxSplits: 1)
            if begun.contains("="), let name = halves.first, let option = place.option(name) {
                var answer = values(of: option, place)
                answer.words = answer.words.map {
                    OfferedWord(text: name + "=" + $0.text, summary: $0.summary)
                }
                return answer
            }
            return Answer(
                words: place.left.map { OfferedWord(text: "--" + $0.name, summary: $0.summary) }
            )
        }
        if !place.among.isEmpty {
            // Behind a word that is no command, nothing is known.
            return Answer(words: place.words.isEmpty ? Self.names(of: place.among) : [])
        }
        guard let command = place.command else { return Answer() }
        var answer = Answer()
        for word in command.takes(after: place.words.count) {
            add(word, place, to: &answer)
        }
        return answer
    }

    private func values(of option: CommandOption, _ place: CommandPosition) -> Answer {
        var answer = Answer()
        if let value = CommandWord(valueOf: option) { add(value, place, to: &answer) }
        return answer
    }

    private func add(_ word: CommandWord, _ place: CommandPosition, to answer: inout Answer) {
        switch word.kind {
        case .file, .directory: answer.path = word.kind
        case .choice: answer.words += word.choices.map { OfferedWord(text: $0) }
        case .command:
            let inner = CommandPosition(after: place.words, among: commands, global: [])
            if inner.words.isEmpty { answer.words += Self.names(of: inner.among) }
        case .session, .player, .removedPlayer, .person, .team, .row, .cell, .score, .move, .game,
            .gameOption, .address, .daemonOption, .code, .number, .time, .text:
            answer.words += known.words(word.kind, after: place.words)
        }
    }

    private static func names(of commands: [Command]) -> [OfferedWord] {
        commands.map { OfferedWord(text: $0.name, summary: $0.summary) }
    }
}

/// A word that can stand at the end of what is typed.
struct OfferedWord: Hashable, Sendable {
    /// The word.
    let text: String
    /// What it is, in a few words; empty where the word says it.
    var summary = ""

    /// Whether something must still be typed behind it before it is a whole word.
    var isOpen: Bool { text.hasSuffix("=") }

    /// Whether a shell can be given it: a name of another laptop may hold what moves a cursor.
    var isHarmless: Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && !PrintableText.isDangerous($0)
            }
    }
}

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
