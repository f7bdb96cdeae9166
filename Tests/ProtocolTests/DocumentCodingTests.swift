import FoundationEssentials
import JSONCoding
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

/// Compares our coders with Foundation's.
struct DocumentCodingTests {
    private func theirs(_ document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private func ours(_ document: some Encodable) throws -> String {
        var json = JSONWriter()
        try json.document(document)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func expectSame<Document: Codable & Hashable>(_ document: Document) throws {
        let json = try ours(document)
        #expect(json == (try theirs(document)))
        #expect(try ControlJSON.decode(Document.self, from: json.utf8) == document)
    }

    @Test(
        "Random documents are encoded as before, and survive a round trip",
        arguments: Seeds.below(200)
    )
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let document = AnyJSON.random(depth: 5, &generator)
        let json = try ours(document)
        #expect(json == (try theirs(document)), "seed \(seed)")
        #expect(try JSONText(Array(json.utf8)).root.decode(AnyJSON.self) == document)
        #expect(try JSONDecoder().decode(AnyJSON.self, from: Data(json.utf8)) == document)
    }

    @Test(
        "A damaged document is decoded as by Foundation, or rejected",
        arguments: Seeds.below(200)
    )
    func damaged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(try ours(AnyJSON.random(depth: 4, &generator)).utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] = "{}[]\",:0-.eE\\u tfn".utf8.randomElement(using: &generator) ?? 0
        }
        guard let root = try? JSONText(bytes).root else { return }
        let document = try root.decode(AnyJSON.self)
        #expect(try JSONDecoder().decode(AnyJSON.self, from: Data(bytes)) == document)
    }

    @Test("Points are integers, or numbers with a half")
    func points() throws {
        let points = [0, 12, -7, 25, -1, 1, Value.largestInteger, 0 - Value.largestInteger]
            .map { Points(halves: $0) }
        try expectSame(points)
        #expect(
            try ours(points)
                == "[0,6,-3.5,12.5,-0.5,0.5,4503599627370495.5,-4503599627370495.5]"
        )
        #expect(try JSONText(Array("[12.0,1e1]".utf8)).root.decode([Points].self) == [12, 10])
        for other in ["0.25", "1e300", "\"2.5\"", "true", "null"] {
            #expect(throws: (any Error).self, "\(other)") {
                try JSONText(Array("[\(other)]".utf8)).root.decode([Points].self)
            }
        }
    }

    @Test("Documents of the control socket are encoded as before")
    func documents() throws {
        let at = Timestamp(milliseconds: 1_795_201_445_123)
        let cell = ShownCell(
            row: "birds",
            round: 3,
            value: .text("a/b\u{1}\"\u{7F}é"),
            by: "laptop",
            at: at
        ).with {
            $0.points = -5
            $0.conflict = [AttributedValue(value: .boolean(true), by: "b", at: at)]
        }
        let player = ShownPlayer(id: "1", name: "Ann", seat: 1).with {
            $0.team = "red"
            $0.total = 12
            $0.winner = true
            $0.cells = [cell, cell]
            $0.computed = [ShownPoints(row: "sum", points: 3)]
        }
        let document = ShowDocument(
            session: ShownSession(id: "s", title: "t", game: "g", status: "open"),
            players: [player, player]
        ).with {
            $0.turn = "1"
            $0.flags = [ShownFlag(player: "1", row: "birds", reason: "why")]
            $0.panels = [
                .board(ShownBoard(squares: ["x."], pieces: [], legal: ["b1"], last: "a1")),
                .text(ShownText(title: "T", lines: [])),
            ]
        }
        let context = ShowContext(gameName: "G").with {
            $0.rows = [ShownRow(row: "birds", round: 1, label: "Birds")]
            $0.leaders = ["1"]
            $0.offline = true
            $0.notes = ["n"]
        }
        try expectSame(ShowReply(document: document, context: context))
        let options = ["z": "1", "a": "2", "Z": "3", "é": "4"]
        try expectSame(NextGameParameters().with { $0.options = options })
        try expectSame(Done())
        try expectSame(NoParameters())
        try expectSame(RPCFault(ControlError(.notFound, "no", candidates: ["a", "b"])))
        try expectSame([RPCID.null, .integer(-1), .text("x")])
        try expectSame(InviteReply(code: "c", expires: at))
    }

    @Test(
        "a value of the wrong type is reported with its path",
        arguments: [
            (#"{"words":[1]}"#, "words.Index 0 is of another type than expected"),
            (#"{"words":null}"#, "words must not be null"),
            (#"{}"#, "words is missing"), ("[]", "the document is of another type than expected"),
            (#"{"words":{}}"#, "words is of another type than expected"),
            ("null", "the document must not be null"),
            ("{", "the document cannot be read: unexpected end of the JSON at byte 1"),
        ]
    )
    func places(json: String, message: String) {
        let error = #expect(throws: ControlError.self) {
            try ControlJSON.decode(WordsParameters.self, from: json.utf8)
        }
        #expect(error == ControlError(.usage, message))
    }

    @Test("Integers may have a decimal point or an exponent, and must fit")
    func numbers() throws {
        let root = try JSONText(Array("[1.0,1e2,-0,255,256,1.5,-1]".utf8)).root
        let numbers = root.elements.map { try? $0.decode(UInt8.self) }
        #expect(numbers == [1, 100, 0, 255, nil, nil, nil])
        let large = Array("[9223372036854775807,1e400]".utf8)
        #expect(throws: JSONScanError.self) { try JSONText(large) }
        let any = try JSONText(large, numbers: .any).root
        #expect(any.elements.map { try? $0.decode(Int64.self) } == [.max, nil])
    }

    @Test("A text that is not a time is not a timestamp")
    func timestamps() {
        for text in [
            "", "2026-02-30T00:00:00.000Z", "2026-11-20T24:00:00.000Z", "2026-11-20 19:04:05.123Z",
            "2026-11-20T19:04:05Z", "1969-12-31T23:59:59.999Z", "x026-11-20T19:04:05.123Z",
        ] {
            #expect(Timestamp(text) == nil, "\(text)")
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let milliseconds = UInt64.random(in: 0..<1 << 48, using: &generator)
            let date = Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000)
            let text = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(Timestamp(milliseconds: milliseconds).description == text)
            #expect(Timestamp(text) == Timestamp(milliseconds: milliseconds))
        }
    }
}

extension AnyJSON {
    fileprivate static func random(depth: Int, _ generator: inout SeededGenerator) -> AnyJSON {
        func word(_ generator: inout SeededGenerator) -> String {
            let pieces = [
                "a", "B", "z/", "\"", "\\", "\u{0}", "\u{1F}", "\n", "é", "e\u{301}", "🎲",
            ]
            return (0..<Int.random(in: 0...3, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        let count = Int.random(in: 0...5, using: &generator)
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
        case 0: return .null
        case 1: return .boolean(.random(using: &generator))
        case 2:
            return Bool.random(using: &generator)
                ? .number(Double(Int.random(in: -1000...1000, using: &generator)))
                : .number(.random(in: -1e9...1e9, using: &generator))
        case 3: return .text(word(&generator))
        case 4: return .array((0..<count).map { _ in .random(depth: depth - 1, &generator) })
        default:
            let many = count == 5 ? 40 : count
            let members = (0..<many).map { _ in
                (word(&generator), AnyJSON.random(depth: depth - 2, &generator))
            }
            return .object(Dictionary(members) { first, _ in first })
        }
    }
}
