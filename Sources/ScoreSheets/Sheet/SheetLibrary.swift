private import CResources
package import SessionCRDT

package struct SheetLibrary: Hashable, Sendable {
    /// The sheets in the order of their ids.
    package let sheets: [Sheet]

    package static let builtIn = SheetLibrary(BuiltInSheet.all.map(\.sheet))

    /// Creates a library; the later one of two sheets with the same id is used.
    package init(_ sheets: [Sheet]) {
        var byID: [Symbol: Sheet] = [:]
        for sheet in sheets { byID[sheet.id] = sheet }
        self.sheets = byID.values.sorted { $0.id < $1.id }
    }

    /// Returns the library with more sheets, which replace those with the same id.
    package func adding(_ more: [Sheet]) -> SheetLibrary { SheetLibrary(sheets + more) }

    package subscript(id: Symbol) -> Sheet? { sheets.first { $0.id == id } }

    /// Returns the sheet with this name, which may be shortened.
    package func sheet(named text: String) throws(SheetError) -> Sheet {
        switch Match(text, among: sheets, \.id.description, \.name) {
        case .one(let sheet): return sheet
        case .none: throw .unknownGame(text, candidates: sheets.map(\.id))
        case .many(let sheets): throw .ambiguousGame(text, candidates: sheets.map(\.id))
        }
    }

    /// Returns the sheet of a session.
    ///
    /// A sheet that the session carries has priority if it belongs to the game, because all devices
    /// have it, regardless of what is installed.
    package func sheet(of header: SessionHeader) throws(SheetError) -> Sheet {
        guard let game = header.game else { throw .noGame }
        if let json = header.sheet {
            let carried = try Sheet(json: json)
            if carried.id == game { return carried }
        }
        guard let sheet = self[game] else {
            throw .unknownGame(game.description, candidates: sheets.map(\.id))
        }
        return sheet
    }
}

package enum SheetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The JSON is not a sheet; the path is `rows[2].kind`, or empty for the whole.
    case unreadable(path: String, reason: String)
    /// The JSON is longer than `Sheet.maxBytes`; the value is its size in bytes.
    case tooLong(Int)
    case noGame
    case unknownGame(String, candidates: [Symbol])
    case ambiguousGame(String, candidates: [Symbol])

    package var candidates: [String] {
        switch self {
        case .unknownGame(_, let candidates), .ambiguousGame(_, let candidates):
            candidates.map(\.description)
        case .unreadable, .tooLong, .noGame: []
        }
    }

    package var description: String {
        switch self {
        case .unreadable("", let reason): "this is not a sheet: \(reason)"
        case .unreadable(let path, let reason): "this is not a sheet: \(path): \(reason)"
        case .tooLong(let bytes):
            "a sheet of \(bytes) bytes is too long: at most \(Sheet.maxBytes) bytes"
        case .noGame: "the session does not say which game it is yet"
        case .unknownGame(let name, _): "there is no game \(name.quoted)"
        case .ambiguousGame(let name, let candidates):
            "\(name.quoted) could be any of: \(candidates.list)"
        }
    }
}

extension SheetLibrary {
    /// Finds sheets that contain all words, grouped by their least relevant necessary part, names
    /// first; each with its hits outside of the name.
    ///
    /// Without words there are no results.
    package func search(_ words: [String]) -> [(sheet: Sheet, hits: [SearchHit])] {
        guard !words.isEmpty else { return [] }
        let found = sheets.compactMap { sheet in
            SearchHit.hits(of: words, in: sheet).map { (sheet: sheet, hits: $0) }
        }
        // Grouped instead of sorted, because `sort` is not documented to be stable.
        return SearchHit.Part.allCases.flatMap { part in
            found.filter { ($0.hits.map(\.part).max() ?? .name) == part }
        }
    }

    package static func builtInSource(of id: Symbol) -> String? { file(id)?.json }

    /// Parses one built-in sheet without the others; nil if there is none with this id.
    package static func builtIn(_ id: Symbol) -> Sheet? { file(id)?.sheet }

    package static func isBuiltIn(_ id: Symbol) -> Bool { file(id) != nil }

    private static func file(_ id: Symbol) -> BuiltInSheet? {
        BuiltInSheet.all.first { $0.id == id }
    }
}

/// A sheet that is part of the program: a file in `Games`, in the format of user sheets.
struct BuiltInSheet {
    private let file: ArraySlice<UInt8>

    static let all: [BuiltInSheet] = {
        let games = resource_games()
        // The embedded bytes are never written and live as long as the program.
        return Array(UnsafeBufferPointer(start: games.bytes, count: games.length))
            .split(separator: 0)
            .map(BuiltInSheet.init)
    }()

    /// The id, with which the file begins: known without parsing the rest.
    var id: Symbol {
        let start = "{\n  \"id\": \"".utf8.count
        let bytes = file.dropFirst(start).prefix { $0 != UInt8(ascii: "\"") }
        guard let id = Symbol(String(decoding: bytes, as: UTF8.self)) else {
            preconditionFailure("a built-in sheet does not begin with its id")
        }
        return id
    }

    var json: String { String(decoding: file, as: UTF8.self) }

    var sheet: Sheet {
        do {
            return try Sheet(json: json)
        } catch {
            preconditionFailure("a built-in sheet is broken: \(error)")
        }
    }
}

package struct SearchHit: Hashable, Sendable {
    /// The searched parts, the most relevant first.
    package enum Part: Comparable, CaseIterable, Sendable {
        case name
        case summary, group, row, help
    }

    package let part: Part
    /// A short text, or some words around the hit.
    package let text: String

    /// Returns the hits outside of the sheet's name, each once; nil if a word is missing.
    ///
    /// Ignores case and accents; a searched word may be part of a word in the sheet, or a phrase.
    static func hits(of words: [String], in sheet: Sheet) -> [SearchHit]? {
        let names = [sheet.id.description, sheet.name].map { (Part.name, Words($0)) }
        let heading = sheet.group.map { [(Part.group, Words($0.heading))] } ?? []
        let parts =
            names + [(.summary, Words(sheet.summary))] + heading
            + sheet.rows.map { (.row, Words($0.label)) } + [(.help, Words(sheet.help))]
        var hits: [SearchHit] = []
        for word in words.map(Words.init) {
            let found = parts.lazy.compactMap { part, text in
                text.excerpt(around: word).map { SearchHit(part: part, text: $0) }
            }
            guard let hit = found.first else { return nil }
            if hit.part != .name, !hits.contains(hit) { hits.append(hit) }
        }
        return hits
    }
}

/// A text as words, and folded for comparison.
private struct Words {
    private static let around = 5

    private let words: [Substring]
    private let folded: [String]
    private let whole: String

    init(_ text: String) {
        words = text.split { $0.isWhitespace }
        folded = words.map { Alphabet.folded(String($0)) }
        whole = folded.joined(separator: " ")
    }

    func excerpt(around wanted: Words) -> String? {
        guard !wanted.words.isEmpty, whole.contains(wanted.whole) else { return nil }
        let last = max(0, words.count - wanted.words.count)
        let start = (0...last).first { start in
            folded[start..<start + wanted.words.count].joined(separator: " ")
                .contains(wanted.whole)
        }
        guard let start else { return nil }
        let from = max(0, start - Self.around)
        let end = min(words.count, start + wanted.words.count + Self.around)
        return (from > 0 ? "… " : "") + words[from..<end].joined(separator: " ")
            + (end < words.count ? " …" : "")
    }
}
