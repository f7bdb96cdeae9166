import FoundationEssentials
import LaptopKit
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

    @Test("What is no letter, and a list that is missing or another one, is refused in words")
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
        try laptop.run(
            "session",
            "new",
            "ghost",
            "--player",
            "Ann",
            "--player",
            "Bob",
            "--option",
            "list=klingon"
        )
        #expect(try refusal("play", "d").contains("the lists are english, british and dutch"))
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
        let advice = "to use your own copy: scorectl session option list=\(list)"
        #expect(refused.errors.contains("chosen on another laptop; \(advice)"), "\(refused)")
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
