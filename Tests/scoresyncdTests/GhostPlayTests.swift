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
}
