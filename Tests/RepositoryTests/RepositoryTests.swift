import Testing

/// The rules of the house, applied to everything in it.
@Suite struct RepositoryTests {
    /// Fails with one line for each violation.
    private func expectNone(
        _ violations: [Violation],
        _ location: SourceLocation = #_sourceLocation
    ) {
        guard !violations.isEmpty else { return }
        let shown = violations.prefix(50).map { "\n  \($0)" }.joined()
        let more = violations.count > 50 ? "\n  and \(violations.count - 50) more" : ""
        Issue.record("Broken rules: \(violations.count)\(shown)\(more)", sourceLocation: location)
    }

    @Test("The repository is found, with files in every part")
    func findsFiles() {
        #expect(Repository.exists("Package.swift"))
        #expect(Repository.sources.count > 10)
        #expect(Repository.tests.count > 10)
        #expect(!Repository.otherSources.isEmpty)
    }

    @Test("Each target imports only what the design lists")
    func imports() {
        expectNone(Repository.swiftFiles.flatMap(ImportRule.violations))
    }

    @Test("The manifest declares only dependencies that the design lists, and every folder")
    func manifest() {
        let folders = (Repository.paths(under: "Sources") + Repository.paths(under: "Tests"))
            // What no part of the package is: a client in Python.
            .filter { !$0.hasPrefix("Tests/Interop/") }
            .map { $0.split(separator: "/") }.filter { $0.count > 2 }
            .map { "\($0[0])/\($0[1])" }
        let manifest = Manifest(Repository.text(of: "Package.swift"))
        #expect(manifest.targets.count >= 24)
        expectNone(manifest.violations(folders: Set(folders)))
    }

    @Test("Files, lines, functions and main functions are short")
    func sizes() {
        expectNone((Repository.swiftFiles + Repository.otherSources).flatMap(SizeRule.violations))
    }

    @Test("Everything visible to other targets is documented, and nothing is public")
    func documentation() {
        let rule = DocumentationRule(Repository.sources)
        expectNone(Repository.sources.flatMap(rule.violations))
    }

    @Test("No word stands in the code that hides a crash, a promise, a clock or unfinished work")
    func words() {
        expectNone(Repository.swiftFiles.flatMap(WordRule.violations))
        expectNone(Repository.otherSources.flatMap(WordRule.notes))
    }

    @Test("Each mutation of the engine finds the lines that it replaces")
    func mutations() {
        let file = "Tests/Fixtures/Mutations/engine.txt"
        let list = Repository.text(of: file)
        #expect(list.ranges(of: "\nmutation: ").count >= 30)
        expectNone(MutationRule.violations(in: list, of: file, text: Repository.text))
        let stale = "mutation: of yesterday\nfile: SyncEngine/Timing.swift\n-nothing like it\n"
        #expect(MutationRule.violations(in: stale, of: file, text: Repository.text).count == 1)
    }

    @Test("What only tests may change is in no release")
    func testHooks() {
        expectNone(Repository.sources.flatMap(TestHookRule.violations))
    }

    @Test("Only tests that need it use wall time, and each that may does")
    func clocks() {
        expectNone(Repository.tests.flatMap(ClockRule.violations))
        for path in ClockRule.needingTime.keys.sorted() {
            let file = SourceFile(path: "Tests/A.swift", text: Repository.text(of: path))
            #expect(!ClockRule.violations(in: file).isEmpty, "\(path) uses no clock any more")
        }
    }

    @Test("A file is named after a type in it")
    func names() {
        expectNone(Repository.swiftFiles.flatMap(NamingRule.violations))
    }

    @Test("A type of the daemon owns little, says what, and stands in few files")
    func rooms() {
        expectNone(Repository.sources.flatMap(RoomRule.violations))
        expectNone(RoomRule.violations(amongFiles: Repository.sources))
    }

    @Test("A source file ends with one line break")
    func endings() {
        let files = Repository.swiftFiles + Repository.otherSources
        expectNone(
            files.filter { $0.trailingNewlines != 1 }.map {
                $0.violation($0.lineCount, "ends with \($0.trailingNewlines) line breaks, not one")
            }
        )
    }

    @Test("The pages of the board are small, and each file of them is served")
    func pages() {
        let folder = "Sources/scoresync-board/Page"
        let files = Repository.paths(under: folder)
        let sizes = files.map { Repository.text(of: $0).utf8.count }
        #expect(sizes.reduce(0, +) <= 66 << 10, "together \(sizes.reduce(0, +)) bytes")
        let embedded = Repository.text(of: "Sources/CResources/pages.c")
        for name in files.map({ $0.dropFirst(folder.count + 1) }) {
            #expect(embedded.contains("/\(name)\""), "\(name)")
        }
    }

    @Test(
        "Every test that the documentation names exists, and each thing listed names one",
        arguments: [("Documentation/GAMES.md", 60), ("Documentation/SECURITY.md", 35)]
    )
    func testReferences(page: String, atLeast count: Int) {
        let text = Repository.text(of: page)
        #expect(text.ranges(of: "Tests` “").count > count)
        expectNone(TestReferences.violations(in: text, of: page, tests: Repository.tests))
    }

    @Test("Every relative link of the documentation leads to a file")
    func links() {
        let pages =
            ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
            + Repository.paths(under: "Documentation")
        expectNone(
            pages.filter { $0.hasSuffix(".md") }.flatMap { page in
                MarkdownLinks.violations(
                    in: Repository.text(of: page),
                    of: page,
                    exists: Repository.exists
                )
            }
        )
    }
}
