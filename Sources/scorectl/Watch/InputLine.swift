import SyncProtocol

/// An editable line with a history.
///
/// The keys are those of GNU Readline in Emacs mode. The cursor is always between characters as
/// people see them (grapheme clusters).
struct InputLine: Hashable, Sendable {
    static let maxCharacters = 1_000
    static let maxHistory = 100

    private var characters: [Character] = []
    private(set) var cursor = 0
    private var history: [String] = []
    /// The index of the shown line in the history; the count of the history stands for `draft`.
    private var position = 0
    private var draft = ""
    private var cutText = ""

    var text: String { String(characters) }

    var head: String { String(characters[..<cursor]) }

    var isEmpty: Bool { characters.isEmpty }

    /// Handles a key; returns false if it does not edit a line.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert([character])
        case .paste(let text): insert(Self.line(of: text))
        case .backspace: cut(max(0, cursor - 1)..<cursor, keeping: false)
        case .delete, .control("d"):
            cut(cursor..<min(cursor + 1, characters.count), keeping: false)
        case .control("k"): cut(cursor..<characters.count)
        case .control("u"): cut(0..<cursor)
        case .control("w"): cut(wordStart..<cursor)
        case .control("y"): insert(Array(cutText))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .up, .control("p"): recall(position - 1)
        case .down, .control("n"): recall(position + 1)
        case .control, .enter, .tab, .backTab, .escape, .pageUp, .pageDown: return false
        }
        return true
    }

    mutating func replaceHead(by text: String) {
        set(head: text, tail: String(characters[cursor...]))
    }

    mutating func finish() {
        if !isEmpty, history.last != text { history.append(text) }
        history = history.suffix(Self.maxHistory)
        clear()
    }

    mutating func clear() {
        set(head: "")
        position = history.count
        draft = ""
    }

    private mutating func insert(_ new: [Character]) {
        let room = max(0, Self.maxCharacters - characters.count)
        replaceHead(by: head + new.prefix(room))
    }

    private static func line(of text: String) -> [Character] {
        let words = text.split { $0.isNewline || $0 == "\t" }
        return Array(words.joined(separator: " ")).filter { character in
            !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
    }

    private mutating func cut(_ range: Range<Int>, keeping: Bool = true) {
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
        guard (0...history.count).contains(wanted), wanted != position else { return }
        if position == history.count { draft = text }
        position = wanted
        set(head: wanted == history.count ? draft : history[wanted])
    }

    /// Sets the text, with the cursor between head and tail.
    ///
    /// An accent at the beginning of the tail combines with the character before it; the cursor is
    /// then placed after both.
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

/// The completion of a typed line: players, rows, moves, commands and their options.
struct LineCompletion: Hashable, Sendable {
    /// The typed text, extended as far as it is unambiguous.
    let head: String
    /// The possible words, if there are several.
    let choices: [String]

    init(of head: String, on show: ShowReply, among commands: [Command]) {
        let typed = ShellWords(head)
        let partial = typed.last ?? ""
        let fitting = Self.words(after: typed.complete, beginning: partial, show, commands)
            .beginning(with: partial) { $0 }
        let shared = fitting.dropFirst().reduce(fitting.first ?? "", Self.commonPrefix)
        let isUnambiguous = fitting.count == 1
        let word = shared.count >= partial.count ? shared : partial
        guard !fitting.isEmpty, !word.isEmpty else {
            self.head = head
            choices = fitting
            return
        }
        // A name with spaces is quoted; the quotes stay open while more may be typed.
        let quoted =
            isUnambiguous || word.allSatisfy { !$0.isWhitespace } ? ShellWord.quoted(word) : nil
        let isOver = isUnambiguous && !word.hasSuffix("=")
        self.head = typed.head + (quoted ?? "'" + word) + (isOver ? " " : "")
        choices = isUnambiguous ? [] : fitting
    }

    /// Returns the possible next words; below a sheet, a score or a move needs no command.
    private static func words(
        after words: [String],
        beginning partial: String,
        _ show: ShowReply,
        _ commands: [Command]
    ) -> [String] {
        let sheet = SheetCandidates(show: show)
        func players() -> [String] { sheet.texts(.player, after: []) }
        guard let first = words.first else {
            let names = commands.map(\.name).filter(LiveCommands.isAvailable)
            return players() + sheet.texts(.score, after: []) + show.legalMoves + names
        }
        guard commands.contains(where: { $0.name == first }) else {
            return LiveCommands.isPlayed(show) ? players() : sheet.texts(.score, after: words)
        }
        let result = Completion(commands: commands, source: sheet)
            .result(after: words, beginning: partial).candidates.map(\.text)
        return first == "help" ? result.filter(LiveCommands.isAvailable) : result
    }

    /// Returns the common prefix of two words in any case, in the spelling of the first.
    private static func commonPrefix(_ one: String, _ other: String) -> String {
        String(zip(one, other).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
}
