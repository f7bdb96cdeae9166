import FoundationEssentials
import SessionCRDT
import SyncProtocol
import Testing

struct ControlCodingTests {
    private struct Holder: Codable, Hashable {
        @ExplicitNull var round: Int?
        var value: Scalar
        var at: Timestamp
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("an explicit null is written, and read back from null")
    func explicitNull() throws {
        let at = Timestamp(milliseconds: 1_795_201_445_123)
        let empty = Holder(round: ExplicitNull(), value: .null, at: at)
        let golden = #"{"at":"2026-11-20T19:04:05.123Z","round":null,"value":null}"#
        #expect(try text(empty) == golden)
        #expect(try JSONDecoder().decode(Holder.self, from: Data(golden.utf8)) == empty)
        let full = Holder(round: ExplicitNull(wrappedValue: 3), value: .integer(-7), at: at)
        let fullText = #"{"at":"2026-11-20T19:04:05.123Z","round":3,"value":-7}"#
        #expect(try text(full) == fullText)
        #expect(try JSONDecoder().decode(Holder.self, from: Data(fullText.utf8)) == full)
    }

    @Test(
        "a scalar is JSON's own null, boolean, number or text",
        arguments: [
            (.null, "null"), (.boolean(true), "true"), (.boolean(false), "false"),
            (.integer(0), "0"), (.integer(1), "1"),
            (.integer(-9_007_199_254_740_991), "-9007199254740991"),
            (.text(""), "\"\""), (.text("1"), "\"1\""), (.text("a\"b\n🎲"), #""a\"b\n🎲""#),
        ] as [(Scalar, String)]
    )
    func scalars(_ scalar: Scalar, _ json: String) throws {
        #expect(try text([scalar]) == "[\(json)]")
        #expect(try JSONDecoder().decode([Scalar].self, from: Data("[\(json)]".utf8)) == [scalar])
    }

    @Test(
        "a panel is an object with its kind",
        arguments: [
            (
                .board(ShownBoard(squares: ["x."], pieces: [], legal: ["b1"])),
                #"{"kind":"board","last":null,"legal":["b1"],"pieces":[],"squares":["x."]}"#
            ),
            (
                .table(
                    ShownTable(
                        title: "",
                        columns: ["A"],
                        rows: [ShownTableRow(label: "1", cells: ["60"])]
                    )
                ),
                #"{"columns":["A"],"kind":"table","#
                    + #""rows":[{"cells":["60"],"label":"1"}],"title":""}"#
            ),
            (
                .text(ShownText(title: "T", lines: ["a"])),
                #"{"kind":"text","lines":["a"],"title":"T"}"#
            ),
        ] as [(ShownPanel, String)]
    )
    func panels(_ panel: ShownPanel, _ json: String) throws {
        #expect(try text(panel) == json)
        #expect(try JSONDecoder().decode(ShownPanel.self, from: Data(json.utf8)) == panel)
    }

    @Test(
        "a condition to wait for is an object with its kind",
        arguments: [
            (.ready, #"{"kind":"ready"}"#), (.synced, #"{"kind":"synced"}"#),
            (.peers(2), #"{"count":2,"kind":"peers"}"#),
            (.turn(player: "Ann"), #"{"kind":"turn","player":"Ann"}"#),
            (.turn(player: nil), #"{"kind":"turn"}"#),
        ] as [(WaitCondition, String)]
    )
    func conditions(_ condition: WaitCondition, _ json: String) throws {
        #expect(try text(condition) == json)
        #expect(try JSONDecoder().decode(WaitCondition.self, from: Data(json.utf8)) == condition)
    }

    @Test(
        "a condition without its kind, or peers without a count, is rejected",
        arguments: [
            "{}", #"{"count":2}"#, #"{"kind":"peers"}"#, #"{"kind":"gone"}"#,
            #"{"kind":"peers","count":"2"}"#, #"{"peers":{"_0":2}}"#, #""ready""#,
        ]
    )
    func noConditions(_ json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(WaitCondition.self, from: Data(json.utf8))
        }
    }

    @Test("a scalar is an entry's value, or the text of a later version's value")
    func values() {
        #expect(Scalar(Value.null) == .null)
        #expect(Scalar(Value.boolean(true)) == .boolean(true))
        #expect(Scalar(Value.integer(5)) == .integer(5))
        #expect(Scalar(Value.text("x")) == .text("x"))
        let later = Value.foreign(kind: ExactText("ratio"), text: ExactText("1/3"))
        #expect(Scalar(later) == .text("1/3"))
    }

    @Test(
        "a timestamp is UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
            (999, "1970-01-01T00:00:00.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_201_445_123, "2026-11-20T19:04:05.123Z"),
            (7_258_118_400_000, "2200-01-01T00:00:00.000Z"),
            (7_258_118_399_999, "2199-12-31T23:59:59.999Z"),
        ] as [(UInt64, String)]
    )
    func timestamps(_ milliseconds: UInt64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test("every millisecond of a second has its own text")
    func milliseconds() {
        for millisecond in 0..<1000 as Range<UInt64> {
            let text = Timestamp(milliseconds: 1_795_201_445_000 + millisecond).description
            let digits = String(1000 + millisecond).dropFirst()
            #expect(text == "2026-11-20T19:04:05.\(digits)Z")
        }
    }

    @Test("the last time of a stamp has a text")
    func lastMoment() {
        #expect(!Timestamp(milliseconds: Stamp.lastMillisecond).description.isEmpty)
    }
}
