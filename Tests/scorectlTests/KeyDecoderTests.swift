import SyncTestKit
import Testing

@testable import scorectl

@Suite("Keys from the bytes of a terminal")
struct KeyDecoderTests {
    private func keys(_ texts: String...) -> [Key] {
        var decoder = KeyDecoder()
        return texts.flatMap { decoder.keys(from: $0.utf8) } + decoder.keysAfterTimeout()
    }

    private static let sequences: [(String, Key)] = [
        ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[C", .right), ("\u{1B}OD", .left),
        ("\u{1B}[H", .home), ("\u{1B}[4~", .end), ("\u{1B}[1~", .home), ("\u{1B}OF", .end),
        ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
        ("\u{1B}[1;5D", .wordLeft), ("\u{1B}[1;3C", .wordRight), ("\u{1B}b", .wordLeft),
        ("\u{1B}f", .wordRight), ("\u{1B}[Z", .backTab), ("\t", .tab), ("\r", .enter),
        ("\n", .enter), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{1B}", .escape),
        ("\u{1}", .control("a")), ("\u{1A}", .control("z")), ("é", .character("é")),
        ("張", .character("張")), ("👩‍👩‍👧‍👦", .character("👩‍👩‍👧‍👦")), ("e\u{301}", .character("é")),
    ]

    @Test("are decoded at once and byte by byte", arguments: sequences)
    func sequence(text: String, key: Key) {
        #expect(keys(text) == [key])
        var decoder = KeyDecoder()
        var found = text.utf8.flatMap { decoder.keys(from: [$0]) } + decoder.keysAfterTimeout()
        // The line joins characters that arrive in parts.
        if case .character = key {
            var line = InputLine()
            for key in found { _ = line.handle(key) }
            found = [.character(Character(line.text))]
        }
        #expect(found == [key])
    }

    @Test("that are unknown are skipped")
    func unknown() {
        #expect(
            keys("\u{1B}[24~a\u{1B}[?62;c\u{1B}[99;99;99mb") == [.character("a"), .character("b")]
        )
        #expect(keys("\u{0}a\u{1C}") == [.character("a")])
        #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
        let long = "\u{1B}[" + String(repeating: "1", count: 100)
        #expect(keys(long + "x").last == .character("x"))
    }

    @Test("that were pasted come as one, however many lines they are")
    func paste() {
        #expect(
            keys("\u{1B}[200~u\rq\u{1B}[A", "b\u{1B}[20", "1~c") == [
                .paste("u\rq\u{1B}[Ab"), .character("c"),
            ]
        )
        let large = String(repeating: "x", count: 100_000)
        #expect(
            keys("\u{1B}[200~" + large + "\u{1B}[201~y") == [
                .paste(String(repeating: "x", count: KeyDecoder.maxPastedBytes)), .character("y"),
            ]
        )
    }

    @Test("that are no UTF-8 are shown as such")
    func broken() {
        var decoder = KeyDecoder()
        let keys = decoder.keys(from: [0xC3, 0x28, 0xFF, 0x80, 0x41])
        #expect(keys == ["\u{FFFD}", "(", "\u{FFFD}", "\u{FFFD}", "A"].map { .character($0) })
    }

    @Test("of any bytes never trap and never fill the buffer")
    func garbage() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let likely = Array("\u{1B}[O~;2001ABCZabcé張\r\t".utf8)
        for _ in 0..<2_000 {
            var decoder = KeyDecoder()
            var line = InputLine()
            for _ in 0..<20 {
                let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    Bool.random(using: &generator)
                        ? likely.randomElement(using: &generator) ?? 0
                        : UInt8.random(in: 0...255, using: &generator)
                }
                for key in decoder.keys(from: bytes) { _ = line.handle(key) }
                if Bool.random(using: &generator) {
                    for key in decoder.keysAfterTimeout() { _ = line.handle(key) }
                }
                #expect(line.cursor >= 0 && line.cursor <= line.text.count, "seed \(seed)")
                #expect(line.text.count <= InputLine.maxCharacters, "seed \(seed)")
            }
        }
    }
}
