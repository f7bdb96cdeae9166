private import CResources
package import SessionCRDT

/// The sheets that a device can play by.
package struct SheetLibrary: Hashable, Sendable {
    /// The sheets by id.
    package let sheets: [Sheet]

    /// The sheets that every device has.
    package static let builtIn = SheetLibrary(BuiltInSheet.all.map(\.sheet))

    /// The library of these sheets; of two with the same id the later one stays.
    package init(_ sheets: [Sheet]) {
        var byID: [Symbol: Sheet] = [:]
        for sheet in sheets { byID[sheet.id] = sheet }
        self.sheets = byID.values.sorted { $0.id < $1.id }
    }

    /// This library and more sheets, which go before those of the same id.
    package func adding(_ more: [Sheet]) -> SheetLibrary { SheetLibrary(sheets + more) }

    /// The sheet with this id.
    package subscript(id: Symbol) -> Sheet? { sheets.first { $0.id == id } }

    /// The sheet that somebody means by a name, which may be shortened.
    package func sheet(named text: String) throws(SheetError) -> Sheet {
        switch Match(text, among: sheets, \.id.description, \.name) {
        case .one(let sheet): return sheet
        case .none: throw .unknownGame(text, candidates: sheets.map(\.id))
        case .many(let sheets): throw .ambiguousGame(text, candidates: sheets.map(\.id))
        }
    }

    /// The sheet that a session is played by.
    ///
    /// A sheet that travels in the session goes first, if it is the one of the game: all devices
    /// have it, whatever else is installed on them.
    package func sheet(of header: SessionHeader) throws(SheetError) -> Sheet {
        guard let game = header.game else { throw .noGame }
        if let json = header.sheet {
            let travelling = try Sheet(json: json)
            if travelling.id == game { return travelling }
        }
        guard let sheet = self[game] else {
            throw .unknownGame(game.description, candidates: sheets.map(\.id))
        }
        return sheet
    }
}

extension SheetLibrary {
    /// The sheet that a session is played by.
    package func sheet(of document: SessionDocument) throws(SheetError) -> Sheet {
        try sheet(of: document.header)
    }
}

extension SheetLibrary {
    /// The sheets in which each of the words stands, those first in whose names they all stand, and
    /// then by what else it took; each with where the words are that are not in its name.
    ///
    /// No word means nothing.
    package func search(_ words: [String]) -> [(sheet: Sheet, findings: [SheetFinding])] {
        guard !words.isEmpty else { return [] }
        let found = sheets.compactMap { sheet in
            SheetFinding.all(of: words, in: sheet).map { (sheet: sheet, findings: $0) }
        }
        // Sorting keeps no order of its own among equals.
        return SheetFinding.Place.allCases.flatMap { place in
            found.filter { ($0.findings.map(\.place).max() ?? .name) == place }
        }
    }
}

extension SheetLibrary {
    /// The JSON of a sheet that every device has, laid out for people; nil of others.
    package static func builtInSource(of id: Symbol) -> String? { file(id)?.json }

    /// A sheet that every device has, of which alone is read; nil of others.
    package static func builtIn(_ id: Symbol) -> Sheet? { file(id)?.sheet }

    /// Whether every device has a sheet of this id.
    package static func isBuiltIn(_ id: Symbol) -> Bool { file(id) != nil }

    private static func file(_ id: Symbol) -> BuiltInSheet? {
        BuiltInSheet.all.first { $0.id == id }
    }
}

/// A sheet that is part of the program: a file of `Games`, such as a user could write.
struct BuiltInSheet {
    private let file: ArraySlice<UInt8>

    /// Every sheet that every device has, in the order of their files.
    static let all: [BuiltInSheet] = {
        let games = resource_games()
        // The embedded bytes are never written and live as long as the program.
        return Array(UnsafeBufferPointer(start: games.bytes, count: games.length))
            .split(separator: 0)
            .map(BuiltInSheet.init)
    }()

    /// The id of the sheet, with which the file begins: it is known without reading the rest.
    var id: Symbol {
        let start = "{\n  \"id\": \"".utf8.count
        let bytes = file.dropFirst(start).prefix { $0 != UInt8(ascii: "\"") }
        guard let id = Symbol(String(decoding: bytes, as: UTF8.self)) else {
            preconditionFailure("a built-in sheet does not begin with its id")
        }
        return id
    }

    /// The text of the file.
    var json: String { String(decoding: file, as: UTF8.self) }

    /// The sheet; that the file is one is our own affair, and tested.
    var sheet: Sheet {
        do {
            return try Sheet(json: json)
        } catch {
            preconditionFailure("a built-in sheet is broken: \(error)")
        }
    }
}

/// Where a word that somebody looks for stands in a sheet.
package struct SheetFinding: Hashable, Sendable {
    /// The parts of a sheet that are searched, the most telling first.
    package enum Place: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Its id or its name.
        case name
        /// What it is, in a line.
        case summary
        /// The heading that it is listed under.
        case group
        /// The label of a row.
        case row
        /// How to enter scores.
        case help

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The part in which it stands.
    package let place: Place
    /// What stands there: all of a short text, some words around it of a long one.
    package let text: String

    /// Where the words stand that are not in the name of a sheet, each place once; nil where one of
    /// them stands nowhere.
    ///
    /// Case does not count, nor does an accent; a word may be a part of one, or several.
    static func all(of words: [String], in sheet: Sheet) -> [SheetFinding]? {
        let parts = parts(of: sheet)
        var findings: [SheetFinding] = []
        for word in words.map(Words.init) {
            let place = parts.lazy.compactMap { place, text in
                text.excerpt(around: word).map { SheetFinding(place: place, text: $0) }
            }.first
            guard let finding = place else { return nil }
            if finding.place != .name, !findings.contains(finding) { findings.append(finding) }
        }
        return findings
    }

    private static func parts(of sheet: Sheet) -> [(place: Place, text: Words)] {
        [(.name, Words(sheet.id.description)), (.name, Words(sheet.name))]
            + [(.summary, Words(sheet.summary))]
            + (sheet.group.map { [(.group, Words($0.heading))] } ?? [])
            + sheet.rows.map { (.row, Words($0.label)) }
            + [(.help, Words(sheet.help))]
    }
}

/// A text by its words, as it stands and as it is compared.
private struct Words {
    /// How many words are shown before and after what was looked for.
    private static let around = 5

    private let words: [Substring]
    private let folded: [String]
    private let whole: String

    init(_ text: String) {
        words = text.split { $0.isWhitespace }
        folded = words.map { Alphabet.folded(String($0)) }
        whole = folded.joined(separator: " ")
    }

    /// The words around what is looked for; nil where it is not there.
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
