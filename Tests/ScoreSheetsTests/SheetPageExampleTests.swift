import ScoreSheets
import Testing

@Suite("The page about sheets")
struct SheetPageExampleTests {
    @Test("its small sheet is valid, and scores as the page says")
    func small() throws {
        let page = try ProjectFile.text("Documentation/SHEETS.md")
        let block = try #require(page.split(separator: "```json\n").dropFirst().first)
        let json = try #require(block.split(separator: "```").first)
        let sheet = try Sheet(json: String(json))
        var table = Table("Ann", "Bob")
        try table.score(1, "sets=3 coins=7+6 longest=4", by: sheet)
        try table.score(2, "longest=3", by: sheet)
        #expect(lines(sheet.rules.standings(of: table.book)) == ["Ann 13 1", "Bob 2 2"])
    }

    @Test("every row that it shows is valid")
    func rows() throws {
        let page = try ProjectFile.text("Documentation/SHEETS.md")
        var kinds: Set<String> = []
        for piece in page.split(separator: "`") where piece.hasPrefix(#"{"id":"#) {
            let json = #"{"id": "x", "name": "X", "rows": [\#(piece)]}"#
            // Other rows are not there, and that is all that may be wrong.
            let problems = SheetCheck.problems(in: json).filter { problem in
                !problem.reason.contains("above this one")
            }
            #expect(problems == [], "\(piece)")
            let kind = piece.split(separator: #""kind": ""#).last?.prefix { $0 != "\"" }
            kinds.insert(String(kind ?? ""))
        }
        let shown = RowKind.allCases.filter { kinds.contains($0.rawValue) }
        #expect(shown == RowKind.allCases.filter { $0 != .moves && $0 != .drop })
    }
}
