import ScoreSheets
import SessionCRDT
import Testing

@Suite("Looking for a game")
struct SheetSearchTests {
    private func library() throws -> SheetLibrary {
        func sheet(_ id: String, _ name: String, _ more: String, row: String) throws -> Sheet {
            try Sheet(
                json: #"{"id": "\#(id)", "name": "\#(name)", \#(more), "#
                    + #""rows": [{"id": "r", "label": "\#(row)", "kind": "number"}]}"#
            )
        }
        return SheetLibrary([
            try sheet(
                "hearts",
                "Hearts",
                #""group": "cards", "summary": "Tricks without hearts.", "help": "The queen of "#
                    + #"spades is thirteen points, every heart is one; who takes all shoots "#
                    + #"the moon.""#,
                row: "Hand"
            ),
            try sheet("spades", "Spades", #""group": "cards""#, row: "Bags"),
            try sheet(
                "yams",
                "Café Yams",
                #""group": "dice", "summary": "Five dice""#,
                row: "Ones"
            ),
            try sheet("z", "Zilch", #""help": "No dice, no queen.""#, row: "The queen"),
        ])
    }

    private func found(_ words: String...) throws -> [String] {
        try library().search(words).map { sheet, hits in
            let reasons = hits.map { "\($0.part): \($0.text)" }
            return ([sheet.id.description] + reasons).joined(separator: " | ")
        }
    }

    @Test("lists games by the part in which words were found, names first")
    func order() throws {
        #expect(
            try found("SPADES") == [
                "spades", "hearts | help: The queen of spades is thirteen points, every heart …",
            ]
        )
        #expect(
            try found("dice") == [
                "yams | summary: Five dice", "z | help: No dice, no queen.",
            ]
        )
        #expect(try found("cards") == ["hearts | group: Cards", "spades | group: Cards"])
        #expect(try found("bag") == ["spades | row: Bags"])
    }

    @Test("finds games with all of several words, and phrases")
    func several() throws {
        #expect(
            try found("queen", "moon") == [
                "hearts | help: The queen of spades is thirteen points, … | help: "
                    + "… who takes all shoots the moon."
            ]
        )
        #expect(try found("hearts", "tricks") == ["hearts | summary: Tricks without hearts."])
        #expect(try found("queen  of sp").count == 1)
        #expect(try found("moon", "dice") == [])
        #expect(try found("of queen") == [])
    }

    @Test("ignores case and accents, and finds nothing without a word")
    func folding() throws {
        #expect(try found("CAFE") == ["yams"])
        #expect(try found("café") == ["yams"])
        #expect(
            try found("Thé Quéen") == [
                "z | row: The queen",
                "hearts | help: The queen of "
                    + "spades is thirteen points, …",
            ]
        )
        #expect(try found(" ") == [])
        #expect(try library().search([]).isEmpty)
    }

    @Test("finds every game of ScoreSync by its name, its id and its rows")
    func everySheet() {
        let library = SheetLibrary.builtIn
        for sheet in library.sheets {
            #expect(library.search([sheet.name]).contains { $0.sheet == sheet })
            #expect(library.search([sheet.id.description]).contains { $0.sheet == sheet })
            for row in sheet.rows {
                #expect(library.search([row.label]).contains { $0.sheet == sheet }, "\(row.label)")
            }
        }
    }
}
