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
