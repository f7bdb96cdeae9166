import Testing

/// The rules of the repository, applied to every file.
@Suite struct RepositoryTests {
    private func expectNone(
        _ violations: [Violation],
        location: SourceLocation = #_sourceLocation
    ) {
        expect(violations, atMost: 0, location: location)
    }

    private func expect(
        _ violations: [Violation],
        atMost count: Int,
        location: SourceLocation = #_sourceLocation
    ) {
        guard violations.count > count else { return }
        let lines = violations.prefix(50).map { "\n  \($0)" }.joined()
        let comment: Comment = "\(violations.count) violations, at most \(count):\(lines)"
        Issue.record(comment, sourceLocation: location)
    }

    @Test("Each target imports only what the table lists")
    func imports() {
        #expect(Repository.sources.count > 10)
        #expect(Repository.tests.count > 10)
        expectNone(Repository.swiftFiles.flatMap(ImportRule.violations))
    }

    @Test("The manifest declares only dependencies that the table lists, and every folder")
    func manifest() {
        let folders = (Repository.paths(under: "Sources") + Repository.paths(under: "Tests"))
            // A client in Python, not part of the package.
            .filter { !$0.hasPrefix("Tests/Interop/") }
            .map { $0.split(separator: "/") }.filter { $0.count > 2 }
            .map { "\($0[0])/\($0[1])" }
        let manifest = Manifest(Repository.text(of: "Package.swift"))
        #expect(manifest.targets.count >= 24)
        expectNone(manifest.violations(folders: Set(folders)))
    }

    @Test("Files and functions have a readable size, and files end with one line break")
    func sizes() {
        let files = Repository.swiftFiles + Repository.cFiles
        expectNone(files.flatMap(SizeRule.longFunctions))
        // A maximum that may only fall.
        expect(files.compactMap(SizeRule.fileSize), atMost: 40)
        expectNone(
            files.filter { $0.lines.last != "" || $0.lines.dropLast().last == "" }
                .map { $0.violation($0.lines.count, "ends not with one line break") }
        )
    }

    @Test("Code hides no crash, unexplained promise, clock, public API or unfinished work")
    func words() {
        expectNone(Repository.swiftFiles.flatMap(WordRule.violations))
        expectNone(Repository.cFiles.flatMap(WordRule.unfinished))
    }

    @Test("Comments that begin with question words and verbs that say little become fewer")
    func language() {
        // A maximum that may only fall.
        expect(Repository.sources.flatMap(LanguageRule.violations), atMost: 2701)
    }

    @Test("Test hooks are in no release")
    func testHooks() {
        expectNone(Repository.sources.flatMap(TestHookRule.violations))
    }

    @Test("Only tests that need time read a clock or sleep")
    func clocks() {
        expectNone(Repository.tests.flatMap(ClockRule.violations))
    }

    @Test("Each mutation of the engine matches its source lines exactly once")
    func mutations() {
        let path = "Tests/Fixtures/Mutations/engine.txt"
        let list = Repository.text(of: path)
        #expect(list.ranges(of: "\nmutation: ").count >= 30)
        expectNone(MutationRule.violations(in: list, of: path, text: Repository.text))
    }

    @Test("The pages of the board are small, and each file of them is embedded")
    func pages() {
        let files = Repository.paths(under: "Sources/scoresync-board/Page")
        let sizes = files.map { Repository.text(of: $0).utf8.count }
        #expect(sizes.reduce(0, +) <= 66 << 10)
        let embedded = Repository.text(of: "Sources/CResources/pages.c")
        for file in files { #expect(embedded.contains("/\(file.split(separator: "/")[3])\"")) }
    }

    @Test(
        "Every test that the documentation names exists, and each table entry names one",
        arguments: [("Documentation/GAMES.md", 60), ("Documentation/SECURITY.md", 35)]
    )
    func testReferences(page: String, atLeast count: Int) {
        let text = Repository.text(of: page)
        #expect(text.ranges(of: "Tests` “").count > count)
        expectNone(TestReferenceRule.violations(in: text, of: page, tests: Repository.tests))
    }

    @Test("Every relative link of the documentation leads to a file")
    func links() {
        let pages =
            ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
            + Repository.paths(under: "Documentation").filter { $0.hasSuffix(".md") }
        expectNone(
            pages.flatMap { page in
                LinkRule.violations(
                    in: Repository.text(of: page),
                    of: page,
                    exists: Repository.exists
                )
            }
        )
    }
}
