import ScoreSheets
import SessionCRDT
import Testing

@Suite("Deciding rows: before the total, and chosen by options")
struct DecidingRowTests {
    private let race = """
        {"id": "race", "name": "Race", "wins": "lowest", "rows": [
          {"id": "laps", "label": "Laps", "kind": "rounds", "scores": false},
          {"id": "time", "label": "Time", "kind": "number"},
          {"id": "stage", "label": "Stage", "kind": "formula", "scores": false,
           "formula": "laps", "wins": "highest"},
          {"id": "home", "label": "Home", "kind": "formula", "scores": false,
           "formula": "stage >= 3 and time > 0", "wins": true}
        ]}
        """

    @Test("the most of a row wins before the total")
    func ahead() throws {
        let sheet = try Sheet(json: race)
        var table = Table("Ann", "Bob", "Cy")
        try table.score(1, "laps.1=1 time=9", by: sheet)
        try table.score(2, "laps.1=2 time=50", by: sheet)
        try table.score(3, "laps.1=1 time=9", by: sheet)
        var found = sheet.rules.standings(of: table.book)
        #expect(lines(found) == ["Ann 9 2", "Bob 50 1", "Cy 9 2"])
        #expect(found.players.map(\.tieBreak) == ["tied at 9, shared", nil, "tied at 9, shared"])
        #expect(!found.isFinished)
        try table.score(3, "laps.2=2", by: sheet)
        found = sheet.rules.standings(of: table.book)
        #expect(lines(found) == ["Ann 9 3", "Bob 50 2", "Cy 9 1"])
        #expect(found.isFinished)
        #expect(found.notes.map(\.description) == ["Cy: Home"])
        #expect(try Sheet(json: sheet.json) == sheet)
        #expect(sheet.ruleSummary[0] == "The most in “Stage”, then the lowest total wins.")
        #expect(
            sheet.words(for: sheet.rows[2]).hasSuffix(
                "the most of it goes before others"
                    + "; adds nothing to the total"
            )
        )
    }

    private func points(_ wins: String, _ more: String = "") -> String {
        """
        {"id": "p", "name": "P", "options": [
          {"name": "short", "kind": "boolean", "default": false},
          {"name": "scoring", "kind": "choice", "choices": ["a", "b"], "default": "a"}],
         "rows": [{"id": "points", "label": "Points", "kind": "number"}], "wins": \(wins)\(more)}
        """
    }

    @Test("an option of any name and kind can choose the deciding row and the target")
    func options() throws {
        let json = points(
            #"{"when": {"option": "scoring", "is": ["b"]}, "is": "lowest"}"#,
            #", "target": {"when": {"option": "short"}, "is": 5, "else": 9}"#
        )
        let sheet = try Sheet(json: json)
        var table = Table("Ann", "Bob")
        try table.score(1, "points=6", by: sheet)
        try table.score(2, "points=4", by: sheet)
        func notes() -> [String] {
            let standings = sheet.rules.standings(of: table.book)
            return lines(standings) + [standings.isFinished ? "over" : "open"]
        }
        #expect(notes() == ["Ann 6 1", "Bob 4 2", "open"])
        try table.set("scoring=b short=yes", by: sheet)
        #expect(notes() == ["Ann 6 2", "Bob 4 1", "over"])
        #expect(try Sheet(json: sheet.json) == sheet)
        #expect(
            sheet.ruleSummary.prefix(2) == [
                "The lowest total wins with scoring=b, else the highest.",
                "The game ends as soon as a player has 5 with short=yes, else 9.",
            ]
        )
    }

    @Test(
        "invalid choices are rejected with the reason",
        arguments: [
            (#"{"option": "scoring"}"#, "does not choose between highest and lowest; write {"),
            (#"{"when": {"option": "x"}, "is": "lowest"}"#, "there is no option x"),
            (
                #"{"when": {"option": "scoring"}, "is": "lowest"}"#,
                "name the words of scoring in “is”"
            ),
            (#"{"option": "scoring", "is": "lowest"}"#, "only with “when”"),
            (#"{"when": {"option": "short"}, "is": "most"}"#, "neither highest nor lowest"),
        ]
    )
    func flaws(wins: String, reason: String) throws {
        let problem = try #require(SheetCheck.problems(in: points(wins)).first)
        #expect(problem.reason.contains(reason), "\(problem)")
    }
}
