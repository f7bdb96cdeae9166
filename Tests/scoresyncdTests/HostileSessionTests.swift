import LaptopKit
import SessionCRDT
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

@testable import scoresyncd

/// Hostile entries of a member in a session, which must not stop the others.
@Suite(.timeLimit(.minutes(10)))
struct HostileSessionTests {
    /// A laptop whose session a member has changed while it was off.
    private func laptop(
        _ game: String,
        whereMembersWrite changes: [(Key, Value)]
    ) throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", game, "--title", "Friday", "--player", "Ann")
        try laptop.run("score", "Ann", game == "points" ? "points=7" : "round.1=7")
        let session = try #require(try laptop.current.flatMap { SessionID($0.id) })
        try laptop.stop()
        for (number, change) in changes.enumerated() {
            try StoredSession.rewrite(
                change.0,
                of: session,
                to: change.1,
                byMember: UInt64(number + 1),
                into: laptop.home
            )
        }
        try laptop.start("--no-discovery")
        return laptop
    }

    @Test("A sheet that was replaced by garbage is restored by one command, with all scores")
    func restored() throws {
        let garbage: [(Key, Value)] = (0..<3).map { (.session(Field.sheet), .text("[\($0)")) }
        let laptop = try laptop("rounds", whereMembersWrite: garbage)
        let broken = try laptop.attempt("show")
        #expect(broken.status == 1, "\(broken)")
        #expect(broken.errors.contains("scorectl session restore"), "\(broken)")
        let asked = try laptop.attempt("session", "restore")
        #expect(asked.errors.contains("Restore “Rounds”, for everyone?"), "\(asked)")
        #expect(try laptop.attempt("show").status == 1)
        try laptop.run("session", "restore", "--yes")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [7])
    }

    @Test("A sheet and a game that were replaced are restored together")
    func restoredGame() throws {
        let sheet = #"{"id":"oche","name":"Oche","rows":[{"id":"x","label":"X","kind":"number"}]}"#
        let changes: [(Key, Value)] = [
            (.session(Field.game), .text("oche")), (.session(Field.sheet), .text(sheet)),
        ]
        let laptop = try laptop("points", whereMembersWrite: changes)
        #expect(try laptop.run("show").contains("Oche"))
        try laptop.run("session", "restore", "--yes")
        let document = try laptop.read(ShowDocument.self, "show")
        #expect(document.session.game == "points")
        #expect(document.players.map(\.total) == [7])
    }

    @Test("A next game that is only named changes no current session, not even after a restart")
    func named() throws {
        let key = [UInt8](repeating: 0xC5, count: SessionStore.keyBytes)
        let next = try #require(Successor(session: SessionID(high: 4, low: 4), key: key))
        let change = (Key.session(Field.next), Value.text(next.text))
        let laptop = try laptop("points", whereMembersWrite: [change])
        try eventually(within: .seconds(10), "it is taken up") { try laptop.sessions.count == 2 }
        #expect(try laptop.current?.title == "Friday")
        try laptop.run("score", "Ann", "points=8")
        try laptop.stop()
        try laptop.start("--no-discovery")
        #expect(try laptop.current?.title == "Friday")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [8])
    }
}
