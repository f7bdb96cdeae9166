internal import JSONCoding

/// The names of people in a file of another program: a list, a table of a spreadsheet, or an export
/// of the app BG Stats.
///
/// A table (RFC 4180, with commas, semicolons or tabs) has its names in the column `name` or
/// `player`, or without such a heading in the first one. An export of BG Stats is a JSON object
/// whose `players` have a `name`; anonymous ones are left out.
package enum NameFile {
    /// The maximum size of a file.
    package static let bytes = 16 << 20
    /// The maximum number of names, which is that of the people on a laptop.
    package static let names = 200

    private static let headings = ["name", "player"]

    /// Returns the names in the order of the file, each once regardless of case.
    package static func names(in content: [UInt8]) throws(NameFileError) -> [String] {
        guard content.count <= bytes else { throw .tooLarge }
        let content = Array(ByteOrderMark.dropped(from: content))
        guard !content.contains(0), String(validating: content, as: UTF8.self) != nil else {
            throw .notText
        }
        let first = content.first { !" \t\r\n".utf8.contains($0) }
        let found = first == UInt8(ascii: "{") ? try players(content) : column(content)
        var seen: Set<String> = []
        let names = found.map(trimmed).filter { name in
            !name.isEmpty && seen.insert(name.lowercased()).inserted
        }
        guard !names.isEmpty else { throw .noNames }
        guard names.count <= Self.names else { throw .tooMany(names.count) }
        return names
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) }
        return String(start[..<(end ?? start.startIndex)])
    }

    // MARK: BG Stats

    private static func players(_ content: [UInt8]) throws(NameFileError) -> [String] {
        let root: JSONValue
        do throws(JSONScanError) {
            root = try JSONText(content, numbers: .any).root
        } catch {
            throw .damaged("\(error)")
        }
        guard let players = root["players"], players.isArray else { throw .noNames }
        return players.elements.compactMap { player in
            player["isAnonymous"]?.boolean == true ? nil : player["name"]?.string
        }
    }

    // MARK: Tables

    private static func column(_ content: [UInt8]) -> [String] {
        var table = TableReader(content)
        guard let heading = table.next() else { return [] }
        let place = heading.firstIndex { headings.contains(trimmed($0).lowercased()) }
        var names: [String] = place == nil ? heading.prefix(1).map(unguarded) : []
        while let fields = table.next() {
            let index = place ?? 0
            if index < fields.count { names.append(unguarded(fields[index])) }
        }
        return names
    }

    /// Returns a field without the apostrophe by which exports keep spreadsheets from computing it.
    private static func unguarded(_ field: String) -> String {
        let guarded = field.utf8.dropFirst()
        guard field.utf8.first == UInt8(ascii: "'"), let next = guarded.first,
            "=+-@\t\r".utf8.contains(next)
        else { return field }
        return String(decoding: guarded, as: UTF8.self)
    }
}

/// The records of a table of a spreadsheet (RFC 4180), whose line breaks may be of any kind.
private struct TableReader {
    private let content: [UInt8]
    private let separator: UInt8
    private var offset = 0

    /// Reads valid UTF-8; the separator is the one that is most frequent in the first line.
    init(_ content: [UInt8]) {
        self.content = content
        let line = content.prefix { $0 != 0x0A && $0 != 0x0D }
        let candidates = Array(",;\t".utf8).map { sign in (sign, line.count { $0 == sign }) }
        separator = candidates.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? 0x2C
    }

    /// Returns the fields of the next record that is not an empty line; nil at the end.
    mutating func next() -> [String]? {
        while offset < content.count, content[offset] == 0x0A || content[offset] == 0x0D {
            offset += 1
        }
        guard offset < content.count else { return nil }
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        while offset < content.count {
            let byte = content[offset]
            offset += 1
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    field.append(byte)
                    continue
                }
                // A doubled quote stands for one.
                isQuoted = offset < content.count && content[offset] == byte
                if isQuoted {
                    field.append(byte)
                    offset += 1
                }
            } else if byte == UInt8(ascii: "\""), field.isEmpty {
                isQuoted = true
            } else if byte == separator {
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            } else if byte == 0x0A || byte == 0x0D {
                break
            } else {
                field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}

package enum NameFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    case notText
    case noNames
    case tooMany(Int)
    case damaged(String)

    package var description: String {
        switch self {
        case .tooLarge: "larger than \(NameFile.bytes >> 20) MiB"
        case .notText: "not a text in UTF-8; save a spreadsheet as CSV"
        case .noNames:
            "no names in it: neither a list, nor a column “name”, nor players of BG Stats"
        case .tooMany(let count):
            "\(count) names in it; a laptop remembers \(NameFile.names) people at most"
        case .damaged(let reason): "damaged: \(reason)"
        }
    }
}

/// The bytes by which spreadsheets and editors recognize UTF-8 in a file.
package enum ByteOrderMark {
    package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns what follows the mark, and everything if there is none.
    package static func dropped(from content: [UInt8]) -> ArraySlice<UInt8> {
        content.starts(with: bytes) ? content.dropFirst(bytes.count) : content[...]
    }
}
