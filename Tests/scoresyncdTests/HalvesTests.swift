import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Half points on the way through the daemon and the command line.
@Suite("Half points of a session", .timeLimit(.minutes(10)))
struct HalvesTests {
    private func laptop(_ game: String, _ options: String...) throws -> Laptop {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let chosen = options.flatMap { ["--option", $0] }
        try laptop.run(["session", "new", game, "--player", "Ann,Bob"] + chosen)
        return laptop
    }

    @Test("They are entered, shown, corrected, undone, exported and ranked")
    func evening() throws {
        let laptop = try laptop("rounds", "halves=yes", "target=12")
        #expect(try laptop.run("score", "Ann", "2.5") == "Ann: Round 1 = 2.5 – total 2.5\n")
        #expect(
            try laptop.run("score", "Ann", "2,5+½")
                == "Ann: Round 2 = 2.5+0.5 = 3 – total 5.5\n"
        )
        #expect(
            try laptop.run("score", "Ann", "round.1=3½")
                == "Ann: Round 1 = 3.5 (was 2.5) – total 6.5\n"
        )
        let written = try laptop.read(WrittenReply.self, "undo")
        #expect(written.total == Points(halves: 11))
        try laptop.run("score", "Bob", "4", "8.5")
        let show = try laptop.read(ShowDocument.self, "show")
        #expect(show.players.map(\.total) == [Points(halves: 11), Points(halves: 25)])
        #expect(show.players[0].cells.map(\.value) == [.text("2.5"), .text("2.5+0.5")])
        #expect(show.players[0].cells.map(\.count) == [Points(halves: 5), 3])
        #expect(show.finished)
        let text = try laptop.run("show")
        #expect(text.contains("12.5") && text.contains("Bob reached 12"), "\(text)")
        #expect(try laptop.run("history").contains(/2\.5 +✓ +\S+ +3\.5\n/))
        let csv = try laptop.run("export", "--format", "csv", "-")
        #expect(csv.contains(",8.5,8.5,8.5,"), "\(csv)")
        #expect(try laptop.run("export", "--format", "csv", "--table", "-").contains("5.5,12.5"))
        #expect(try laptop.run("export", "--format", "bgstats", "-").contains("\"score\":12.5"))
        #expect(try laptop.run("results").contains("Bob 12.5★, Ann 5.5"))
        #expect(try laptop.run("stats", "rounds").contains("12.50"))
        #expect(try laptop.run("chart").contains("Bob 12.5"))
        // A result of a session that was left comes from the database.
        try laptop.run("session", "leave", "--yes")
        #expect(try laptop.run("results").contains("Bob 12.5★, Ann 5.5"))
    }

    @Test("An export that has them is imported again as it was")
    func imported() throws {
        let laptop = try laptop("points", "halves=yes")
        try laptop.run("score", "Ann", "2.5")
        try laptop.run("player", "start", "Bob", "1.5")
        let file = laptop.home + "/export"
        try laptop.run("export", file)
        let other = try Laptop("Bob")
        try other.start("--no-discovery")
        try other.run("import", file)
        let totals = try other.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals == [Points(halves: 5), Points(halves: 3)])
    }

    @Test("A sheet without them refuses one, and one that takes them any other fraction")
    func refused() throws {
        let rounds = try laptop("rounds")
        let plain = try rounds.begin(["score", "Ann", "2.5"]).outcome()
        #expect(plain.status == 5)
        #expect(plain.errors.contains("round takes a whole number, not “2.5”"), "\(plain)")
        let halves = try laptop("rounds", "halves=yes")
        let other = try halves.begin(["score", "Ann", "2.7"]).outcome()
        #expect(other.status == 5)
        #expect(other.errors.contains("round takes a number, halves too, not “2.7”"), "\(other)")
    }
}
