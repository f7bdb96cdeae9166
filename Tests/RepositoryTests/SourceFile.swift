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

/// A text file of the repository.
///
/// The rules read lines, not syntax: swift-format has already fixed the indentation, and a rule
/// that a line of text cannot decide is left to review. They search bytes and decode only the lines
/// that they find, since strings and regular expressions are slow in a debug build.
struct SourceFile: Sendable {
    /// The path, relative to the repository.
    let path: String
    /// The bytes, and a null.
    private let bytes: [CChar]
    /// The offset of each line, and that of the end of the file.
    private let starts: [Int]

    init(path: String, text: String) {
        self.path = path
        bytes = text.utf8.map { CChar(bitPattern: $0) } + [0]
        let ends = SourceFile.offsets(of: "\n", in: bytes).map { $0 + 1 }
        starts = [0] + ends + (ends.last == bytes.count - 1 ? [] : [bytes.count - 1])
    }

    var isSource: Bool { path.hasPrefix("Sources/") }

    /// The second folder of the path.
    var target: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    var lineCount: Int { starts.count - 1 }

    /// A line, counted from 1, without its line break.
    func line(_ number: Int) -> String {
        let line = bytes[starts[number - 1]..<starts[number]].lazy.map(UInt8.init(bitPattern:))
        return String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    func violation(_ line: Int, _ message: String) -> Violation {
        Violation(file: path, line: line, message: message)
    }

    func contains(_ part: String) -> Bool { !SourceFile.offsets(of: part, in: bytes).isEmpty }

    /// The numbers of the lines that contain a text.
    func lines(containing part: String) -> [Int] {
        var found: [Int] = []
        for offset in SourceFile.offsets(of: part, in: bytes) {
            var (low, high) = (0, starts.count)
            while low + 1 < high {
                let middle = (low + high) / 2
                if starts[middle] <= offset { low = middle } else { high = middle }
            }
            if found.last != low + 1 { found.append(low + 1) }
        }
        return found
    }

    /// The numbers of the lines whose code contains a text, as a word of its own if it begins with
    /// a letter.
    func codeLines(containing part: String) -> [Int] {
        lines(containing: part).filter { number in
            let code = SourceFile.code(of: line(number))
            return code.ranges(of: part).contains { range in
                guard part.first?.isLetter == true, let before = code[..<range.lowerBound].last
                else { return true }
                return !before.isLetter && !before.isNumber && before != "_" && before != "."
            }
        }
    }

    /// A line without its comment and without the contents of its string literals.
    static func code(of line: String) -> Substring {
        let code = line.replacing(#/"([^"\\]|\\.)*"/#, with: "\"\"")
        return code.firstRange(of: "//").map { code[..<$0.lowerBound] } ?? code[...]
    }

    /// The offsets of a text in null-terminated bytes.
    private static func offsets(of part: String, in bytes: [CChar]) -> [Int] {
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var found: [Int] = []
            var next = start
            while let hit = strstr(next, part) {
                found.append(UnsafePointer(hit) - start)
                next = UnsafePointer(hit) + part.utf8.count
            }
            return found
        }
    }
}

/// The files of this repository, found from where this one was compiled.
enum Repository {
    /// The folder that holds `Package.swift`.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = files(under: "Sources", ".swift")
    static let tests = files(under: "Tests", ".swift")
    static let cFiles = files(under: "Sources", ".c") + files(under: "Sources", ".h")
    static let pages =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map {
            SourceFile(path: $0, text: text(of: $0))
        } + files(under: "Documentation", ".md")

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

    private static func files(under folder: String, _ ending: String) -> [SourceFile] {
        paths(under: folder).filter { $0.hasSuffix(ending) }
            .map { SourceFile(path: $0, text: text(of: $0)) }
    }
}
