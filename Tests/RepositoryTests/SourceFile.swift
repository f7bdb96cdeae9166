import Foundation

/// A line of the repository that breaks one of its rules.
struct Violation: Hashable, CustomStringConvertible {
    /// The file, relative to the repository.
    let file: String
    /// The line, counted from 1.
    let line: Int
    let message: String

    var description: String { "\(file):\(line): \(message)" }
}

/// A source file of the repository.
///
/// The rules read lines, not syntax: swift-format has already fixed the indentation, and a rule
/// that a line of text cannot decide is left to review.
struct SourceFile {
    /// The path, relative to the repository.
    let path: String
    let text: String
    let lines: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.lineList
    }

    var name: String { String(path.split(separator: "/").last ?? "") }

    var isSource: Bool { path.hasPrefix("Sources/") }

    /// The second folder of the path.
    var target: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    func violation(_ line: Int, _ message: String) -> Violation {
        Violation(file: path, line: line, message: message)
    }

    /// The numbers of the lines whose code contains a text that begins where no word goes on.
    func lines(containing part: String) -> [Int] {
        guard text.contains(part) else { return [] }
        return lines.indices.filter { index in
            guard lines[index].contains(part) else { return false }
            let code = SourceFile.code(of: lines[index])
            return code.ranges(of: part).contains { range in
                guard part.first?.isLetter == true, let before = code[..<range.lowerBound].last
                else { return true }
                return !before.isLetter && !before.isNumber && before != "_" && before != "."
            }
        }
        .map { $0 + 1 }
    }

    /// A line without its comment and without the contents of its string literals.
    static func code(of line: String) -> Substring {
        let code = line.replacing(#/"([^"\\]|\\.)*"/#, with: "\"\"")
        return code.firstRange(of: "//").map { code[..<$0.lowerBound] } ?? code[...]
    }
}

extension String {
    /// Its lines, also the empty ones.
    var lineList: [String] { components(separatedBy: "\n") }
}

/// The files of this repository, found from where this one was compiled.
enum Repository {
    /// The folder that holds `Package.swift`.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let swiftFiles = files(under: "Sources", [".swift"]) + files(under: "Tests", [".swift"])
    static let cFiles = files(under: "Sources", [".c", ".h"])

    static var sources: [SourceFile] { swiftFiles.filter(\.isSource) }
    static var tests: [SourceFile] { swiftFiles.filter { !$0.isSource } }

    /// The text of a file; empty if it cannot be read.
    static func text(of path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).standardized.path)
    }

    /// The paths of everything below a folder, sorted.
    static func paths(under folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (names?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
    }

    private static func files(under folder: String, _ endings: [String]) -> [SourceFile] {
        paths(under: folder).filter { path in endings.contains { path.hasSuffix($0) } }
            .map { SourceFile(path: $0, text: text(of: $0)) }
    }
}
