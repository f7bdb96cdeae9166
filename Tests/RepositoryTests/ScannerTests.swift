import Testing

/// The scanner that the rules stand on, on samples that mislead simpler ones.
@Suite struct ScannerTests {
    private func code(_ source: String) -> String {
        String(decoding: SourceMask.code(of: Array(source.utf8)), as: UTF8.self)
    }

    @Test(
        "Comments and strings are blanked, and code after them stays",
        arguments: [
            ("a // try! b\nc", "a          \nc"),
            ("a /* { /* } */ { */ b", "a                   b"),
            (#"x("}") // {"#, #"x(" ")     "#),
            (#"x("\"}") }"#, #"x("   ") }"#),
            (##"x(#"\"# + "{")"##, ##"x(#" "# + " ")"##),
            ("x(\"\"\"\n } \" {\n\"\"\") }", "x(\"\"\"\n      \n\"\"\") }"),
            (#"x("a\(b("}") + ")")c") }"#, #"x("                 ") }"#),
            ("\"open\n}", "\"    \n}"),
            ("let `a func {` = 1", "let `a_func__` = 1"),
            ("a / b // c", "a / b     "),
        ]
    )
    func masks(source: String, expected: String) {
        #expect(code(source) == expected)
    }

    @Test("Tokens know their line and whether they touch the one before")
    func tokens() {
        let tokens = Token.tokens(of: Array("try! a\n != b".utf8))
        #expect(
            tokens == [
                Token(text: "try", line: 1, isGlued: false, isWord: true),
                Token(text: "!", line: 1, isGlued: true, isWord: false),
                Token(text: "a", line: 1, isGlued: false, isWord: true),
                Token(text: "!=", line: 2, isGlued: false, isWord: false),
                Token(text: "b", line: 2, isGlued: false, isWord: true),
            ]
        )
    }

    /// `kind name first-last`, with a star for what is visible in the package.
    private func outline(_ source: String) -> [String] {
        SourceFile(path: "Sources/T/A.swift", text: source).declarations.map {
            "\($0.isPackage ? "*" : "")\($0.kind) \($0.name) \($0.firstLine)-\($0.lastLine)"
        }
    }

    @Test("Members, requirements and cases are told from statements")
    func declarations() {
        let source = """
            @frozen
            package enum A {
                case open
                indirect case two(actor: Int, protocol: (Int) -> Void)
                package static func < (a: Self, b: Self) -> Bool {
                    switch a {
                    case .open: let x = 1; return x < 2
                    case .two: return false
                    }
                }
            }
            package protocol P {
                func f(_ g: () -> Void) async throws(E) -> [Int]
                var v: Int { get }
                init(from: Int)
            }
            extension A.B where C: D {
                init(run: () -> Void = { print("}") }) { self.init() }
                private(set) package var w: Int { 1 }
                func last() { for actor in actors { struct L {} } }
            }
            """
        #expect(
            outline(source) == [
                "*enum A 1-11", "*case open 3-3", "*case two 4-4", "*func < 5-10",
                "*protocol P 12-16", "*func f 13-13", "*var v 14-14", "*init init 15-15",
                "extension A.B 17-21", "init init 18-18", "*var w 19-19", "func last 20-20",
                "struct L 20-20",
            ]
        )
    }

    @Test("A case that is named like a modifier is none of the next declaration")
    func namedLikeModifiers() {
        let source = "enum A {\n case open\n case static\n let x = 1\n}\n"
        let file = SourceFile(path: "Sources/T/A.swift", text: source)
        #expect(file.declarations.map(\.modifiers) == [[], [], [], []])
    }

    @Test("A label, a member or an import is no declaration")
    func noDeclarations() {
        #expect(outline("import struct A.B\nf(extension: 1, actor: 2)\nx.init(y)\n") == [])
    }
}
