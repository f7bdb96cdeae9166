import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Smash Up: sets and factions as data")
struct SmashUpSheetTests {
    @Test("all published sets are included, and only the Core Set is enabled")
    func published() throws {
        let sets = try builtIn("smash-up").sets
        #expect(sets.map(\.factions.count) == [8, 4, 4, 4, 4, 4, 8, 5, 4, 4, 4, 4, 4, 2, 4, 5])
        #expect(sets.filter(\.isDealtByDefault).map(\.id.description) == ["core"])
        #expect(
            sets.last?.factions.map(\.id.description) == [
                "anansi-tales", "ancient-incas", "grimms-fairy-tales", "polynesian-voyagers",
                "russian-fairy-tales",
            ]
        )
    }

    private let rows = """
        [{"id": "points", "label": "Points", "kind": "rounds", "range": {"from": -9, "to": 9}},
         {"id": "madness", "label": "Madness", "kind": "rounds", "range": {"from": 0, "to": 9}},
         {"id": "turn", "label": "Turn", "kind": "moves"},
         {"id": "deal", "label": "Deal", "kind": "text"},
         {"id": "reveal", "label": "Reveal", "kind": "text"}]
        """

    private func json(sets: String, engine: String = "smashup", rows: String? = nil) -> String {
        """
        {"id": "own", "name": "Own", "players": {"from": 2, "to": 4}, "engine": "\(engine)",
         "rows": \(rows ?? self.rows), "sets": \(sets)}
        """
    }

    @Test("a user's sheet adds sets without code, and survives a round trip")
    func own() throws {
        let sets = """
            [{"id": "home", "name": "Home Made", "chosen": true, "factions":
              ["Cats & Dogs", "Knights", {"id": "ninja", "name": "忍者"}, "Owls"]},
             {"id": "more", "name": "More", "factions": ["Rock’n’Roll"]}]
            """
        let sheet = try Sheet(json: json(sets: sets))
        #expect(try Sheet(json: sheet.json) == sheet)
        #expect(
            sheet.sets.map { $0.factions.map(\.id.description) }
                == [["cats-dogs", "knights", "ninja", "owls"], ["rocknroll"]]
        )
        var evening = try SmashUpEvening(["Ann", "Bob"])
        evening.sheet = sheet
        try evening.play(lines: "deal", "reveal", "Ann +9", "Ann +6", "end")
        #expect(evening.standings.winners == [player(1)])
        #expect(evening.board.joined().contains("忍者"))
    }

    @Test(
        "a flaw in the sets is rejected with its path and reason",
        arguments: [
            ("[]", "sets", "1 to 64 sets, not 0"),
            (#"[{"id": "a", "name": "A", "factions": []}]"#, "sets[0].factions", "1 to 64"),
            (#"[{"id": "a", "name": "A"}]"#, "sets[0].factions", "missing"),
            (#"[{"id": "A", "name": "A", "factions": ["B"]}]"#, "sets[0].id", "not a name"),
            (#"[{"id": "a", "name": " ", "factions": ["B"]}]"#, "sets[0].name", "empty"),
            (
                #"[{"id": "a", "name": "o\#(String(repeating: "\u{301}", count: 60))", "#
                    + #""factions": ["B"]}]"#, "sets[0].name", "60 characters"
            ),
            (
                #"[{"id": "a", "name": "A", "on": true, "factions": ["B"]}]"#, "sets[0].on",
                "unknown"
            ),
            (#"[{"id": "a", "name": "A", "factions": ["忍者"]}]"#, "sets[0].factions[0]", "no id"),
            (#"[{"id": "a", "name": "A", "factions": ["B", "b"]}]"#, "sets", "b is there twice"),
            (#"[{"id": "a", "name": "A", "factions": ["A"]}]"#, "sets", "a is there twice"),
            (
                #"[{"id": "a", "name": "A", "factions": [{"id": "b", "nme": "B"}]}]"#,
                "sets[0].factions[0].nme", "unknown field"
            ),
            (
                "["
                    + (0...64).map { #"{"id": "s\#($0)", "name": "S", "factions": ["F\#($0)"]}"# }
                    .joined(separator: ",") + "]", "sets", "65 entries"
            ),
        ]
    )
    func flaws(sets: String, path: String, reason: String) throws {
        try expectFlaw(json(sets: sets), path, reason)
    }

    @Test("the game engine needs its rows, and no other engine has sets")
    func neededRows() throws {
        let sets = #"[{"id": "a", "name": "A", "factions": ["B"]}]"#
        #expect(try Sheet(json: json(sets: sets)).sets.count == 1)
        try expectFlaw(json(sets: sets, engine: "rows"), "sets", "only the engine smashup")
        let flaws = [
            (
                #""turn", "label": "Turn", "kind": "moves""#,
                #""turn", "label": "T", "kind": "text""#, "rows", "row turn of kind moves"
            ),
            (#""id": "deal""#, #""id": "dael""#, "rows", "row deal of kind text"),
            (#""from": -9,"#, "", "rows[0].range", "within -9999 and 9999"),
            (#""from": 0,"#, #""from": -1,"#, "rows[1].range", "within 0 and 9999"),
            (
                #""kind": "rounds", "range": {"from": 0"#,
                #""kind": "rounds", "last": 9, "range": {"from": 0"#, "rows[1].last", "every round"
            ),
        ]
        for (good, bad, path, reason) in flaws {
            let bent = rows.replacing(good, with: bad)
            #expect(bent != rows)
            try expectFlaw(json(sets: sets, rows: bent), path, reason)
        }
        let crowd = json(sets: sets).replacing(#""to": 4"#, with: #""to": 25"#)
        try expectFlaw(crowd, "players", "at most 24 players")
        #expect(throws: Never.self) {
            try Sheet(json: json(sets: sets).replacing(#""to": 4"#, with: #""to": 24"#))
        }
    }

    @Test("a deal to the maximum of players fits one value")
    func longest() throws {
        let factions = (0..<48).map { number in
            let id = String(repeating: "x", count: 47) + "\(10 + number)"
            return #"{"id": "\#(id)", "name": "F\#(number)"}"#
        }
        let sets = """
            [{"id": "a", "name": "A", "chosen": true,
              "factions": [\(factions.joined(separator: ","))]}]
            """
        var evening = try SmashUpEvening((1...24).map { "Player \($0)" })
        evening.sheet = try Sheet(
            json: json(sets: sets).replacing(#""to": 4"#, with: #""to": 24"#)
        )
        try evening.play("deal")
        let text = try #require(evening.table.cells.values.first?.winner.value.string)
        #expect(text.utf8.count <= 4096)
        #expect(evening.standings.flags.isEmpty)
        try expectFlaw(
            json(sets: sets.replacing(#""x"#, with: #""xxx"#)),
            "sets[0].factions[0].id",
            "too long"
        )
    }

    private func expectFlaw(_ json: String, _ path: String, _ reason: String) throws {
        let refusal = try #require(throws: SheetError.self) { try Sheet(json: json) }
        guard case .unreadable(let place, let why) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(place == path, "\(refusal)")
        #expect(why.contains(reason), "\(why)")
    }
}
