import SyncTestKit
import Testing

@testable import scorectl

@Suite("The line that is typed")
struct InputLineTests {
    private func line(_ keys: [Key]) -> InputLine {
        var line = InputLine()
        for key in keys { _ = line.handle(key) }
        return line
    }

    private func typed(_ text: String, _ keys: Key...) -> String {
        let line = line(text.map(Key.character) + keys)
        return line.head + "|" + line.text.dropFirst(line.head.count)
    }

    @Test("is edited with the keys of a shell")
    func editing() {
        #expect(typed("Ann 12", .backspace) == "Ann 1|")
        #expect(typed("Ann 12", .left, .left, .character("-")) == "Ann -|12")
        #expect(typed("Ann 12", .control("a"), .delete) == "|nn 12")
        #expect(typed("Ann 12", .home, .right, .control("k")) == "A|")
        #expect(typed("Ann 12", .control("u")) == "|")
        #expect(typed("Ann  12 ", .control("w")) == "Ann  |")
        #expect(typed("Ann 12", .control("w"), .control("y"), .control("y")) == "Ann 1212|")
        #expect(typed("Ann 12", .wordLeft, .wordLeft, .wordRight) == "Ann| 12")
        #expect(typed("Ann", .left, .control("e"), .character("a")) == "Anna|")
        #expect(typed("A", .left, .left, .backspace, .right, .right, .delete) == "A|")
    }

    @Test("holds characters as people see them")
    func characters() {
        #expect(typed("張e\u{301}👩‍👩‍👧‍👦", .left, .backspace) == "張|👩‍👩‍👧‍👦")
        let joined = line([.character("e"), .character("\u{301}"), .character("x")])
        #expect(joined.text == "éx" && joined.cursor == 2)
    }

    @Test("joins characters that combine, with the cursor after them")
    func joining() {
        #expect(typed("\u{301}x", .home, .character("e")) == "e\u{301}|x")
        #expect(typed("🇩x🇪y", .home, .right, .delete) == "🇩🇪|y")
        #expect(typed("🇩xx🇪", .left, .control("w"), .backspace) == "|🇪")
        #expect(typed("🇩x🇪", .left, .backspace, .backspace) == "|")
    }

    @Test("keeps its cursor between characters for any input")
    func seams() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let characters = "e \u{301}🇩🇪👩\u{200D}\u{1100}\u{1161}".unicodeScalars.map { scalar in
            Key.character(Character(scalar))
        }
        let moves: [Key] = [
            .left, .right, .home, .wordLeft, .wordRight, .backspace, .delete, .control("w"),
            .control("y"), .up, .down,
        ]
        for _ in 0..<500 {
            var line = InputLine()
            for _ in 0..<40 {
                let keys = Bool.random(using: &generator) ? characters : moves
                guard let key = keys.randomElement(using: &generator) else { return }
                _ = line.handle(key)
                #expect(line.text.prefix(line.cursor) == line.head, "seed \(seed)")
                #expect(line.head.count == line.cursor, "seed \(seed)")
            }
        }
    }

    @Test("inserts pasted words up to its limit")
    func paste() {
        #expect(typed("a ", .paste("b\r\nc\td\u{1B}[A")) == "a b c d[A|")
        let long = line([.paste(String(repeating: "x", count: 5_000))])
        #expect(long.text.count == InputLine.maxCharacters)
    }

    @Test("recalls earlier lines, and the line being typed")
    func earlier() {
        var line = InputLine()
        for text in ["one", "two", "two", ""] {
            _ = line.handle(.paste(text))
            line.finish()
        }
        _ = line.handle(.character("n"))
        var seen: [String] = []
        for key in [Key.up, .up, .up, .down, .down, .down] {
            _ = line.handle(key)
            seen.append(line.text)
        }
        #expect(seen == ["two", "one", "one", "two", "n", "n"])
    }

    @Test("is split as in a shell")
    func words() {
        #expect(
            ShellWords(#"score 'Bob the Great' a=1 "#).all == ["score", "Bob the Great", "a=1"]
        )
        #expect(ShellWords(#"a\ b "c'd" ''"#).all == ["a b", "c'd", ""])
        #expect(ShellWords("  ").all.isEmpty)
        #expect(ShellWords("'Bob t").openQuote == "'")
        #expect(ShellWords("a ").last == nil)
        #expect(ShellWords("a b").last == "b")
        #expect(ShellWords(#"a\"#).all == [#"a\"#])
    }
}
