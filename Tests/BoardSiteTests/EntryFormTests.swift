import BoardSite
import SyncProtocol
import Testing

@Suite("What a phone sends")
struct EntryFormTests {
    private static let id = "0123456789abcdef"

    private func form(_ json: String, isUndo: Bool = false) throws -> EntryForm {
        try EntryForm(Array(json.replacing("ID", with: Self.id).utf8), isUndo: isUndo)
    }

    @Test("is words, a move, or an undo")
    func forms() throws {
        #expect(try form(#"{"id":"ID","words":["round.3=15"]}"#).wish == .words(["round.3=15"]))
        let move = try form(#"{"id":"ID","move":["41"],"details":{"darts":"2"}}"#)
        #expect(move.wish == .move(["41"], details: ["darts": "2"]))
        #expect(try form(#"{"id":"ID","move":["d3"]}"#).wish == .move(["d3"], details: [:]))
        let undo = try form(#"{"id":"ID","session":"ab"}"#, isUndo: true)
        #expect(undo.wish == .undo)
        #expect(undo.session == "ab")
        #expect(undo.id.text == Self.id)
    }

    @Test(
        "is refused where it is anything else",
        arguments: [
            "", "{", "[]", "null", "{}", #"{"id":"ID"}"#, #"{"id":"ID","words":[]}"#,
            #"{"id":"ID","words":[1]}"#, #"{"id":"ID","words":["1"],"move":["1"]}"#,
            #"{"id":"ID","words":["1"],"details":{}}"#, #"{"id":"0","words":["1"]}"#,
            #"{"id":"0123456789ABCDEF","words":["1"]}"#,
            #"{"id":"0123456789abcdef0","words":["1"]}"#, #"{"id":7,"words":["1"]}"#,
            #"{"id":"ID","words":["1"]} "# + String(repeating: " ", count: 4096),
            #"{"id":"ID","words":["# + String(repeating: #""1","#, count: 64) + #""1"]}"#,
        ]
    )
    func refused(_ json: String) {
        #expect(throws: Refusal.self) { try form(json) }
    }

    @Test("is no undo when it enters something")
    func undoes() {
        #expect(throws: Refusal.self) { try form(#"{"id":"ID","words":["1"]}"#, isUndo: true) }
    }

    @Test("survives any depth and any bytes")
    func hostile() {
        let inputs = [
            Array(String(repeating: "[", count: 4096).utf8), [0xFF, 0xFE], [0],
            Array(#"{"id":"\u0000\ud800"}"#.utf8),
        ]
        for input in inputs {
            #expect(throws: Refusal.self) { try EntryForm(input, isUndo: false) }
        }
    }
}
