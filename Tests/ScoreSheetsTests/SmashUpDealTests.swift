import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Smash Up: factions chosen, dealt and shown")
struct SmashUpDealTests {
    /// The factions of each player by the recorded deal.
    private func hands(_ evening: SmashUpEvening) throws -> [[String]] {
        let deals = evening.table.cells.filter { $0.key.row.description == "deal" }
        let text = try #require(deals.values.first?.winner.value.string)
        return text.split(separator: " ").map { word in
            word.split(separator: ":")[1].split(separator: "+").map(String.init)
        }
    }

    @Test("each player gets two factions, and none is dealt twice", arguments: Seeds.below(100))
    func distinct(seed: UInt64) throws {
        for names in [["Ann", "Bob"], ["Ann", "Bob", "Cid"], ["Ann", "Bob", "Cid", "Dan"]] {
            var evening = try SmashUpEvening(names, seed: seed)
            try evening.play("deal")
            let hands = try hands(evening)
            #expect(hands.map(\.count) == names.map { _ in 2 })
            #expect(Set(hands.joined()).count == 2 * names.count, "seed \(seed)")
            let core = evening.sheet.sets[0].factions.map(\.id.description)
            #expect(Set(hands.joined()).isSubset(of: core), "by default the Core Set is on")
            #expect(evening.standings.flags.isEmpty)
        }
    }

    @Test("every player gets every faction about as often")
    func uniform() throws {
        let deals = 1600
        var counts: [String: Int] = [:]
        let fresh = try SmashUpEvening(["Ann", "Bob"])
        for seed in 0..<UInt64(deals) {
            var evening = fresh
            evening.aids = MoveContext(random: SeededGenerator(seed: seed))
            try evening.play("deal")
            for (seat, hand) in try hands(evening).enumerated() {
                for faction in hand { counts["\(seat) \(faction)", default: 0] += 1 }
            }
        }
        // Two of eight to each: 400 ± 17 (standard deviation); five of those are 87.
        #expect(counts.count == 16)
        for (name, count) in counts { #expect(abs(count - deals / 4) < 87, "\(name) \(count)") }
    }

    @Test("a deal is rejected with too few factions, players or names, and a second time")
    func refused() throws {
        var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
        #expect(
            try evening.play("only ninjas") == ["1 faction to deal from: Core Set: Ninjas"]
        )
        #expect(evening.refusal("deal")?.hasPrefix("1 faction is chosen and 3 players") == true)
        try evening.play("only pretty ninjas")
        #expect(
            evening.refusal("deal")
                == "5 factions are chosen and 3 players need 6; "
                + "choose more with: scorectl play use SET"
        )
        try evening.play(lines: "use robots", "deal")
        let first = try hands(evening)
        #expect(evening.refusal("deal")?.hasPrefix("the factions are already dealt") == true)
        for change in ["use all", "without core", "only core"] {
            #expect(evening.refusal(change)?.hasPrefix("the factions are already dealt") == true)
        }
        let option = Symbol(known: "faction.ninjas")
        #expect(throws: RuleViolation.self) {
            try evening.sheet.rules.check(option: option, in: evening.table.book)
        }
        #expect(evening.refusal(1, "deal", nil, .text(dealText(["aliens", "ghosts"]))) != nil)
        #expect(try hands(evening) == first)
        #expect(try SmashUpEvening(["Ann"]).refusal("deal")?.contains("2 to 4 players") == true)
        let five = try SmashUpEvening(["A", "B", "C", "D", "E"])
        #expect(five.refusal("deal")?.contains("2 to 4 players") == true)
        #expect(five.standings.flags.count == 1)
        let twins = try SmashUpEvening(["Ann", "ann"])
        #expect(twins.refusal("deal") == "two players are called “ann”; rename one of them")
        #expect(twins.standings.flags.count == 1)
    }

    private func dealText(_ factions: [String]) -> String {
        "\(player(1)):\(factions.joined(separator: "+"))"
    }

    @Test("the factions are not shown before they are revealed")
    func hidden() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        try evening.play("only pretty")
        #expect(
            try evening.play("deal") == [
                "dealt two factions each to Ann and Bob; reveal shows them"
            ]
        )
        #expect(evening.board == ["Turn 1: Ann", "Ann: 0, hidden", "Bob: 0, hidden"])
        #expect(evening.standings.told == ["the factions are dealt; reveal shows them"])
        let notes = try evening.play("reveal")
        #expect(notes.count == 2 && notes[0].hasPrefix("Ann: ") && notes[0].contains(" + "))
        #expect(evening.board[1...].joined().contains("Kitty Cats"))
        #expect(evening.standings.notes.isEmpty)
        evening.table.players.append(Player(id: player(3), name: "Cid"))
        #expect(evening.board.last == "Cid: 0, none: came after the deal")
    }

    @Test("choosing a faction includes its set, and choosing a set includes all of its factions")
    func choosing() throws {
        var evening = try SmashUpEvening(["Ann", "Bob"])
        func chosen() -> [String] {
            guard case .text(_, let lines) = evening.panels.last else { return [] }
            return lines.filter { !$0.hasPrefix("not used") }
        }
        #expect(chosen() == ["Core Set (8)"])
        #expect(
            try evening.play("use vampires")
                == ["9 factions to deal from: Core Set (8); Monster Smash: Vampires"]
        )
        #expect(
            try evening.play("without core")
                == ["1 faction to deal from: Monster Smash: Vampires"]
        )
        #expect(chosen() == ["Monster Smash: Vampires"])
        try evening.play("use core monster")
        #expect(chosen() == ["Core Set (8)", "Monster Smash (4)"])
        try evening.play("without NINJAS werewolves")
        #expect(
            chosen() == [
                "Core Set: Aliens, Dinosaurs, Pirates, Robots, Tricksters, Wizards, Zombies",
                "Monster Smash: Giant Ants, Mad Scientists, Vampires",
            ]
        )
        try evening.play("only big-in-japan")
        #expect(chosen() == ["Big in Japan (4)"])
        try evening.play("use all")
        #expect(chosen().count == 16)
        #expect(evening.standings.flags.isEmpty)
        #expect(evening.refusal("use ancient")?.contains("ancient-egyptians") == true)
        evening.table.options[Symbol(known: "faction.ninjas")] = .text("maybe")
        evening.table.options[Symbol(known: "faction.nobody")] = .boolean(true)
        #expect(
            evening.standings.flags.map(\.subject) == [
                .option(Symbol(known: "faction.nobody")), .option(Symbol(known: "faction.ninjas")),
            ]
        )
    }

    @Test("of two concurrent deals one counts as a whole, and a reveal shows only that")
    func apart() throws {
        var ann = try SmashUpEvening(["Ann", "Bob", "Cid"])
        try ann.play("use all")
        let base = ann.table
        var bob = try ann.copy(actor: 2)
        bob.table.players.swapAt(0, 2)
        try ann.play(lines: "deal", "reveal")
        try bob.play("deal")
        let (mine, theirs) = (try hands(ann), try hands(bob))
        #expect(mine != theirs)
        let (annAlone, bobAlone) = (ann, bob)
        ann.merge(bobAlone, since: base)
        bob.merge(annAlone, since: base)
        bob.table.players.swapAt(0, 2)
        #expect(ann.standings == bob.standings)
        #expect(Set(try hands(ann).joined()).count == 6)
        #expect(try hands(ann) == theirs, "the later deal counts, whole")
        #expect(ann.standings.told == ["the factions are dealt; reveal shows them"])
        let cell = try #require(ann.table.cells.keys.first { $0.row.description == "deal" })
        #expect(ann.table.cells[cell]?.isConflicting == true)
        #expect(
            ann.standings.flags.map(\.reason.description) == [
                "this reveals a deal that does not count"
            ]
        )
        // Settling the conflict takes one of the two deals, and nothing else.
        for value in ann.table.cells[cell]?.entries.map(\.value) ?? [] {
            #expect(ann.refusal(1, "deal", nil, value) == nil)
        }
        try ann.play("reveal")
        #expect(ann.standings.flags.isEmpty && ann.standings.notes.isEmpty)
    }

    @Test("of deals in two cells, with a player removed on one device, the later one counts")
    func twoCells() throws {
        for isFirstLater in [true, false] {
            var evening = try SmashUpEvening(["Ann", "Bob", "Cid"])
            var early: SmashUpEvening = evening
            try early.play("deal")
            evening.table.remove(1)
            evening.aids = MoveContext(random: SeededGenerator(seed: 77))
            try evening.play("deal")
            let deals = [early, evening].flatMap { one in
                one.table.cells.map { Score($0.key, $0.value.winner.value) }
            }
            for deal in isFirstLater ? deals.reversed() : deals { evening.write(deal) }
            let flags = evening.standings.flags
            #expect(flags.map(\.reason.message) == ["another deal counts"])
            #expect(flags.map(\.subject) == [.cell(deals[isFirstLater ? 1 : 0].cell)])
            #expect(evening.refusal("deal")?.hasPrefix("the factions are already dealt") == true)
        }
    }

    @Test("two devices score while apart: both gains count")
    func gainsApart() throws {
        var ann = try SmashUpEvening(["Ann", "Bob"])
        try ann.play("Ann +1")
        let base = ann.table
        var bob = try ann.copy(actor: 2)
        try ann.play(lines: "Ann +3", "end")
        try bob.play(lines: "Ann +3", "Bob +2")
        let (annAlone, bobAlone) = (ann, bob)
        ann.merge(bobAlone, since: base)
        bob.merge(annAlone, since: base)
        #expect(ann.standings == bob.standings)
        #expect(lines(ann.standings) == ["Ann 7 1", "Bob 2 2"])
        #expect(ann.standings.turn == player(2))
        #expect(ann.standings.flags.isEmpty)
    }

    @Test("equal gains in one cell are one, with a note")
    func collision() throws {
        var table = Table("Ann", "Bob")
        table.conflict(1, "points", 1500, to: .integer(2), .integer(2))
        let standings = try builtIn("smash-up").rules.standings(of: table.book)
        #expect(lines(standings) == ["Ann 2 1", "Bob 0 2"])
        #expect(
            standings.flags.map(\.reason.description) == [
                "two devices entered this at once; it counts once"
            ]
        )
    }

    @Test("a late gain decides the winner at the end of its turn")
    func lateGain() throws {
        var ann = try SmashUpEvening(["Ann", "Bob"])
        try ann.play("Ann +14 Bob +13")
        let base = ann.table
        var bob = try ann.copy(actor: 2)
        try ann.play(lines: "Ann +1", "end")
        #expect(ann.standings.isFinished)
        try bob.play("Bob +2")
        ann.merge(bob, since: base)
        #expect(!ann.standings.isFinished)
        #expect(lines(ann.standings) == ["Ann 15 1", "Bob 15 1"])
    }
}
