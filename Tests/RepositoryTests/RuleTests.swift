import Testing

/// Each rule of the house sees what breaks it, and leaves alone what does not.
@Suite struct RuleTests {
    private func file(_ text: String, at path: String = "Sources/SyncEngine/A.swift") -> SourceFile
    {
        SourceFile(path: path, text: text)
    }

    /// The lines that a rule complains about.
    private func lines(_ violations: [Violation]) -> [Int] { violations.map(\.line).sorted() }

    @Test(
        "An import outside of the table is found in every spelling",
        arguments: [
            ("import Foundation", "SyncEngine"), ("internal import Dispatch", "SyncProtocol"),
            ("package import Glibc", "SyncEngine"), ("import SyncEngine", "SessionCRDT"),
            ("import struct Foundation.Data", "ScoreSheets"),
            ("@preconcurrency import FoundationEssentials", "SessionStore"),
            ("import COpenSSL", "scorectl"), ("import Testing", "Unknown"),
            ("@testable import SyncEngine", "scorectl"),
        ]
    )
    func badImports(source: String, target: String) {
        let found = ImportRule.violations(
            in: file("// first\n\(source)", at: "Sources/\(target)/A.swift")
        )
        #expect(lines(found) == [2])
    }

    @Test(
        "An import of the table is left alone, and so is one in a comment or a text",
        arguments: [
            ("import SyncProtocol", "SyncEngine"), ("internal import Glibc", "SessionStore"),
            ("package import struct Glibc.stat", "SessionStore"),
            ("// import Foundation", "SyncEngine"), ("let a = \"import Foundation\"", "SyncEngine"),
            ("import Foundation", "SyncTestKit"), ("a.import(x)", "SyncEngine"),
        ]
    )
    func goodImports(source: String, target: String) {
        #expect(
            ImportRule.violations(in: file(source, at: "Sources/\(target)/A.swift")) == []
        )
    }

    @Test("A test may import anything but XCTest")
    func testImports() {
        let source = "import Foundation\nimport XCTest"
        #expect(lines(ImportRule.violations(in: file(source, at: "Tests/T/A.swift"))) == [2])
    }

    @Test("A file, a line or a function is refused one past its limit, and not at it")
    func sizes() {
        func sized(lines: Int, width: Int, body: Int) -> [Violation] {
            let function = "func f() {\n" + String(repeating: "    g()\n", count: body - 2) + "}\n"
            let long = "// " + String(repeating: "x", count: width - 3) + "\n"
            let rest = String(repeating: "\n", count: lines - body - 1)
            return SizeRule.violations(in: file(function + long + rest))
        }
        #expect(sized(lines: 400, width: 100, body: 60) == [])
        #expect(lines(sized(lines: 401, width: 100, body: 60)) == [1])
        #expect(lines(sized(lines: 400, width: 101, body: 60)) == [61])
        #expect(lines(sized(lines: 400, width: 100, body: 61)) == [1])
    }

    @Test("A main function is refused past twenty lines")
    func mainFunctions() {
        let body = String(repeating: "f()\n", count: 20)
        let path = "Sources/scorectl/main.swift"
        #expect(SizeRule.violations(in: file(body, at: path)) == [])
        #expect(lines(SizeRule.violations(in: file(body + "f()\n", at: path))) == [1])
        let type = "@main\nstruct A {\n\(body)}\n"
        #expect(lines(SizeRule.violations(in: file(type))) == [2])
    }

    @Test("What the package sees needs a doc comment; what a protocol requires does not")
    func documentation() {
        let source = """
            /// A.
            @frozen
            package enum A {
                case bare
                /// Documented.
                // swift-format-ignore
                case fine
                package static let bare = 1
                package var description: String { "" }
                package init(from decoder: any Decoder) {}
                package init(other: Int) {}
                // A plain comment documents nothing.
                package func f() {}
                func own() {}
            }
            public struct B {}
            package import C
            """
        let rule = DocumentationRule([])
        #expect(lines(rule.violations(in: file(source))) == [4, 8, 11, 13, 16])
        #expect(rule.violations(in: file(source, at: "Tests/T/A.swift")) == [])
    }

    @Test("An initializer that takes what its type holds says so by its labels")
    func memberwise() {
        let source = file(
            """
            /// A.
            package struct A {
                /// B.
                package let b: Int
                package init(b: Int) { self.b = b }
                package init() { b = 0 }
                package init(_ c: Int) { b = c }
            }
            """
        )
        #expect(lines(DocumentationRule([source]).violations(in: source)) == [7])
    }

    @Test("What a documented protocol of the package requires is not documented again")
    func witnesses() {
        let contract = file(
            """
            /// P.
            package protocol P {
                /// Reply.
                associatedtype Reply
                func bare()
            }
            """
        )
        let conforming = file(
            """
            /// A.
            package struct A: Hashable, P {
                package typealias Reply = Int
                package func other() {}
            }
            /// B.
            package struct B {
                package typealias Reply = Int
            }
            extension A.B: P where C: D {}
            extension B.C { package func bare() {} }
            """
        )
        #expect(lines(DocumentationRule([contract]).violations(in: contract)) == [5])
        let rule = DocumentationRule([contract, conforming])
        #expect(lines(rule.violations(in: conforming)) == [4, 11])
    }

    @Test("A type is refused one stored property past the limit, and not at it")
    func crowdedRooms() {
        func type(_ count: Int) -> SourceFile {
            let stored = (0..<count).map { number in
                number % 2 == 0 ? "    let a\(number): [Int]" : "    var a\(number) = 1"
            }
            let text = """
                /// Owns numbers.
                struct A {
                \(stored.joined(separator: "\n"))
                    static let most = 1
                    var sum: Int { 1 }
                    var half: Int {
                        get { 1 }
                    }
                    func f() { let local = 1 }
                }
                """
            return file(text, at: "Sources/scoresyncd/A.swift")
        }
        #expect(RoomRule.violations(in: type(12)) == [])
        #expect(lines(RoomRule.violations(in: type(13))) == [3])
    }

    @Test("A type is refused one extension file past the limit, and one that says nothing")
    func spreadRooms() {
        func files(_ count: Int) -> [SourceFile] {
            (0..<count).map { file("extension A {}", at: "Sources/scoresyncd/A+B\($0).swift") }
        }
        #expect(RoomRule.violations(amongFiles: files(3)) == [])
        #expect(RoomRule.violations(amongFiles: files(4)).count == 1)
        let silent = file("import B\n\nstruct A {}", at: "Sources/scoresyncd/A.swift")
        #expect(lines(RoomRule.violations(in: silent)) == [3])
    }

    @Test("A crash, an unexplained promise and a vague name are found in code only")
    func words() {
        let source = """
            let a = try! f()
            let b = c as! D
            final class E: @unchecked Sendable {}
            // Guarded by the queue.
            final class F: @unchecked Sendable {}
            nonisolated(unsafe) var g = 1  // Written once, before any thread starts.
            nonisolated(unsafe) var h = 1
            struct LinkManager {}
            protocol FrameHandling {}
            let text = "try! as! Manager"  // try! f()
            let i = try !j()
            let k = f(as != nil)
            """
        #expect(lines(WordRule.violations(in: file(source))) == [1, 2, 3, 7, 8])
    }

    @Test("A pure target calls no clock, no randomness, no task and no output")
    func purity() {
        let source = """
            let a = Date()
            let b = ContinuousClock.now
            var c = SystemRandomNumberGenerator()
            Task { await f() }
            print("a")
            d.print("a")
            let e = f.shuffled(using: &g) + h.shuffled()
            let i = Date(milliseconds: 1)
            """
        #expect(lines(WordRule.violations(in: file(source))) == [1, 2, 3, 4, 5, 7])
        #expect(WordRule.violations(in: file(source, at: "Sources/scoresyncd/A.swift")) == [])
    }

    @Test("A test that reads a clock or sleeps is found, unless time is what it tests")
    func clocks() {
        let source = """
            let a = ContinuousClock.now
            try await Task.sleep(for: .seconds(1))
            let b = Date(milliseconds: 1)
            usleep(10)
            """
        let test = file(source, at: "Tests/T/A.swift")
        #expect(lines(ClockRule.violations(in: test)).sorted() == [1, 2, 4])
        let path = "Tests/SessionStoreTests/CrashTests.swift"
        #expect(ClockRule.violations(in: file(source, at: path)) == [])
        #expect(ClockRule.violations(in: file(source)) == [])
    }

    @Test("Unfinished work is found as a word, in sources only")
    func unfinished() {
        let source = "// TODO: more\n// one for now\nlet hackney = \"HACKNEY, for nowhere\"\n"
        #expect(lines(WordRule.violations(in: file(source))) == [1, 2])
        #expect(WordRule.violations(in: file(source, at: "Tests/T/A.swift")) == [])
    }

    @Test(
        "A file is named after a type that it declares or extends",
        arguments: [
            ("A.swift", "struct B {}", false), ("A.swift", "extension B { struct A {} }", true),
            ("A.swift", "extension A {}", false), ("A+C.swift", "extension A {}", true),
            ("A+C.swift", "struct A {}", false), ("B+C.swift", "extension A.B {}", true),
            ("main.swift", "run()\nlet a = 1", true), ("A.swift", "typealias A = Int", true),
            ("A.swift", "// A comment alone.", true),
            ("ARequests.swift", "struct BRequest {}; struct CRequest {}", true),
            ("ARequests.swift", "struct BRequest {}; struct CReply {}", false),
        ]
    )
    func naming(name: String, source: String, isFine: Bool) {
        let found = NamingRule.violations(in: file(source, at: "Sources/T/\(name)"))
        #expect(found.isEmpty == isFine)
    }

    @Test("A link to a missing file is found, elsewhere and in code it is not looked for")
    func links() {
        let page = """
            [a](there.md#part) ![b](gone.png "title") [c](https://example.org/x) [d](#part)
            `[e](gone.md)` and [f](../up.md)
            ```
            [g](gone.md)
            ```
            [h]: gone.md
            """
        let found = MarkdownLinks.violations(in: page, of: "Documentation/P.md") {
            ["Documentation/there.md", "Documentation/../up.md"].contains($0)
        }
        #expect(lines(found) == [1, 6])
    }

    @Test("A test that a page names and that is not there is found, and a row without one")
    func testReferences() {
        let page = """
            | what | test |
            |---|---|
            | a | `ATests` “one” |
            | b | `ATests` “two”, `BTests` “one” |
            | c | `BTests` |

            | other | table |
            |---|---|
            | a | b |
            `ATests` “gone”
            """
        let tests = [
            SourceFile(path: "Tests/X/ATests.swift", text: "@Test(\"one\") func one() {}\n")
        ]
        let found = TestReferences.violations(in: page, of: "P.md", tests: tests)
        #expect(lines(found) == [4, 4, 5, 10])
    }

    @Test("A manifest that departs from the table or from the folders is found")
    func manifests() {
        let text = """
            func module(
                _ name: String
            ) -> Target {
                .target(name: name, dependencies: dependencies, swiftSettings: settings)
            }
                    module("SyncProtocol", ["SessionCRDT"]),
                    module("SyncEngine", ["SessionCRDT", "ScoreSheets"]),
                    .executableTarget(
                        name: "scorectl",
                        dependencies: ["SyncProtocol", "COpenSSL"],
                        swiftSettings: strict
                    ),
                    .systemLibrary(
                        name: "CSQLite",
                        providers: [.apt(["libsqlite3-dev"])]
                    ),
                    .target(name: "CPlatform"),
                    tests("LANTests", ["SyncProtocol"]),
            """
        let manifest = Manifest(text)
        #expect(
            manifest.targets.map(\.name) == [
                "SyncProtocol", "SyncEngine", "scorectl", "CSQLite", "CPlatform", "LANTests",
            ]
        )
        let folders: Set<String> = [
            "Sources/SyncProtocol", "Sources/SyncEngine", "Sources/scorectl", "Sources/CSQLite",
            "Sources/Extra", "Tests/LANTests",
        ]
        #expect(lines(manifest.violations(folders: folders)) == [1, 7, 8, 17])
    }

    @Test("A hook for tests is found wherever a release would have it")
    func testHooks() {
        let text = """
            #if DEBUG
            let a = "SCORESYNC_TEST_A"
            #else
            let b = "SCORESYNC_TEST_B"
            #endif
            let c = "SCORESYNC_TEST_C"
            """
        #expect(lines(TestHookRule.violations(in: file(text))) == [4, 6])
    }
}
