/// The modules that each target may import.
enum ImportRule {
    private static let system: Set = ["Glibc", "Darwin", "Musl", "Dispatch", "Synchronization"]
    private static let modules: Set = [
        "SessionCRDT", "JSONCoding", "ScoreSheets", "SyncProtocol", "SyncEngine", "SessionStore",
        "PeerTransport", "ControlSocket", "Descriptors", "CPlatform",
    ]

    /// The allowed imports by target.
    static let table: [String: Set<String>] = [
        "SessionCRDT": [],
        "JSONCoding": ["SessionCRDT"],
        "ScoreSheets": ["SessionCRDT", "JSONCoding", "CResources"],
        "SyncProtocol": ["SessionCRDT", "JSONCoding"],
        "SyncEngine": ["SessionCRDT", "SyncProtocol"],
        "BoardSite": ["SyncProtocol"],
        "SessionStore": system.union(["SessionCRDT", "Descriptors", "CSQLite"]),
        "Descriptors": system.union(["CPlatform"]),
        "PeerTransport": system.union([
            "SessionCRDT", "SyncProtocol", "Descriptors", "COpenSSL", "CPlatform",
        ]),
        "ControlSocket": system.union(["JSONCoding", "SyncProtocol", "Descriptors", "CPlatform"]),
        "scoresyncd": system.union(modules),
        "scorectl": system.union(["SyncProtocol", "ScoreSheets", "ControlSocket", "CPlatform"]),
        "scoresync-board": system.union([
            "BoardSite", "SyncProtocol", "ControlSocket", "CPlatform", "CMicroHTTPD", "CQRencode",
            "CResources",
        ]),
        "CSQLite": [], "COpenSSL": [], "CPlatform": [], "CResources": [], "CMicroHTTPD": [],
        "CQRencode": [],
    ]

    /// The targets that may import anything.
    static let unrestricted: Set = ["SyncTestKit", "scoresync-bench"]

    /// The targets without clock, randomness, input and output.
    static let pure: Set = [
        "SessionCRDT", "JSONCoding", "ScoreSheets", "SyncProtocol", "SyncEngine", "BoardSite",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        file.lines(containing: "import ").compactMap { line in
            guard let module = module(in: SourceFile.code(of: file.lines[line - 1])) else {
                return nil
            }
            if module == "XCTest" {
                return file.violation(line, "tests use Swift Testing, not XCTest")
            }
            guard file.isSource, !unrestricted.contains(file.target) else { return nil }
            guard table[file.target]?.contains(module) != true else { return nil }
            return file.violation(line, "\(file.target) may not import \(module)")
        }
    }

    /// The module of an import declaration, such as `package import struct Glibc.stat`.
    private static func module(in code: Substring) -> String? {
        let words = code.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), let name = words.last,
            words[..<keyword].allSatisfy({ $0.hasPrefix("@") || access.contains($0) })
        else { return nil }
        return String(name.prefix { $0 != "." })
    }

    private static let access: Set<Substring> = ["package", "internal", "private", "fileprivate"]
}

/// The targets of `Package.swift`, as far as it can be read without running it: each call of
/// `module`, `tests`, `.target`, `.executableTarget` or `.systemLibrary`.
struct Manifest {
    struct Target: Hashable {
        let name: String
        let dependencies: [String]
        /// The first two parts of its path.
        let folder: String
        let line: Int
    }

    let targets: [Target]

    init(_ text: String) {
        let lines = text.lineList
        targets = lines.indices.compactMap { index in
            let start = lines[index].drop { $0 == " " }
            let calls = ["module(", "tests(", ".target(", ".executableTarget(", ".systemLibrary("]
            guard let call = calls.first(where: { start.hasPrefix($0) }) else { return nil }
            let others = lines[(index + 1)...].prefix { !$0.hasPrefix("        )") }
            let source = start.dropFirst(call.count) + others.joined(separator: " ")
            // Functions that declare targets pass a parameter in place of a literal.
            let name = source.drop { $0 == " " }
            guard name.hasPrefix("\"") || name.hasPrefix("name: \"") else { return nil }
            let head = source.prefix { $0 != "[" }
            let hasDependencies = call != ".systemLibrary(" && !head.contains(")")
            let list = source.drop { $0 != "[" }.prefix { $0 != "]" }
            let literals = Manifest.literals(in: source[...])
            let path = source.firstRange(of: "path: ").flatMap {
                Manifest.literals(in: source[$0.upperBound...]).first
            }
            let usual = "\(call == "tests(" ? "Tests" : "Sources")/\(literals[0])"
            return Target(
                name: literals[0],
                dependencies: hasDependencies ? Manifest.literals(in: list) : [],
                folder: (path ?? usual).split(separator: "/").prefix(2).joined(separator: "/"),
                line: index + 1
            )
        }
    }

    private static func literals(in source: Substring) -> [String] {
        source.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The differences between the manifest and the import table, or the folders that exist.
    func violations(folders: Set<String>) -> [Violation] {
        func violation(_ line: Int, _ message: String) -> Violation {
            Violation(file: "Package.swift", line: line, message: message)
        }
        let unknown = folders.subtracting(targets.map(\.folder)).sorted()
        return unknown.map { violation(1, "\($0) is no target") }
            + targets.flatMap { target in
                let missing =
                    folders.contains(target.folder) ? [] : ["\(target.name) has no folder"]
                let isFree = ImportRule.unrestricted.contains(target.name)
                let allowed = ImportRule.table[target.name]
                let isListed = isFree || target.folder.hasPrefix("Tests/") || allowed != nil
                let foreign = target.dependencies.filter { allowed?.contains($0) == false }
                return
                    (missing + (isListed ? [] : ["\(target.name) is not in the import table"])
                    + foreign.map { "\(target.name) may not depend on \($0)" })
                    .map { violation(target.line, $0) }
            }
    }
}
