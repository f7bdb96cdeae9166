import Descriptors
import QueueKit
import ScoreSheets
import SessionCRDT
import Testing

@testable import scoresyncd

/// The sheets at hand.
struct UserSheetsTests {
    private func text(_ id: String, name: String) -> String {
        #"{"id": "\#(id)", "name": "\#(name)", "#
            + #""rows": [{"id": "r", "label": "R", "kind": "number"}]}"#
    }

    private func header(game: String, sheet: String? = nil) -> SessionHeader {
        var header = SessionHeader()
        let stamp = Stamp(milliseconds: 1)
        header.apply(Field.game, .text(game), at: stamp)
        header.apply(Field.sheet, sheet.map(Value.text) ?? .null, at: stamp)
        return header
    }

    @Test("A session is played by its own sheet, regardless of other sheets")
    func carried() throws {
        try onEventLoop {
            let shelf = UserSheets()
            for round in 1...3 {
                for number in 1...50 {
                    let name = "Game \(number)"
                    let sheet = try shelf.sheet(
                        of: header(game: "g\(number)", sheet: text("g\(number)", name: name))
                    )
                    #expect(sheet.name == name, "round \(round)")
                }
            }
            // One that is not the game's says nothing.
            let points = header(game: "points", sheet: text("other", name: "Other"))
            #expect(try shelf.sheet(of: points).name == "Points")
            #expect(throws: SheetError.self) { try shelf.sheet(of: header(game: "g", sheet: "{")) }
            #expect(throws: SheetError.self) { try shelf.sheet(of: header(game: "g", sheet: "{")) }
        }
    }

    @Test("Equivalent texts with different bytes are different sheets")
    func bytes() throws {
        try onEventLoop {
            let shelf = UserSheets()
            for name in ["e\u{301}", "\u{e9}"] {
                let sheet = try shelf.sheet(of: header(game: "g", sheet: text("g", name: name)))
                #expect(Array(sheet.name.utf8) == Array(name.utf8))
            }
        }
    }

    @Test("A game that is added or removed is there or gone for sessions that carry no sheet")
    func own() throws {
        try onEventLoop {
            let shelf = UserSheets()
            #expect(throws: SheetError.self) { try shelf.sheet(of: header(game: "g")) }
            let source = text("g", name: "Mine")
            shelf.add(UserGame(sheet: try Sheet(json: source), source: source))
            #expect(try shelf.sheet(of: header(game: "g")).name == "Mine")
            #expect(try shelf.library.sheet(named: "mine").id.description == "g")
            #expect(shelf.sheet(Symbol(known: "g"))?.name == "Mine")
            #expect(shelf.sheet(Symbol(known: "points"))?.name == "Points")
            #expect(shelf.sheet(Symbol(known: "mine")) == nil)
            let carrying = header(game: "g", sheet: text("g", name: "Theirs"))
            #expect(try shelf.sheet(of: carrying).name == "Theirs")
            for id in shelf.own.keys { shelf.remove(id) }
            #expect(throws: SheetError.self) { try shelf.sheet(of: header(game: "g")) }
            #expect(try shelf.sheet(of: carrying).name == "Theirs")
        }
    }
}
