import BoardSite
import SyncProtocol
import Testing

@Suite("A submission of a phone")
struct SubmissionTests {
    private static let id = "0123456789abcdef"

    private func submission(_ json: String, isUndo: Bool = false) throws -> Submission {
        try Submission(Array(json.replacing("ID", with: Self.id).utf8), isUndo: isUndo)
    }

    @Test("contains scores, a move, or an undo")
    func forms() throws {
        let words = try submission(#"{"id":"ID","words":["round.3=15"]}"#)
        #expect(words.action == .words(["round.3=15"]))
        let move = try submission(#"{"id":"ID","move":["41"],"details":{"darts":"2"}}"#)
        #expect(move.action == .move(["41"], details: ["darts": "2"]))
        #expect(try submission(#"{"id":"ID","move":["d3"]}"#).action == .move(["d3"], details: [:]))
        let undo = try submission(#"{"id":"ID","session":"ab"}"#, isUndo: true)
        #expect(undo.action == .undo)
        #expect(undo.session == "ab")
        #expect(undo.id.text == Self.id)
    }

    @Test(
        "is rejected if it is anything else",
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
        #expect(throws: HTTPError.self) { try submission(json) }
    }

    @Test("is not an undo if it has words")
    func undoes() {
        #expect(throws: HTTPError.self) {
            try submission(#"{"id":"ID","words":["1"]}"#, isUndo: true)
        }
    }

    @Test("may have any depth and any bytes")
    func hostile() {
        let inputs = [
            Array(String(repeating: "[", count: 4096).utf8), [0xFF, 0xFE], [0],
            Array(#"{"id":"\u0000\ud800"}"#.utf8),
        ]
        for input in inputs {
            #expect(throws: HTTPError.self) { try Submission(input, isUndo: false) }
        }
    }
}
