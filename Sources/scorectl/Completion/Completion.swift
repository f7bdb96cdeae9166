import SyncProtocol

/// Completes a command line by commands, their options, and the candidates of a source.
///
/// The live terminal and all shells use it.
struct Completion {
    let commands: [Command]
    /// The options of every command.
    var global: [CommandOption] = []
    let source: any CandidateSource

    struct Result {
        var candidates: [Candidate] = []
        /// The kind of a path, `file` or `directory`, which the shell completes itself.
        var path: ArgumentKind?
    }

    /// The continuations of complete words, where another one has begun.
    func result(after words: [String], beginning begun: String) -> Result {
        let context = CompletionContext(after: words, in: commands, global: global)
        if let option = context.openOption { return values(of: option, context) }
        if begun.hasPrefix("-"), !context.isPastOptions {
            if let end = begun.firstIndex(of: "="), let option = context.option(begun[..<end]) {
                var result = values(of: option, context)
                result.candidates = result.candidates.map {
                    Candidate(text: "\(begun[..<end])=\($0.text)", summary: $0.summary)
                }
                return result
            }
            return Result(
                candidates: context.unusedOptions.map {
                    Candidate(text: "--" + $0.name, summary: $0.summary)
                }
            )
        }
        if !context.subcommands.isEmpty {
            // After an unknown command, nothing is known.
            let isKnown = context.words.isEmpty
            return Result(candidates: isKnown ? Self.candidates(context.subcommands) : [])
        }
        var result = Result()
        for argument in context.command?.arguments(after: context.words.count) ?? [] {
            add(argument, context, to: &result)
        }
        return result
    }

    private func values(of option: CommandOption, _ context: CompletionContext) -> Result {
        var result = Result()
        if let value = CommandArgument(valueOf: option) { add(value, context, to: &result) }
        return result
    }

    private func add(
        _ argument: CommandArgument,
        _ context: CompletionContext,
        to result: inout Result
    ) {
        switch argument.kind {
        case .file, .directory: result.path = argument.kind
        case .choice: result.candidates += argument.choices.map { Candidate(text: $0) }
        case .command:
            let inner = CompletionContext(after: context.words, in: commands, global: [])
            if inner.words.isEmpty { result.candidates += Self.candidates(inner.subcommands) }
        case .session, .player, .removedPlayer, .person, .team, .row, .cell, .score, .move, .game,
            .gameOption, .address, .daemonOption, .code, .number, .time, .text:
            result.candidates += source.candidates(argument.kind, after: context.words)
        }
    }

    private static func candidates(_ commands: [Command]) -> [Candidate] {
        commands.map { Candidate(text: $0.name, summary: $0.summary) }
    }
}

/// A possible word at the end of a command line.
struct Candidate: Hashable, Sendable {
    let text: String
    /// A description in a few words; empty if the word needs none.
    var summary = ""

    /// Whether it must be continued, so that no space belongs after it.
    var isOpen: Bool { text.hasSuffix("=") }

    /// Whether a shell can be given it: names from other laptops may contain control characters.
    var isHarmless: Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && !PrintableText.isDangerous($0)
            }
    }
}

/// The state at the end of a command line that is being typed: the command, its words and options.
///
/// Unlike ``ParsedArguments`` it accepts any input, since it may still become valid.
struct CompletionContext {
    /// The command; nil if none is named, or an unknown one.
    private(set) var command: Command?
    /// The commands that can be named next.
    private(set) var subcommands: [Command]
    /// The words after the command.
    private(set) var words: [String] = []
    /// The options so far, with their values.
    private(set) var options: [String: [String]] = [:]
    /// The option whose value comes next.
    private(set) var openOption: CommandOption?
    /// Whether `--` has ended the options.
    private(set) var isPastOptions = false

    private let global: [CommandOption]
    private let all: [String: CommandOption]

    init(after typed: [String], in commands: [Command], global: [CommandOption]) {
        subcommands = commands
        self.global = global
        all = CommandOption.all(in: commands)
            .merging(global.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for word in typed { add(word) }
    }

    private var known: [CommandOption] { (command?.options ?? []) + global }

    var unusedOptions: [CommandOption] {
        known.filter { $0.repeats || options[$0.name] == nil }
    }

    /// The option of a name with its dashes.
    func option(_ dashed: some StringProtocol) -> CommandOption? {
        let name = dashed.drop { $0 == "-" }
        return known.first { $0.name == name } ?? all[String(name)]
    }

    private mutating func add(_ word: String) {
        if let option = openOption {
            openOption = nil
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
                openOption = option
            }
        } else if let found = subcommands.first(where: { $0.name == word }) {
            command = found
            subcommands = found.subcommands
        } else {
            words.append(word)
        }
    }
}
