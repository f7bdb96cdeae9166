import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The JSON Schema of sheets")
struct SchemaTests {
    private func schema() throws -> JSONTree {
        try JSONTree(try ProjectFile.text("Documentation/sheet.schema.json"))
    }

    @Test("every built-in sheet is valid by it")
    func builtInSheets() throws {
        let judge = JSONSchema(root: try schema())
        for sheet in SheetLibrary.builtIn.sheets {
            #expect(judge.violations(of: try JSONTree(sheet.json)) == [], "\(sheet.id)")
        }
    }

    @Test("every file of Games is built in, each under its name")
    func files() throws {
        var found: [String] = []
        for file in try ProjectFile.names(in: "Sources/ScoreSheets/Games") {
            let text = try ProjectFile.text("Sources/ScoreSheets/Games/\(file)")
            let sheet = try Sheet(json: text)
            #expect(SheetLibrary.builtInSource(of: sheet.id) == text, "\(file)")
            #expect(SheetLibrary.builtIn(sheet.id) == sheet, "\(file)")
            let id = sheet.id.description
            #expect(file == (id.hasPrefix("7") ? "seven\(id.dropFirst())" : id) + ".json")
            found.append(sheet.id.description)
        }
        #expect(found.sorted() == SheetLibrary.builtIn.sheets.map(\.id.description))
    }

    @Test("it lists every kind of row with exactly the fields that the code reads")
    func kinds() throws {
        let definitions = try #require(schema()["$defs"])
        let listed = try #require(definitions["row"]?["oneOf"]).items.compactMap {
            $0["$ref"]?.text
        }
        #expect(listed == RowKind.allCases.map { "#/$defs/row-\($0.rawValue)" })
        for kind in RowKind.allCases {
            let row = try #require(definitions["row-\(kind.rawValue)"])
            #expect(row["properties"]?["kind"]?["const"] == .text(kind.rawValue))
            let fields = (RowField.common + kind.fields).map(\.rawValue)
            #expect(row["properties"]?.fields.keys.sorted() == fields.sorted(), "\(kind)")
        }
    }

    @Test("it lists exactly the fields of sheets and options that the code reads")
    func fields() throws {
        func known(_ json: String) throws -> [String] {
            let refusal = try #require(throws: SheetError.self) { try Sheet(json: json) }
            let list = "\(refusal)".split(separator: "expected: ").last ?? ""
            return list.split(separator: ", ").map(String.init).sorted()
        }
        let schema = try schema()
        let sheet = #"{"id": "a", "name": "A", "rows": ["#
        let row = #"{"id": "r", "label": "R", "kind": "number"}]"#
        #expect(try known(#"{"?": 1}"#) == schema["properties"]?.fields.keys.sorted())
        let options = try known(sheet + row + #", "options": [{"?": 1}]}"#)
        let kinds = ["boolean", "integer", "choice", "text"]
        let inSchema = kinds.flatMap { kind in
            schema["$defs"]?["option-\(kind)"]?["properties"]?.fields.keys.sorted() ?? []
        }
        #expect(options == Set(inSchema).sorted())
        let condition = try known(
            sheet + #"{"id": "r", "label": "R", "kind": "number", "when": {"?": 1}}]}"#
        )
        #expect(
            condition == schema["$defs"]?["condition"]?["properties"]?.fields.keys.sorted()
        )
    }

    @Test("it has the limits of the code")
    func limits() throws {
        let schema = try schema()
        func most(_ path: String...) -> Int64? {
            path.reduce(schema) { $0?[$1] }?.integer
        }
        typealias Limits = Sheet.Limits
        #expect(most("properties", "rows", "maxItems") == Int64(Limits.rows))
        #expect(most("properties", "options", "maxItems") == Int64(Limits.options))
        #expect(most("properties", "tieBreakers", "maxItems") == Int64(Limits.tieBreakers))
        #expect(most("properties", "seats", "maxItems") == Int64(Limits.seats))
        #expect(most("properties", "sets", "maxItems") == Int64(Limits.sets))
        #expect(
            most("$defs", "set", "properties", "factions", "maxItems") == Int64(Limits.factions)
        )
        #expect(most("$defs", "label", "maxLength") == Int64(Limits.label))
        #expect(most("$defs", "help", "maxLength") == Int64(Limits.help))
        func row(_ kind: String, _ field: String) -> Int64? {
            most("$defs", "row-\(kind)", "properties", field, "maxItems")
        }
        #expect(row("number", "aliases") == Int64(Limits.aliases))
        #expect(row("number", "table") == Int64(Limits.table))
        #expect(row("number", "places") == Int64(Limits.table))
        #expect(row("tokens", "tokens") == Int64(Limits.tokens))
        #expect(row("choice", "choices") == Int64(Limits.choices))
        #expect(row("order", "words") == Int64(Limits.sources))
        #expect(row("order", "presets") == Int64(Limits.presets))
        #expect(row("sum", "of") == Int64(Limits.sources))
    }

    @Test("everything that the code accepts is valid by it")
    func strangers() throws {
        let judge = JSONSchema(root: try schema())
        for seed in Seeds.below(100) {
            var stranger = Stranger(seed: seed)
            let json = stranger.sheet()
            #expect(judge.violations(of: try JSONTree(json)) == [], "seed \(seed): \(json)")
            #expect(judge.violations(of: try JSONTree(try Sheet(json: json).json)) == [])
        }
    }

    @Test(
        "it rejects the errors that the code finds within one value",
        arguments: [
            (#""kind": "number""#, #""kind": "numbr""#),
            (#""kind": "number""#, #""kind": "text", "range": {"from": 1}"#),
            (#""kind": "number""#, #""kind": "tokens""#),
            (#""kind": "number""#, #""kind": "number", "table": []"#),
            (#""kind": "number""#, #""kind": "number", "per": 0"#),
            (
                #""name": "A""#,
                SchemaTests.option(#""choice", "choices": ["x", "x"], "default": "x""#)
            ),
            (#""name": "A""#, SchemaTests.option(#""choice", "choices": [], "default": "x""#)),
            (
                #""name": "A""#,
                SchemaTests.option(
                    #""choice", "default": "w0", "choices": [\#(SchemaTests.words(101))]"#
                )
            ),
            (
                #""name": "A""#,
                SchemaTests.option(#""text", "help": "\#(String(repeating: "x", count: 4001))""#)
            ),
            (
                #""name": "A""#,
                SchemaTests.option(
                    #""text", "help": "\#(String(repeating: "e\u{301}", count: 2001))""#
                )
            ),
            (#""name": "A""#, SchemaTests.option(#""integer", "default": 9007199254740992"#)),
            (
                #""name": "A""#,
                SchemaTests.option(#""text""#).replacing(
                    #""o""#,
                    with: #""\#(String(repeating: "o", count: 58))""#
                )
            ),
            (#""id": "r""#, #""id": "r.1""#), (#""id": "r""#, #""id": "R""#),
            (#""label": "R""#, #""label": " ""#), (#""name": "A", "#, ""),
        ]
    )
    func flaws(part: String, flaw: String) throws {
        let least =
            #"{"id": "a", "name": "A", "rows": [{"id": "r", "label": "R", "kind": "number"}]}"#
        let judge = JSONSchema(root: try schema())
        #expect(judge.violations(of: try JSONTree(least)) == [])
        let json = least.replacing(part, with: flaw)
        #expect(judge.violations(of: try JSONTree(json)) != [])
        #expect(throws: SheetError.self) { try Sheet(json: json) }
    }

    private static func words(_ count: Int) -> String {
        (0..<count).map { "\"w\($0)\"" }.joined(separator: ", ")
    }

    /// The name of the least sheet with an option of a kind after it.
    private static func option(_ kind: String) -> String {
        #""name": "A", "options": [{"name": "o", "kind": \#(kind)}]"#
    }
}
