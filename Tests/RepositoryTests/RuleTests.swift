import Testing

/// Each rule finds what breaks it, and nothing else.
@Suite struct RuleTests {
    private func file(_ text: String, at path: String = "Sources/SyncEngine/A.swift") -> SourceFile
    {
        SourceFile(path: path, text: text)
    }

    private func lines(_ violations: [Violation]) -> [Int] { violations.map(\.line).sorted() }

    private let imports = ImportRule(
        manifest: """
                    module("SyncEngine", ["SessionCRDT", "CSQLite"], settings: optimized),
                    .executableTarget(
                        name: "scorectl",
                        dependencies: [
                            "SyncProtocol",
                            "CPlatform",
                        ],
                        swiftSettings: strict
                    ),
                    .target(name: "CPlatform"),
                    .target(name: name, dependencies: dependencies)
            """
    )

    @Test(
        "An import that the manifest does not declare is found in every spelling",
        arguments: [
            ("import Foundation", "SyncEngine", false), ("import SyncEngine", "scorectl", false),
            ("package import struct Foundation.Data", "SyncEngine", false),
            ("@preconcurrency import FoundationEssentials", "scorectl", false),
            ("import Dispatch", "SyncEngine", false), ("import Testing", "Unknown", false),
            ("import SessionCRDT", "SyncEngine", true), ("import Dispatch", "scorectl", true),
            ("package import struct CPlatform.stat", "scorectl", true),
            ("// import Foundation", "SyncEngine", true), ("a.import(x)", "SyncEngine", true),
            ("let a = \"import Foundation\"", "SyncEngine", true),
            ("import Foundation", "SyncTestKit", true),
        ]
    )
    func imports(source: String, target: String, isAllowed: Bool) {
        let found = imports.violations(in: file(source, at: "Sources/\(target)/A.swift"))
        #expect(found.isEmpty == isAllowed)
    }

    @Test("Tests may import anything but XCTest, and pure targets depend on nothing impure")
    func layers() {
        let source = "import Foundation\n\("import XCTest")"
        #expect(lines(imports.violations(in: file(source, at: "Tests/T/A.swift"))) == [2])
        #expect(imports.dependencies.keys.sorted() == ["SyncEngine", "scorectl"])
        let messages = imports.impureDependencies.map(\.message)
        #expect(messages == ["SyncEngine is pure, and depends on CSQLite"])
    }

    @Test("A file is too small or too large one line past its limit, and not at it")
    func sizes() {
        let isValid = [14, 15, 700, 701].map { count in
            SizeRule.violation(in: file(String(repeating: "\n", count: count))) == nil
        }
        #expect(isValid == [false, true, true, false])
    }

    @Test("A crash and an unexplained promise are found in code only")
    func words() {
        let source = [
            "let a = try! f()",
            "let b = c as! D",
            "final class E: @unchecked Sendable {}",
            "// Guarded by the queue.",
            "final class F: @unchecked Sendable {}",
            "nonisolated(unsafe) var g = 1  // Written once.",
            "nonisolated(unsafe) var h = 1",
            "let text = \"try! as!\"  // try! f()",
        ].joined(separator: "\n")
        #expect(lines(WordRule.violations(in: file(source))) == [1, 2, 3, 7])
    }

    @Test("A pure target calls no clock, no randomness, no task and no output")
    func purity() {
        let source = [
            "let a = Date()", "Task { await f() }", "print(b)", "d.print(b)",
            "func print(_ b: B) {}",
            "let e = f.shuffled(using: &g) + h.shuffled()", "let i = Date(milliseconds: 1)",
        ].joined(separator: "\n")
        #expect(lines(WordRule.violations(in: file(source))) == [1, 2, 3, 6])
        #expect(WordRule.violations(in: file(source, at: "Sources/scoresyncd/A.swift")) == [])
    }

    @Test("A comment that begins with a question word and a vague verb are found")
    func language() {
        let source = """
            /// What it is.
            /// Whether it is.
            func take(_ a: Int) {}
            func noteAway() {}
            func takeaway() {}
            """
        #expect(lines(LanguageRule.violations(in: file(source))) == [1, 3, 4])
    }

    @Test("A test that reads a clock or sleeps is found, unless it says why")
    func clocks() {
        let source = "let a = ContinuousClock.now\ntry await Task.sleep(for: b)\nusleep(10)"
        func found(_ source: String) -> [Int] {
            lines(ClockRule.violations(in: file(source, at: "Tests/T/A.swift")))
        }
        #expect(found(source) == [1, 2, 3])
        #expect(found("\(ClockRule.mark)it is measured\n\(source)") == [])
        #expect(found("\(ClockRule.mark)it is measured\n") == [1])
        #expect(ClockRule.violations(in: file(source)) == [])
    }

    @Test("A test hook is found wherever a release would have it")
    func testHooks() {
        let hook = "SCORESYNC_" + "TEST_A"
        let text = "#if DEBUG\n\(hook)\n#else\n\(hook)\n#endif\n\(hook)"
        #expect(lines(TestHookRule.violations(in: file(text))) == [4, 6])
    }

    @Test("A link to a missing file is found, but not elsewhere and not in code")
    func links() {
        let page = """
            [a](there.md#part) ![b](gone.png "title") [c](https://example.org/x) [d](#part)
            `[e](gone.md)` and [f](../up.md)
            ```
            [g](gone.md)
            ```
            """
        let found = LinkRule.violations(in: file(page, at: "Documentation/P.md")) {
            ["Documentation/there.md", "Documentation/../up.md"].contains($0)
        }
        #expect(lines(found) == [1])
    }

    @Test("A reference to a test that does not exist is found, and a row without one")
    func testReferences() {
        let page = """
            | what | test |
            |---|---|
            | a | `ATests` “one”, `ATests` “two” |
            | c | `BTests` |

            `ATests` “gone”
            """
        let tests = [file("@Test(\"one\") func one() {}", at: "Tests/X/ATests.swift")]
        let found = TestReferenceRule.violations(in: file(page, at: "P.md"), tests: tests)
        #expect(lines(found) == [3, 4, 6])
    }

    @Test("A mutation that matches no source line is found")
    func mutations() {
        let list =
            "# List\n\nmutation: a\nfile: A.swift\n-x\n+y\n\nmutation: b\nfile: A.swift\n-z\n"
        let found = MutationRule.violations(in: list) { _ in "x\n" }
        #expect(found.map(\.message) == ["“b” matches 0 times"])
    }
}
