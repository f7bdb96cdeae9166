import BoardSite
import SyncProtocol
import SyncTestKit
import Testing

@Suite("Links for phones")
struct PhoneLinksTests {
    private var generator = SeededGenerator(seed: 3)
    private var links = PhoneLinks()

    @Test("exist for each player who is present and no computer, in seat order")
    mutating func players() {
        let computer = ComputerSummary(device: "den", here: true, depth: 5)
        links.update(
            [
                .sample("b", "Bob"), .sample("z", "Zed", computer: computer), .sample("a", "Ann"),
                .sample("c", "Cem", removed: true),
            ],
            using: &generator
        )
        #expect(links.valid.map(\.player) == ["b", "a"])
        #expect(Set(links.valid.map(\.path)).count == 2)
    }

    @Test("stay with the player, in the next game and under a new name")
    mutating func stay() throws {
        links.update([.sample("a", "Ann"), .sample("b", "Bob")], using: &generator)
        let before = try #require(links.valid.first)
        links.update([.sample("c", "Cem"), .sample("a", "Anna")], using: &generator)
        let after = try #require(links.valid.last)
        #expect(after.path == before.path)
        #expect(after.name == "Anna")
        #expect(links.valid.map(\.player) == ["c", "a"])
    }

    @Test("are limited in number")
    mutating func bounded() {
        for number in 0..<PhoneLinks.maxLinks {
            links.update([.sample("\(number)", "")], using: &generator)
        }
        #expect(links.valid.count == 1)
        links.update([.sample("one more", ""), .sample("0", "")], using: &generator)
        #expect(links.valid.map(\.player) == ["0"])
    }

    @Test("each admit 20 submissions at once and then two a second")
    mutating func rate() {
        links.update([.sample("a", "Ann"), .sample("b", "Bob")], using: &generator)
        func admitted(_ player: String, at now: Int64) -> Bool {
            (try? links.admit(player, at: now)) != nil
        }
        let first = (0...SubmissionLimiter.capacity).map { _ in admitted("a", at: 1_000_000) }
        #expect(first == Array(repeating: true, count: SubmissionLimiter.capacity) + [false])
        #expect(!admitted("a", at: 1_000_499))
        #expect(admitted("a", at: 1_000_500))
        #expect(!admitted("a", at: 1_000_999))
        #expect(admitted("b", at: 1_000_999))
        #expect((0...SubmissionLimiter.capacity).count { _ in admitted("a", at: 2_000_000) } == 20)
    }
}

extension PlayerSummary {
    /// A player at the first seat.
    static func sample(
        _ id: String,
        _ name: String,
        removed: Bool = false,
        computer: ComputerSummary? = nil
    ) -> PlayerSummary {
        PlayerSummary(id: id, name: name, seat: 1).with {
            $0.removed = removed
            $0.computer = computer
        }
    }
}
