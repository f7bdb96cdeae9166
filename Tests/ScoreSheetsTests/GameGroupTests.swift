import ScoreSheets
import SessionCRDT
import Testing

@Suite("The group of a game")
struct GameGroupTests {
    private let least =
        #"{"id": "a", "name": "A", "rows": [{"id": "r", "label": "R", "kind": "number"}]}"#

    private func grouped(_ group: String) -> String {
        least.replacing(#""name": "A","#, with: #""name": "A", "group": \#(group),"#)
    }

    @Test("is one of a few names, survives a round trip, and has its own heading")
    func words() throws {
        for group in GameGroup.allCases {
            let sheet = try Sheet(json: grouped("\"\(group.rawValue)\""))
            #expect(sheet.group == group)
            #expect(try Sheet(json: sheet.json) == sheet)
        }
        #expect(Set(GameGroup.allCases.map(\.heading)).count == GameGroup.allCases.count)
        let flaw = #"group: “puzzles” is not one of: board, cards, dice, sport, letters, plain"#
        let refusal = #expect(throws: SheetError.self) { try Sheet(json: grouped(#""puzzles""#)) }
        #expect(refusal?.description == "this is not a sheet: " + flaw)
        #expect(SheetCheck.problems(in: grouped(#""puzzles""#)).map(\.path) == ["group"])
        #expect(throws: SheetError.self) { try Sheet(json: grouped("7")) }
    }

    @Test("is missing in the JSON of a sheet without one, which stays byte for byte")
    func none() throws {
        let sheet = try Sheet(json: least)
        #expect(sheet.group == nil)
        let most = Bounds.all.to
        func bounds(_ from: Int64) -> String { #"{"from":\#(from),"to":\#(most)}"# }
        #expect(
            try sheet.json
                == #"{"engine":"rows","help":"","id":"a","name":"A","options":[],"players":"#
                + bounds(1) + #","rows":[{"help":"","id":"r","kind":"number","label":"R","range":"#
                + bounds(-most) + #","scores":true}],"summary":"","tieBreakers":[],"version":1,"#
                + #""wins":"highest"}"#
        )
    }

    @Test("is left out of the sheet in a session, so that older programs can play")
    func travelling() throws {
        let sheet = try Sheet(json: grouped(#""cards""#))
        #expect(try sheet.forSessions.json == Sheet(json: least).json)
        #expect(try Sheet(json: least).forSessions == Sheet(json: least))
    }

    @Test("is set in every built-in sheet, and is listed in the schema")
    func everySheet() throws {
        for sheet in SheetLibrary.builtIn.sheets { #expect(sheet.group != nil, "\(sheet.id)") }
        #expect(try builtIn("darts").group == .sport)
        #expect(try builtIn("ghost").group == .letters)
        #expect(try builtIn("reversi").group == .board)
        #expect(try builtIn("points").group == .plain)
        let schema = try JSONTree(try ProjectFile.text("Documentation/sheet.schema.json"))
        let words = try #require(schema["properties"]?["group"]?["enum"]).items
        #expect(words == GameGroup.allCases.map { .text($0.rawValue) })
    }

    @Test("A number of BoardGameGeek is positive, stays on this laptop, and is that of one game")
    func boardGameGeek() throws {
        let text = least.replacing(#""name": "A","#, with: #""name": "A", "bggId": 230802,"#)
        let sheet = try Sheet(json: text)
        #expect(sheet.bggID == 230_802)
        #expect(try Sheet(json: sheet.json) == sheet)
        #expect(try sheet.forSessions.json == Sheet(json: least).json)
        for bad in ["0", "-1", "1.5", #""13""#] {
            let other = text.replacing("230802", with: bad)
            #expect(SheetCheck.problems(in: other).map(\.path) == ["bggId"], "\(bad)")
        }
        let numbers = SheetLibrary.builtIn.sheets.compactMap(\.bggID)
        #expect(Set(numbers).count == numbers.count && numbers.count == 30)
        #expect(try builtIn("azul").bggID == 230_802)
        #expect(try builtIn("rounds").bggID == nil)
    }
}
