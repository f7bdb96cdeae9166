import ControlSocket
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// The player who the user of a laptop is, from one session to the next.
@Suite(.timeLimit(.minutes(10)))
struct MeTests {
    @Test("A new session says who plays here, and the next one knows")
    func me() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let unknown = ["session", "new", "points", "--player", "Bob,Cem", "--me", "Ann"]
        #expect(try laptop.begin(unknown).outcome().status == 4)
        #expect(try laptop.read(SessionListReply.self, "session", "list").items.isEmpty)
        try laptop.run("session", "new", "points", "--player", "Ann,Bob", "--me", "Ann")
        try laptop.run("score", "12")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [12, 0])
        try laptop.run("session", "new", "points", "--player", "Bob,Ann")
        try laptop.run("score", "13")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [0, 13])
        try laptop.run("session", "new", "points", "--player", "Bob,Cem")
        #expect(try laptop.begin(["score", "14"]).outcome().status == 2)
        #expect(try laptop.stop() == 0)
    }

    @Test("Whoever invites into a finished game is told so")
    func finished() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        #expect(try laptop.read(InviteReply.self, "session", "invite").notes == nil)
        try laptop.run("session", "finish")
        #expect(try laptop.read(InviteReply.self, "session", "invite").notes?.count == 1)
        #expect(try laptop.stop() == 0)
    }

    @Test(
        "Spaces around an equals sign make no difference",
        arguments: [
            "Ann = 5", "Ann =5", "Ann= 5", "Ann=5", "Ann 5", "Ann points = 5", "Ann points= 5",
            "Ann points =5", "points = 5", "= 5",
        ]
    )
    func spaces(typed: String) throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann,Bob", "--me", "Ann")
        let outcome = try laptop.begin(["score"] + typed.split(separator: " ").map(String.init))
            .outcome()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [5, 0])
        #expect(try laptop.stop() == 0)
    }
}
