import SessionStore
import SyncTestKit
import Testing

@testable import scoresyncd

struct RosterTests {
    @Test("The selected people come first, in the order in which they were selected")
    func order() {
        var roster = Roster()
        roster.add(["dan", "Ann", "Cem", "Bob", "ANN"])
        roster.select(["Cem", "ann"])
        roster.select(["Bob", "Cem"])
        #expect(roster.listed.map(\.name) == ["Cem", "Ann", "Bob", "dan"])
        #expect(roster.selected.map(\.name) == ["Cem", "Ann", "Bob"])
        roster.recordPlayed(["Bob", "Eve", "dan"])
        #expect(roster.selected.map(\.name) == ["Cem", "Ann", "Bob"])
        roster.deselect(["CEM"])
        roster.remove(["eve", "nobody"])
        #expect(roster.listed.map(\.name) == ["Ann", "Bob", "Cem", "dan"])
        roster.deselect(nil)
        #expect(roster.selected == [])
    }

    @Test("A shuffle seats exactly the selected people at random", arguments: 1...5)
    func shuffle(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var roster = Roster()
        roster.add(["A", "B", "C", "D", "E"])
        roster.select(["A", "B", "C"])
        var starters: Set<String> = []
        for _ in 0..<60 {
            roster.shuffle(using: &generator)
            #expect(Set(roster.selected.map(\.name)) == ["A", "B", "C"], "seed \(seed)")
            #expect(roster.listed.suffix(2).map(\.name) == ["D", "E"])
            starters.insert(roster.selected[0].name)
        }
        #expect(starters == ["A", "B", "C"], "seed \(seed)")
    }

    @Test("Of too many people those who played least recently are forgotten, never selected ones")
    func limit() {
        var roster = Roster()
        roster.add(["Old", "Chosen", "Lately"])
        roster.select(["Chosen"])
        roster.recordPlayed((3..<Roster.maxPeople).map { "p\($0)" } + ["Lately"])
        #expect(roster.people.count == Roster.maxPeople)
        roster.recordPlayed(["New"])
        let names = Set(roster.people.map(\.name))
        #expect(roster.people.count == Roster.maxPeople)
        #expect(!names.contains("Old"))
        #expect(names.isSuperset(of: ["Chosen", "Lately", "New"]))
    }
}

struct NextTitleTests {
    @Test(
        "The next game counts on from its title",
        arguments: [
            ("Friday", "Friday 2"), ("Friday 2", "Friday 3"), ("Friday 998", "Friday 999"),
            ("Friday 999", "Friday 999 2"), ("Catan 1984", "Catan 1984 2"), ("7", "7 2"),
            ("Rounds 2026-11-20", "Rounds 2026-11-20 2"), ("Friday 0", "Friday 0 2"),
            ("Friday ²", "Friday ² 2"), ("a b 9", "a b 10"), ("", " 2"),
        ]
    )
    func counts(title: String, next: String) {
        #expect(NextTitle.after(title) == next)
    }

    @Test("It skips titles in use, and stays within the length of titles")
    func bounds() {
        let taken: Set = ["Friday 3", "Friday 4"]
        #expect(NextTitle.after("Friday 2", excluding: taken) == "Friday 5")
        let long = NextTitle.after(String(repeating: "é", count: 100))
        #expect(long.utf8.count <= 200 && long.hasSuffix("é 2"))
    }
}
