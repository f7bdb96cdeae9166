import SyncProtocol

/// A line that somebody is typing, with the lines typed before.
///
/// The keys are those of a shell (GNU Readline, Emacs mode). The cursor stands before a character,
/// as people see characters.
struct InputLine: Hashable, Sendable {
    /// The most characters that are taken.
    static let mostCharacters = 1_000
    /// How many earlier lines are kept.
    static let mostEarlier = 100

    /// What is typed, character by character: always those of `text`, see `set`.
    private var characters: [Character] = []
    /// Before which character the cursor stands.
    private(set) var cursor = 0
    private var earlier: [String] = []
    /// Which of the earlier lines is shown; after the last one stands what was being typed.
    private var place = 0
    private var draft = ""
    /// What was last cut, for Ctrl-Y.
    private var cutText = ""

    /// What is typed.
    var text: String { String(characters) }

    /// What stands before the cursor.
    var head: String { String(characters[..<cursor]) }

    /// Whether nothing is typed.
    var isEmpty: Bool { characters.isEmpty }

    /// Does what a key says; false where it is no key for a line.
    mutating func take(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert([character])
        case .paste(let text): insert(Self.line(of: text))
        case .backspace: cut(from: cursor - 1, keeping: false)
        case .delete, .control("d"): cut(to: cursor + 1, keeping: false)
        case .control("k"): cut(to: characters.count)
        case .control("u"): cut(from: 0)
        case .control("w"): cut(from: wordStart)
        case .control("y"): insert(Array(cutText))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .up, .control("p"): recall(place - 1)
        case .down, .control("n"): recall(place + 1)
        case .control, .enter, .tab, .backTab, .escape, .pageUp, .pageDown: return false
        }
        return true
    }

    /// Puts another text in the place of what stands before the cursor.
    mutating func replaceHead(by text: String) {
        set(head: text, tail: String(characters[cursor...]))
    }

    /// Ends the line and keeps it among the earlier ones.
    mutating func finish() {
        if !isEmpty, earlier.last != text { earlier.append(text) }
        earlier = earlier.suffix(Self.mostEarlier)
        clear()
    }

    /// Empties the line.
    mutating func clear() {
        set(head: "")
        place = earlier.count
        draft = ""
    }

    private mutating func insert(_ new: [Character]) {
        let room = max(0, Self.mostCharacters - characters.count)
        replaceHead(by: head + new.prefix(room))
    }

    /// A pasted text as one line.
    private static func line(of text: String) -> [Character] {
        let words = text.split { $0.isNewline || $0 == "\t" }
        return Array(words.joined(separator: " ")).filter { character in
            !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
    }

    private mutating func cut(from start: Int, keeping: Bool = true) {
        cut(max(0, start)..<cursor, keeping)
    }

    private mutating func cut(to end: Int, keeping: Bool = true) {
        cut(cursor..<min(end, characters.count), keeping)
    }

    private mutating func cut(_ range: Range<Int>, _ keeping: Bool) {
        guard !range.isEmpty else { return }
        if keeping { cutText = String(characters[range]) }
        set(
            head: String(characters[..<range.lowerBound]),
            tail: String(characters[range.upperBound...])
        )
    }

    private var wordStart: Int {
        let spaces = characters[..<cursor].reversed().prefix(while: \.isWhitespace).count
        let word = characters[..<(cursor - spaces)].reversed().prefix { !$0.isWhitespace }.count
        return cursor - spaces - word
    }

    private var wordEnd: Int {
        let spaces = characters[cursor...].prefix(while: \.isWhitespace).count
        let word = characters[(cursor + spaces)...].prefix { !$0.isWhitespace }.count
        return cursor + spaces + word
    }

    private mutating func recall(_ wanted: Int) {
        guard (0...earlier.count).contains(wanted), wanted != place else { return }
        if place == earlier.count { draft = text }
        place = wanted
        set(head: wanted == earlier.count ? draft : earlier[wanted])
    }

    /// Sets the text, with the cursor between head and tail.
    ///
    /// An accent that begins the tail becomes one with the character before it, and the cursor goes
    /// behind both: it never stands within a character.
    private mutating func set(head: String, tail: String = "") {
        characters = Array(head + tail)
        var size = 0
        cursor =
            characters.prefix { character in
                defer { size += character.utf8.count }
                return size < head.utf8.count
            }.count
    }
}

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

/// The words of a line, taken apart as a shell does: spaces between them, quotes around those that
/// hold some, a backslash before what shall mean nothing.
struct TypedWords: Hashable, Sendable {
    /// The words before the last one.
    private(set) var complete: [String] = []
    /// The last word, which may go on; nil where none has begun.
    private(set) var last: String?
    /// The quote that is open.
    private(set) var openQuote: Character?
    /// How many characters of the last word stand behind the quote that is open.
    private(set) var quotedCount = 0

    /// Takes a line apart.
    init(_ line: String) {
        var rest = line[...]
        while let character = rest.popFirst() {
            if let quote = openQuote {
                take(character, in: quote, &rest)
            } else if character == "'" || character == "\"" {
                openQuote = character
                quotedCount = 0
                last = last ?? ""
            } else if character == "\\", let next = rest.popFirst() {
                append(next)
            } else if character.isWhitespace {
                end()
            } else {
                append(character)
            }
        }
    }

    /// All words.
    var all: [String] { complete + (last.map { [$0] } ?? []) }

    private mutating func take(_ character: Character, in quote: Character, _ rest: inout Substring)
    {
        if character == quote {
            openQuote = nil
            return
        }
        // Within double quotes a backslash hides only what means something there.
        let isHidden = quote == "\"" && character == "\\"
        if isHidden, let next = rest.first, "\\\"$`".contains(next) {
            append(rest.removeFirst())
        } else {
            append(character)
        }
        quotedCount += 1
    }

    private mutating func append(_ character: Character) { last = (last ?? "") + String(character) }

    private mutating func end() {
        if let word = last { complete.append(word) }
        last = nil
    }
}
