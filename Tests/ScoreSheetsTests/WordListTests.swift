import ScoreSheets
import SyncTestKit
import Testing

@Suite("Search in word lists")
struct WordListTests {
    private func list(_ text: String) -> WordList { list(Array(text.utf8)) }

    private func list(_ file: [UInt8]) -> WordList {
        WordList(name: "list", fingerprint: "f", file: file)
    }

    @Test("a line of letters is a word; names, digits, hyphens and apostrophes are none")
    func lines() {
        let words = list("cat\nCat\nCATS\ndog's\nco-op\na b\nx2\n cow\nowl \n\nant\nbee")
        #expect(words.count == 3)
        #expect(words.contains("cat"))
        #expect(words.contains("ant"))
        #expect(words.contains("bee"))
        for other in ["Cat", "cats", "dog", "dogs", "coop", "co", "x", "cow", "owl", "", "a b"] {
            #expect(!words.contains(other), "\(other)")
        }
    }

    @Test("accents are folded, as one character or as a letter with a mark")
    func accents() {
        let words = list("één\ncafe\u{301}\nreünie\ngarçon\nsmörgåsbord\nÉlysée\nœuvre\nstraße\n")
        #expect(words.count == 5)
        for word in ["een", "cafe", "reunie", "garcon", "smorgasbord"] {
            #expect(words.contains(word), "\(word)")
        }
        #expect(!words.hasWord(beginning: "ely", ofAtLeast: 1))
        #expect(!words.contains("één"))
        #expect(list("een\néén\nëen\n").count == 1)
    }

    @Test("a line that is not UTF-8 is left out, and the others stay")
    func broken() {
        let words = list(
            Array("ab\nc".utf8) + [0xFF] + Array("d\nef\n".utf8) + [0xC3] + Array("\ngh".utf8)
        )
        #expect(words.count == 3)
        #expect(["ab", "ef", "gh"].allSatisfy(words.contains))
        #expect(!words.hasWord(beginning: "c", ofAtLeast: 1))
    }

    @Test("any line ending is accepted, and the last line needs none")
    func endings() {
        let words = list("cat\r\ndog\r\r\nemu\r\nfox")
        #expect(words.count == 3)
        #expect(["cat", "emu", "fox"].allSatisfy(words.contains))
    }

    @Test("a word is at most a hundred letters long")
    func long() {
        let longest = String(repeating: "a", count: 100)
        #expect(list("\(longest)\n").contains(longest))
        #expect(list("\(longest)a\n\(longest)é\n").count == 0)
    }

    @Test("an empty list has no word, and text without letters is never found")
    func nothing() {
        for file in ["", "\n", "\n\n", "'\n"] {
            let words = list(file)
            #expect(words.count == 0)
            #expect(!words.contains(""))
            #expect(!words.contains("a"))
            #expect(!words.hasWord(beginning: "", ofAtLeast: 1))
        }
        let words = list("cat\ncats\n")
        for text in [
            "cat\n", "cat\ncats", "cats\n", "cats\n\n\n", "\n", "ca\u{0}", "é", "cats\ndog",
        ] {
            #expect(!words.contains(text))
            #expect(!words.hasWord(beginning: text, ofAtLeast: 1))
        }
    }

    @Test("results are those of a linear search", arguments: Seeds.below(200))
    func scan(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func word(_ longest: Int) -> String {
            String(
                (0..<Int.random(in: 1...longest, using: &generator)).map { _ in
                    "aabcz".randomElement(using: &generator) ?? "a"
                }
            )
        }
        var words = (0..<Int.random(in: 0...60, using: &generator)).map { _ in word(6) }
        if seed % 2 == 0 { words.sort() }
        let list = list(words.joined(separator: "\n"))
        #expect(list.count == Set(words).count)
        let asked =
            words + words.map { $0 + "a" } + words.map { String($0.dropLast()) }
            + (0..<50).map { _ in word(8) }
        for text in asked {
            #expect(list.contains(text) == words.contains(text), "\(text)")
            let isBegun = words.contains { $0.hasPrefix(text) }
            #expect(list.hasWord(beginning: text, ofAtLeast: 1) == isBegun, "\(text)")
        }
    }

    @Test("any bytes are a list", arguments: Seeds.below(100))
    func bytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces: [UInt8] = [10, 10, 13, 39, 65, 97, 98, 122, 0xC3, 0xA9, 0xCC, 0x81, 0xFF, 0]
        let file = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? 0
        }
        let list = list(file)
        for text in ["a", "b", "z", "ab", "ae", "e", "zz", "abz"] {
            if list.contains(text) { #expect(list.hasWord(beginning: text, ofAtLeast: 1)) }
        }
    }
}
