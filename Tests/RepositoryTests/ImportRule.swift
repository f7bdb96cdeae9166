/// Which module may import which: the table of the design, and nothing else.
enum ImportRule {
    /// The modules of the C library, which only the targets that touch the system may see.
    static let platform: Set<String> = ["Glibc", "Darwin", "Musl"]

    private static let shell: Set<String> = platform.union(["Dispatch", "Synchronization"])
    private static let house: Set<String> = [
        "SessionCRDT", "JSONCoding", "ScoreSheets", "SyncProtocol", "SyncEngine", "SessionStore",
        "PeerTransport", "ControlSocket", "Descriptors", "CPlatform",
    ]

    /// What each target may import.
    ///
    /// A target that is not here is a test or a tool, and free.
    static let table: [String: Set<String>] = [
        "SessionCRDT": [],
        "JSONCoding": ["SessionCRDT"],
        "ScoreSheets": ["SessionCRDT", "JSONCoding", "CResources"],
        "SyncProtocol": ["SessionCRDT", "JSONCoding"],
        "SyncEngine": ["SessionCRDT", "SyncProtocol"],
        "BoardSite": ["SyncProtocol"],
        "SessionStore": shell.union(["SessionCRDT", "Descriptors", "CSQLite"]),
        "Descriptors": shell.union(["CPlatform"]),
        "PeerTransport": shell.union([
            "SessionCRDT", "SyncProtocol", "Descriptors", "COpenSSL", "CPlatform",
        ]),
        "ControlSocket": shell.union(["JSONCoding", "SyncProtocol", "Descriptors", "CPlatform"]),
        "scoresyncd": shell.union(house),
        "scorectl": shell.union([
            "SyncProtocol", "ScoreSheets", "ControlSocket", "CPlatform",
        ]),
        "scoresync-board": shell.union([
            "BoardSite", "SyncProtocol", "ControlSocket", "CPlatform", "CMicroHTTPD", "CQRencode",
            "CResources",
        ]),
        "CSQLite": [], "COpenSSL": [], "CPlatform": [], "CResources": [], "CMicroHTTPD": [],
        "CQRencode": [],
    ]

    /// The targets whose imports are their own affair.
    static let free: Set<String> = ["SyncTestKit", "scoresync-bench"]

    /// The targets without clock, randomness, input or output.
    static let pure: Set<String> = [
        "SessionCRDT", "JSONCoding", "ScoreSheets", "SyncProtocol", "SyncEngine", "BoardSite",
    ]

    /// The modules that a file imports, with the line of each.
    static func imports(of file: SourceFile) -> [(module: String, line: Int)] {
        file.places(of: ["import"]).compactMap { place in
            let kinds: Set<String> = [
                "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor",
            ]
            let words = file.tokens[(place + 1)...].prefix(2).map(\.text)
            guard let first = words.first, place == 0 || file.tokens[place - 1].text != "." else {
                return nil
            }
            let module = kinds.contains(first) ? words.last ?? first : first
            return (module, file.tokens[place].line)
        }
    }

    /// The imports that the table does not allow.
    static func violations(in file: SourceFile) -> [Violation] {
        imports(of: file).compactMap { module, line in
            if module == "XCTest" {
                return file.violation(line, "tests are written with Swift Testing, not XCTest")
            }
            guard file.isSource, !free.contains(file.target) else { return nil }
            guard let allowed = table[file.target] else {
                return file.violation(line, "the target \(file.target) is not in the import table")
            }
            guard !allowed.contains(module) else { return nil }
            let list = allowed.isEmpty ? "nothing" : allowed.sorted().joined(separator: ", ")
            return file.violation(line, "\(file.target) may import \(list), but not \(module)")
        }
    }
}
