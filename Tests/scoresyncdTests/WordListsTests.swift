import FoundationEssentials
import LaptopKit
import ScoreSheets
import SessionCRDT
import Testing

@testable import scoresyncd

@Suite("Opening word lists")
struct WordListsTests {
    private let scratch: ScratchDirectory
    private let lists: WordLists

    init() throws {
        scratch = try ScratchDirectory()
        lists = WordLists(
            dictionaryDirectory: scratch.path,
            home: scratch.path,
            largestFile: 2 << 20
        )
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(scratch.path)/\(name)"))
    }

    /// The list of a name, read first if it has to be.
    private func list(_ name: String) throws(RuleViolation) -> WordList {
        try open(name, of: lists)
    }

    private func open(_ name: String, of lists: WordLists) throws(RuleViolation) -> WordList {
        do throws(RuleViolation) { return try lists.wordList(name) } catch {
            guard let file = lists.wanted else { throw error }
            lists.keep(Result { () throws(RuleViolation) in try file.read() }, of: file)
            return try lists.wordList(name)
        }
    }

    /// Why a list cannot be opened, in words, with the directory of the test as `DIR`.
    private func refusal(_ name: String) -> String? {
        refusal { () throws(RuleViolation) in _ = try list(name) }
    }

    private func refusal(_ body: () throws(RuleViolation) -> Void) -> String? {
        do throws(RuleViolation) { try body() } catch {
            return "\(error)".replacing(scratch.path, with: "DIR")
        }
        return nil
    }

    @Test(
        "the lists of the system have names",
        arguments: [
            ("english", "american-english"), ("british", "british-english"), ("dutch", "dutch"),
        ]
    )
    func names(name: String, file: String) throws {
        try write("cat\nCato\ncafé\n", to: file)
        let list = try self.list(name)
        #expect(list.name == name)
        #expect(list.contains("cafe"))
        #expect(!list.contains("cato"))
        #expect(list.hasWord(beginning: "ca", ofAtLeast: 1))
    }

    @Test("a file has its fingerprint, by its path or from the home directory")
    func paths() throws {
        try write("abc", to: "mine")
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        for name in ["\(scratch.path)/mine", "~/mine"] {
            let list = try self.list(name)
            #expect(list.name == name)
            #expect(list.fingerprint == sum)
        }
    }

    @Test("a missing list names the package to install")
    func missing() {
        #expect(
            refusal("dutch")
                == "the word list dutch (package wdutch) cannot be opened: DIR/dutch: No such file "
                + "or directory; install it with: sudo apt install wdutch (or start a game with a list of your "
                + "own: --option list=PATH)"
        )
        #expect(refusal("english")?.contains("sudo apt install wamerican") == true)
        #expect(refusal("british")?.contains("sudo apt install wbritish") == true)
        #expect(refusal("~/none")?.contains("sudo apt") == false)
        for name in ["klingon", "", "words.txt", "./words", "~", "../x"] {
            #expect(refusal(name)?.hasPrefix("no word list “\(name)”") == true, "\(name)")
        }
    }

    @Test("a path without a file, and a file without words or too long, are rejected")
    func refused() throws {
        #expect(refusal(scratch.path) == "the word list DIR is not a file (DIR)")
        #expect(refusal("/dev/zero") == "the word list /dev/zero is not a file (/dev/zero)")
        try write("Ann\n1\n", to: "dutch")
        #expect(refusal("dutch")?.hasPrefix("the word list dutch has no words (DIR/dutch)") == true)
        try write("", to: "dutch")
        #expect(refusal("dutch")?.contains("has no words") == true)
        let most = String(repeating: "a\n", count: 1 << 20)
        try write(most, to: "british-english")
        #expect(refusal("british") == nil)
        try write(most + "a", to: "british-english")
        #expect(
            refusal("british")
                == "the word list british has more than 2 MiB (DIR/british-english); use a shorter "
                + "one"
        )
    }

    @Test("a list is read once, and again when its file was replaced")
    func again() throws {
        try write("cat\n", to: "dutch")
        let first = try list("dutch")
        #expect(try list("dutch").fingerprint == first.fingerprint)
        try write("cats\n", to: "dutch")
        let second = try list("dutch")
        #expect(second.fingerprint != first.fingerprint)
        #expect(second.contains("cats"))
        #expect(!first.contains("cats"))
    }

    @Test("a list is not read on the asking thread, and a useless one is read only once")
    func beside() throws {
        try write("cat\n", to: "dutch")
        #expect(
            refusal { () throws(RuleViolation) in _ = try lists.wordList("dutch") }
                == "the word list dutch is being read; try again"
        )
        #expect(lists.wanted?.name == "dutch")
        for text in ["Ann\n", "Bob\nCid\n"] {
            try write(text, to: "dutch")
            #expect(refusal("dutch")?.contains("has no words") == true)
            #expect(
                refusal { () throws(RuleViolation) in _ = try lists.wordList("dutch") }?
                    .contains("has no words") == true
            )
            #expect(lists.wanted == nil)
        }
    }

    @Test("the lists that were chosen here last are remembered by their paths, and no others")
    func chosen() {
        var memory = DeviceMemory()
        let words = (0...DeviceMemory.maxLists).map { "/list \($0)" } + ["english", "list", "~/a"]
        for word in words {
            memory.rememberLists(in: [(name: Symbol(known: "list"), value: .text(word))])
        }
        memory = DeviceMemory(memory.text)
        let known = words.filter(memory.hasChosen(list:))
        #expect(known == Array(words[2...DeviceMemory.maxLists]) + ["~/a"])
    }

    @Test("more lists than are kept are read again")
    func many() throws {
        for number in 0...2 * WordLists.maxOpen {
            try write("word\(String(repeating: "s", count: number))\n", to: "list\(number)")
        }
        for number in Array(0...2 * WordLists.maxOpen) + [0, 3] {
            let list = try self.list("~/list\(number)")
            #expect(list.contains("word" + String(repeating: "s", count: number)))
        }
    }

    @Test(
        "the lists of this machine have their words, where they are installed",
        arguments: [("english", "donut"), ("british", "colour"), ("dutch", "reunie")]
    )
    func installed(name: String, word: String) throws {
        guard let list = try? open(name, of: WordLists()) else {
            try Test.cancel("the package of \(name) is not installed")
        }
        #expect(list.contains(word))
        #expect(list.hasWord(beginning: String(word.dropLast()), ofAtLeast: 1))
        #expect(!list.hasWord(beginning: "qqq", ofAtLeast: 1))
    }
}
