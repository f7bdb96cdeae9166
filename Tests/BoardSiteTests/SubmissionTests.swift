import BoardSite
import SyncProtocol
import Testing

@Suite("A submission of a phone")
struct SubmissionTests {
    private static let id = "0123456789abcdef"

    private func submission(_ json: String, isUndo: Bool = false) throws -> Submission {
        try Submission(Array(json.replacing("ID", with: Self.id).utf8), isUndo: isUndo)
    }

    @Test("contains scores, cells to clear, a move, or an undo")
    func forms() throws {
        let words = try submission(#"{"id":"ID","words":["round.3=15"]}"#)
        #expect(words.action == .words(["round.3=15"]))
        let cells = try submission(#"{"id":"ID","clear":["round.3"]}"#)
        #expect(cells.action == .clear(["round.3"]))
        let move = try submission(#"{"id":"ID","move":["41"],"details":{"darts":"2"}}"#)
        #expect(move.action == .move(["41"], details: ["darts": "2"]))
        #expect(try submission(#"{"id":"ID","move":["d3"]}"#).action == .move(["d3"], details: [:]))
        #expect(move.expecting == nil)
        let seen = try submission(
            #"{"id":"ID","move":["d3"],"expecting":{"turn":3,"after":["ID"]}}"#
        )
        let ids = [SubmissionID(Self.id)].compactMap(\.self)
        let expected = SyncProtocol.Expectation().with { ($0.turn, $0.after) = (3, ids) }
        #expect(seen.expecting == expected)
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
            #"{"id":"ID","words":["1"],"clear":["1"]}"#, #"{"id":"ID","clear":[]}"#,
            #"{"id":"ID","words":["1"],"details":{}}"#, #"{"id":"0","words":["1"]}"#,
            #"{"id":"0123456789ABCDEF","words":["1"]}"#,
            #"{"id":"ID","words":["1"],"expecting":7}"#,
            #"{"id":"ID","words":["1"],"expecting":{"after":["x"]}}"#,
            #"{"id":"0123456789abcdef0","words":["1"]}"#, #"{"id":7,"words":["1"]}"#,
            #"{"id":"ID","words":["1"]} "# + String(repeating: " ", count: 4096),
            #"{"id":"ID","words":["# + String(repeating: #""1","#, count: 64) + #""1"]}"#,
        ]
    )
    func refused(_ json: String) {
        #expect(throws: HTTPError.self) { try submission(json) }
    }

    @Test("is not an undo if it has words or expects a state")
    func undoes() {
        for json in [#"{"id":"ID","words":["1"]}"#, #"{"id":"ID","expecting":{}}"#] {
            #expect(throws: HTTPError.self) { try submission(json, isUndo: true) }
        }
    }

    @Test("is answered with the conflict if another state is found")
    func conflict() throws {
        let cell = WriteConflict(
            player: "Ann",
            row: "round",
            round: 1,
            label: "Round 1",
            value: .integer(15)
        )
        let refusal = ControlError(.refused, "no").with { $0.conflict = cell }
        let found = HTTPError(refusal)
        #expect(found.status == 409)
        #expect(
            String(decoding: found.json, as: UTF8.self)
                == #"{"error":{"conflict":{"label":"Round 1","player":"Ann","revision":null,"#
                + #""round":1,"row":"round","value":15},"kind":"refused","message":"no"}}"#
        )
        #expect(HTTPError(ControlError(.refused, "no")).status == 422)
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
