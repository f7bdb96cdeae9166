import SyncProtocol

/// What can stand at the end of what is typed: players, rows, moves, commands and their options.
struct Completion: Hashable, Sendable {
    /// What is typed, gone on with as far as it is clear.
    let head: String
    /// What it could become, where that is not clear.
    let choices: [String]

    /// How what is typed can go on, on a sheet.
    init(of head: String, on show: ShowReply, among commands: [Command]) {
        let typed = TypedWords(head)
        let begun = typed.last ?? ""
        let offered = LiveOffer(show, commands).words(after: typed.complete, beginning: begun)
        // Whoever types a capital means a name and not a command.
        let spelled = offered.filter { $0.hasPrefix(begun) }
        let fitting =
            spelled.isEmpty
            ? offered.filter { $0.lowercased().hasPrefix(begun.lowercased()) } : spelled
        guard let first = fitting.first else {
            self.head = head
            choices = []
            return
        }
        let shared = fitting.dropFirst().reduce(first, Self.shared)
        let isClear = fitting.count == 1
        let word = shared.count >= begun.count ? shared : begun
        guard !word.isEmpty else {
            self.head = head
            choices = fitting
            return
        }
        // A name that holds spaces stands in quotes, which are open as long as it may go on.
        let quoted = isClear || word.allSatisfy { !$0.isWhitespace } ? ShellWord.quoted(word) : nil
        let open = quoted ?? "'" + word
        let isOver = isClear && !word.hasSuffix("=")
        self.head = Self.withoutLast(head, typed) + open + (isOver ? " " : "")
        choices = isClear ? [] : fitting
    }

    /// What is typed before the last word.
    private static func withoutLast(_ head: String, _ typed: TypedWords) -> String {
        guard typed.last != nil else { return head }
        let count = typed.complete.count
        // The last word begins behind the shortest beginning that holds all the others.
        var rest = head[...]
        while !rest.isEmpty {
            let words = TypedWords(String(rest))
            if words.last == nil, words.complete.count == count, words.openQuote == nil { break }
            rest.removeLast()
        }
        return String(rest)
    }

    /// The beginning that two words share, as the first one spells it.
    private static func shared(_ one: String, _ other: String) -> String {
        String(zip(one, other).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
}

/// What words a sheet and the command line have to offer: below a sheet a score or a move needs no
/// command before it.
private struct LiveOffer {
    private let show: ShowReply
    private let sheet: SheetWords
    private let commands: [Command]

    init(_ show: ShowReply, _ commands: [Command]) {
        self.show = show
        sheet = SheetWords(show)
        self.commands = commands
    }

    func words(after words: [String], beginning begun: String) -> [String] {
        guard let first = words.first else {
            return score([]) + LiveWords.moves(on: show) + names
        }
        guard commands.contains(where: { $0.name == first }) else {
            return LiveWords.isPlayed(show) ? sheet.texts(.player, after: []) : score(words)
        }
        let answer = Offer(commands: commands, known: sheet)
            .answer(after: words, beginning: begun).words.map(\.text)
        return first == "help" ? answer.filter { !LiveWords.isElsewhere($0) } : answer
    }

    private var names: [String] { commands.map(\.name).filter { !LiveWords.isElsewhere($0) } }

    /// What follows the words of a score: whose, where nobody was named, and the rows.
    private func score(_ words: [String]) -> [String] {
        (words.isEmpty ? sheet.texts(.player, after: []) : []) + sheet.texts(.score, after: words)
    }
}
