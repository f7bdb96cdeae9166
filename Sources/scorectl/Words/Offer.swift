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
