/// The modules that the targets may import: those that `Package.swift` declares as dependencies.
///
/// SwiftPM also builds an import that is not declared, and that of a system library.
struct ImportRule {
    /// The targets without clock, randomness, input and output.
    static let pure: Set = [
        "SessionCRDT", "JSONCoding", "ScoreSheets", "SyncProtocol", "SyncEngine", "BoardSite",
    ]
    /// The targets that may import anything.
    private static let unrestricted: Set = ["SyncTestKit", "scoresync-bench"]
    private static let system: Set = ["Glibc", "Darwin", "Musl", "Dispatch", "Synchronization"]

    /// The dependencies by target.
    let dependencies: [String: Set<String>]

    /// Reads the calls of `module`, `tests`, `.target` and `.executableTarget` in a manifest.
    init(manifest: String) {
        let call =
            #/(?:module|tests|arget)\(\s*(?:name: )?"([^"]+)",\s*(?:dependencies: )?\[([^\]]*)/#
        let targets = manifest.matches(of: call).map { match in
            let names = match.output.2.matches(of: #/"([^"]+)"/#).map { String($0.output.1) }
            return (String(match.output.1), Set(names))
        }
        dependencies = Dictionary(targets) { first, _ in first }
    }

    /// The dependencies of pure targets on others.
    var impureDependencies: [Violation] {
        ImportRule.pure.sorted().flatMap { target in
            (dependencies[target] ?? []).subtracting(ImportRule.pure).subtracting(["CResources"])
                .map { name in
                    let message = "\(target) is pure, and depends on \(name)"
                    return Violation(file: "Package.swift", line: 1, message: message)
                }
        }
    }

    func violations(in file: SourceFile) -> [Violation] {
        file.lines(containing: "import ").compactMap { line in
            guard let module = module(in: file.line(line)) else { return nil }
            if module == "XCTest" {
                return file.violation(line, "tests use Swift Testing, not XCTest")
            }
            guard file.isSource, !ImportRule.unrestricted.contains(file.target) else { return nil }
            let isPure = ImportRule.pure.contains(file.target)
            let allowed = dependencies[file.target].map {
                $0.union(isPure ? [] : ImportRule.system)
            }
            guard allowed?.contains(module) != true else { return nil }
            return file.violation(line, "\(file.target) may not import \(module)")
        }
    }

    /// The module of an import declaration, such as `package import struct Glibc.stat`.
    private func module(in line: String) -> String? {
        let access: Set<Substring> = ["package", "internal", "private", "fileprivate"]
        let words = SourceFile.code(of: line).split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), let name = words.last,
            words[..<keyword].allSatisfy({ $0.hasPrefix("@") || access.contains($0) })
        else { return nil }
        return String(name.prefix { $0 != "." })
    }
}

/// Relative links of a Markdown page that lead to no file.
enum LinkRule {
    static func violations(in page: SourceFile, exists: (String) -> Bool) -> [Violation] {
        let folder = page.path.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        let fences = page.lines(containing: "```")
        return page.lines(containing: "](").flatMap { line in
            // A line between two fences is code.
            guard fences.count(where: { $0 < line }) % 2 == 0 else { return [Violation]() }
            return paths(in: page.line(line)).filter { !exists(folder + $0) }
                .map { page.violation(line, "\($0) does not exist") }
        }
    }

    /// The paths of links and images outside of code.
    private static func paths(in line: String) -> [String] {
        let prose = line.replacing(#/`[^`]*`/#, with: "")
        return prose.matches(of: #/\]\(([^) ]+)/#).map(\.output.1)
            .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") && !$0.hasPrefix("#") }
            .map { String($0.prefix { $0 != "#" }).replacing("%20", with: " ") }
    }
}

/// The tests that a page names, as `SomeTests` “the name of the test”, which may be wrapped.
enum TestReferenceRule {
    /// References to tests that do not exist, and rows without one in tables with a `test` column.
    static func violations(in page: SourceFile, tests: [SourceFile]) -> [Violation] {
        var found: [Violation] = []
        var isTable = false
        for number in 1...page.lineCount {
            let line = page.line(number)
            let isHeading = line.hasSuffix("| test |")
            isTable = line.hasPrefix("|") && (isTable || isHeading)
            if isTable, !isHeading, !line.hasPrefix("|--"), !line.contains("Tests` “") {
                found.append(page.violation(number, "names no test"))
            }
        }
        for number in page.lines(containing: "Tests`") {
            let next = number < page.lineCount ? page.line(number + 1) : ""
            let text = "\(page.line(number)) \(next)"
            for reference in text.matches(of: #/(\w+Tests)` “([^”]*)”/#)
            where !tests.contains(where: { test in
                test.path.hasSuffix("/\(reference.output.1).swift")
                    && test.contains("\"\(reference.output.2)\"")
            }) {
                let message = "no test “\(reference.output.2)” in \(reference.output.1)"
                found.append(page.violation(number, message))
            }
        }
        return Set(found).sorted { $0.line < $1.line }
    }
}

/// The mutations of `Scripts/mutate`, each of which must match its source lines exactly once.
enum MutationRule {
    static func violations(in list: String, text: (String) -> String) -> [Violation] {
        list.split(separator: "\nmutation: ").dropFirst().compactMap { mutation in
            let lines = mutation.split(separator: "\n", omittingEmptySubsequences: false)
            let path = lines.first { $0.hasPrefix("file: ") }?.dropFirst(6) ?? ""
            let old = lines.filter { $0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
            let count = text("Sources/\(path)").ranges(of: old).count
            guard count != 1 else { return nil }
            let message = "“\(lines[0])” matches \(count) times"
            return Violation(file: "Sources/\(path)", line: 1, message: message)
        }
    }
}
