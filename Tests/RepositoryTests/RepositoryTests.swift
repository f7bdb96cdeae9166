import Foundation
import Testing

/// The rules of the repository, applied to every file.
@Suite struct RepositoryTests {
    private static let swiftFiles = Repository.sources + Repository.tests

    private func expect(
        _ violations: [Violation],
        atMost count: Int = 0,
        location: SourceLocation = #_sourceLocation
    ) {
        guard violations.count > count else { return }
        let lines = violations.prefix(50).map { "\n  \($0)" }.joined()
        let comment: Comment = "\(violations.count) violations, at most \(count):\(lines)"
        Issue.record(comment, sourceLocation: location)
    }

    @Test("Each target imports only what the manifest declares, and pure ones nothing impure")
    func imports() {
        #expect(Repository.sources.count > 10)
        #expect(Repository.tests.count > 10)
        let rule = ImportRule(manifest: Repository.text(of: "Package.swift"))
        #expect(rule.dependencies.count >= 20)
        expect(Self.swiftFiles.flatMap(rule.violations))
        expect(rule.impureDependencies)
    }

    @Test("Files have a readable size")
    func sizes() {
        let files = Self.swiftFiles + Repository.cFiles
        // A maximum that may only fall.
        expect(files.compactMap(SizeRule.violation), atMost: 40)
    }

    @Test("Code hides no crash, promise or test hook, and calls clocks only where it may")
    func words() {
        expect(Self.swiftFiles.flatMap(WordRule.violations))
        expect(Repository.sources.flatMap(TestHookRule.violations))
        expect(Repository.tests.flatMap(ClockRule.violations))
    }

    @Test("No comment begins with a question word, and no function has a vague verb")
    func language() {
        expect(Repository.sources.flatMap(LanguageRule.violations))
    }

    @Test("Each mutation of the engine matches its source lines exactly once")
    func mutations() {
        let list = Repository.text(of: "Tests/Fixtures/Mutations/engine.txt")
        #expect(list.ranges(of: "\nmutation: ").count >= 30)
        expect(MutationRule.violations(in: list, text: Repository.text))
    }

    @Test("The pages are small with all that they load, and each file of them is embedded")
    func pages() {
        let folder = "Sources/scoresync-board/Page/"
        let files = Repository.paths(under: folder).map { String($0.split(separator: "/")[3]) }
        /// Returns the files that a page or a module loads before it is shown.
        func loaded(_ names: [String]) -> Set<String> {
            var (found, open) = (Set(names), names)
            while let name = open.popLast() {
                let text = Repository.text(of: folder + name)
                let (start, end) = name.hasSuffix(".html") ? ("=\"", "\"") : ("from \"./", "\"")
                let parts = text.components(separatedBy: start).dropFirst()
                let wanted = parts.compactMap { $0.components(separatedBy: end).first }
                open += wanted.filter { files.contains($0) && found.insert($0).inserted }
            }
            return found
        }
        func bytes(_ names: String...) -> Int {
            loaded(names).reduce(0) { $0 + Repository.text(of: folder + $1).utf8.count }
        }
        for page in ["index.html", "phone.html", "join.html"] {
            #expect(bytes(page) <= 72 << 10, "\(page)")
        }
        for screen in ["home", "new-game", "table", "results", "people", "settings", "doctor"] {
            #expect(bytes("app.html", "\(screen).js") <= 160 << 10, "\(screen)")
        }
        let embedded = Repository.text(of: "Sources/CResources/pages.c")
        for file in files { #expect(embedded.contains("/\(file)\"")) }
    }

    @Test(
        "Every test that the documentation names exists, and each table entry names one",
        arguments: [
            ("Documentation/GAMES.md", 60), ("Documentation/SECURITY.md", 35),
            ("Documentation/TROUBLESHOOTING.md", 15),
        ]
    )
    func testReferences(path: String, atLeast count: Int) throws {
        let page = try #require(Repository.pages.first { $0.path == path })
        #expect(page.lines(containing: "Tests` “").count > count)
        expect(TestReferenceRule.violations(in: page, tests: Repository.tests))
    }

    @Test("Every relative link of the documentation leads to a file")
    func links() {
        #expect(Repository.pages.count > 10)
        expect(Repository.pages.flatMap { LinkRule.violations(in: $0, exists: Repository.exists) })
    }
}
