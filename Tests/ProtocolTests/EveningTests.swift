import SyncProtocol
import SyncTestKit
import Testing

@Suite("A session follower")
struct EveningTests {
    private func show(_ session: String, next: String? = nil) -> ShowReply {
        let next = next.map { NamedSession(id: $0, title: $0) }
        return .sample(of: session, title: session, next: next)
    }

    @Test("goes on when the next game comes, from game to game, and asks for each once")
    func follows() {
        var evening = SessionFollower()
        #expect(evening.next(after: show("a")) == nil)
        #expect(evening.next(after: show("a", next: "b")) == "b")
        // An event that was sent before.
        #expect(evening.next(after: show("a", next: "b")) == nil)
        #expect(evening.next(after: show("b")) == nil)
        #expect(evening.next(after: show("b", next: "c")) == "c")
        // A game that came while the daemon was away.
        #expect(evening.next(after: show("c", next: "d")) == "d")
    }

    @Test("stays with a game that was over at the start")
    func stays() {
        var evening = SessionFollower()
        #expect(evening.next(after: show("a", next: "b")) == nil)
        #expect(evening.next(after: show("a", next: "b")) == nil)
        #expect(evening.next(after: show("a", next: "c")) == "c")
    }
}
