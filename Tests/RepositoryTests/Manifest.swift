/// The targets of `Package.swift`, as far as it can be read without running it.
///
/// It understands how this package declares its targets: a call of `module`, `tests`, `.target` or
/// `.executableTarget` whose first text is the name and whose first brackets hold the dependencies.
struct Manifest {
    /// One target and what it depends on.
    struct Target: Hashable {
        let name: String
        let dependencies: [String]
        let line: Int
        /// The first two parts of its path.
        let folder: String

        /// Whether it is for tests only: a test itself, or a program that tests run.
        var isTest: Bool { folder.hasPrefix("Tests/") }
    }

    /// The targets in the order of the manifest.
    let targets: [Target]

    /// Reads the text of a manifest.
    init(_ text: String) {
        let calls = ["module(", "tests(", ".target(", ".executableTarget(", ".systemLibrary("]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var targets: [Target] = []
        for (index, line) in lines.enumerated() {
            let start = line.drop { $0 == " " }
            guard let call = calls.first(where: { start.hasPrefix($0) }) else { continue }
            let rest =
                start.dropFirst(call.count)
                + lines[(index + 1)...].prefix { !$0.hasPrefix("        )") }.joined(separator: " ")
            let head = rest.prefix { $0 != "[" }
            // The functions that declare targets pass a parameter on where others have a text.
            let argument = head.replacing("name:", with: "").drop { $0 == " " }
            guard argument.hasPrefix("\""), let name = Self.texts(in: head).first else { continue }
            let path = rest.firstRange(of: "path: ").map { Self.texts(in: rest[$0.upperBound...]) }
            let parts = (path?.first ?? "").split(separator: "/").prefix(2)
            let usual = "\(call == "tests(" ? "Tests" : "Sources")/\(name)"
            let list = rest.drop { $0 != "[" }.prefix { $0 != "]" }
            let isLibrary = call == ".systemLibrary(" || head.contains(")")
            targets.append(
                Target(
                    name: name,
                    dependencies: isLibrary ? [] : Self.texts(in: list),
                    line: index + 1,
                    folder: parts.isEmpty ? usual : parts.joined(separator: "/")
                )
            )
        }
        self.targets = targets
    }

    /// What stands between quotation marks.
    private static func texts(in source: some StringProtocol) -> [String] {
        source.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Where the manifest and the import table, or the folders, say different things.
    func violations(folders: Set<String>) -> [Violation] {
        var found: [Violation] = []
        for target in targets {
            func add(_ message: String) {
                found.append(
                    Violation(file: "Package.swift", line: target.line, message: message)
                )
            }
            if !folders.contains(target.folder) {
                add("\(target.name) has no folder")
            }
            guard !target.isTest, !ImportRule.free.contains(target.name) else { continue }
            guard let allowed = ImportRule.table[target.name] else {
                add("\(target.name) is not in the import table")
                continue
            }
            for dependency in target.dependencies where !allowed.contains(dependency) {
                add("\(target.name) depends on \(dependency), which it may not import")
            }
        }
        let known = Set(targets.map(\.folder))
        for folder in folders.subtracting(known).sorted() {
            found.append(
                Violation(file: "Package.swift", line: 1, message: "\(folder) is no target")
            )
        }
        return found
    }
}
