import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Ghost with real daemons and a word list of the test.
struct GhostPlayTests {
    private let scratch: ScratchDirectory
    private let list: String

    init() throws {
        scratch = try ScratchDirectory()
        list = "\(scratch.path)/words.txt"
        try write("chirp\ncat\ndark\ndog\ndonate\ndonut\n")
    }

    private func write(_ words: String) throws {
        try Data(words.utf8).write(to: URL(filePath: list))
    }

    private func table(_ options: String...) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run(
            ["session", "new", "ghost", "--player", "Ann", "--player", "Bob", "--option"]
                + ["list=\(list)"] + options.flatMap { ["--option", $0] }
        )
        return laptop
    }

    @Test("The published game is played, survives a restart, and ends with its reason")
    func game() throws {
        let laptop = try table()
        for letter in ["d", "O", "n"] { try laptop.run("play", letter) }
        let shown = try laptop.run("show", "--json")
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try laptop.run("show", "--json") == shown)
        try laptop.run("play", "u")
        let reply = try laptop.read(PlayReply.self, "play", "t")
        #expect(reply.player == "Ann" && reply.finished && reply.winners == ["Bob"])
        #expect(reply.notes == ["Ann completed DONUT"])
        #expect(reply.totals.map(\.total) == [0, 1] && reply.totalLabel == "Lives")
        try laptop.run("undo")
        #expect(
            try laptop.read(PlayReply.self, "play", "s").notes == [
                "no word begins with DONUS, which Ann made"
            ]
        )
        #expect(try laptop.run("show").contains("no word begins with DONUS, which Ann made"))
    }

    @Test("Input other than a letter, and missing or different word lists, are rejected")
    func refused() throws {
        let laptop = try table()
        func refusal(_ words: String...) throws -> String {
            let outcome = try laptop.begin(words).outcome()
            #expect(outcome.status == 5 && outcome.output.isEmpty, "\(outcome)")
            return outcome.errors
        }
        #expect(try refusal("play", "do").contains("a turn is one letter from a to z, not “do”"))
        #expect(try refusal("score", "Ann", "letter.1=d").contains("entered with play"))
        try laptop.run("play", "d")
        try write("dog\n")
        #expect(try refusal("play", "o").contains("differs from the one here"))
        try FileManager.default.removeItem(atPath: list)
        #expect(try refusal("play", "o").contains("No such file or directory"))
        #expect(
            try refusal("session", "new", "ghost", "--option", "list=klingon").contains(
                "Use english, british or dutch"
            )
        )
    }

    @Test("A typed verdict is rejected in any form")
    func typedVerdict() throws {
        let laptop = try table()
        for letter in ["d", "o"] { try laptop.run("play", letter) }
        for value in ["n", "don open", "don complete", "don impossible"] {
            let refused = try laptop.attempt("score", "Ann", "letter.3=\(value)")
            #expect(refused.status == 5, "\(refused)")
            #expect(refused.errors.contains("letters are entered with play"), "\(refused)")
        }
        try laptop.run("play", "n")
        #expect(try laptop.read(ShowDocument.self, "show").flags == [])
    }

    @Test("A word list that is unusable here is reported at once, an unknown one rejected")
    func chosenInVain() throws {
        let laptop = try table()
        func notes(_ path: String) throws -> [String] {
            try laptop.read(SessionOptionReply.self, "session", "option", "list=\(path)").notes
                ?? []
        }
        let end = "; until that is fixed, no letters can be entered on this laptop"
        let nowhere = "\(scratch.path)/nope.txt"
        #expect(
            try notes(nowhere) == [
                "the word list \(nowhere) cannot be opened: \(nowhere): No such file or directory; "
                    + "a laptop that enters letters needs a copy of it at that path" + end
            ]
        )
        #expect(
            try notes(scratch.path) == [
                "the word list \(scratch.path) is not a file (\(scratch.path))" + end
            ]
        )
        let told = try laptop.attempt(
            "session",
            "new",
            "ghost",
            "--fresh",
            "--option",
            "list=\(nowhere)"
        )
        #expect(told.status == 0 && told.errors.contains("No such file"), "\(told)")
        #expect(try notes(list) == [])
        #expect(try notes("default") == [])
        try write("")
        #expect(try notes(list).first?.contains("has no words") == true)
        let refused = try laptop.attempt("session", "option", "list=words.txt")
        #expect(refused.status == 5, "\(refused)")
        #expect(refused.errors.contains("the full path of a file"), "\(refused)")
    }

    @Test("Two letters for one turn are shown as letters, and one is chosen by its letter")
    func conflict() throws {
        let table = try Companions("Ann", "Bob", game: "ghost")
        let (ann, bob) = (table[0], table[1])
        for laptop in [ann, bob] { try laptop.run("session", "option", "list=\(list)") }
        try table.settle()
        try ann.run("play", "d")
        try table.settle()
        try ann.run("daemon", "offline")
        try ann.run("play", "--player", "Bob", "a")
        try bob.run("play", "o")
        try ann.run("daemon", "online")
        try table.settle()
        let listed = try ann.run("conflicts")
        for text in ["A (DA…)", "O (DO…)", "resolve Bob letter.2 a", "resolve Bob letter.2 o"] {
            #expect(listed.contains(text), "\(listed)")
        }
        let shown = try ann.run("show")
        #expect(!(listed + shown).contains("open)") && !shown.contains("do open"), "\(shown)")
        let refused = try ann.attempt("resolve", "Bob", "letter.2", "u")
        #expect(refused.status == 5, "\(refused)")
        let resolved = try ann.run("resolve", "Bob", "letter.2", "A")
        #expect(resolved == "Bob: Letter 2 = A (DA…) (was O (DO…))\n")
        let history = try ann.run("history")
        #expect(history.contains("O (DO…)") && !history.contains("open"), "\(history)")
        try table.settle()
        #expect(try bob.run("conflicts").contains("No conflicts"))
        #expect(try bob.run("show").contains("DA"))
    }

    @Test("A word list that another laptop chose is opened only once it was chosen here as well")
    func chosenElsewhere() throws {
        let table = try Companions("Ann", "Bob", game: "ghost")
        let (ann, bob) = (table[0], table[1])
        try ann.run("session", "option", "list=\(list)")
        try ann.run("play", "d")
        try table.settle()
        let refused = try bob.attempt("play", "o")
        #expect(refused.status == 5)
        let advice = "then choose it with: scorectl session option list=\(list)"
        #expect(refused.errors.contains("chosen on another laptop"), "\(refused)")
        #expect(refused.errors.contains(advice), "\(refused)")
        // The game stays as it is, and Bob has said that he plays by it.
        try bob.run("session", "option", "list=\(list)")
        try bob.run("play", "o")
        try table.settle()
        try ann.run("play", "n")
        try table.settle()
        bob.kill()
        try bob.start("--no-discovery")
        try bob.run("play", "u")
    }
}
