import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The games that this device can begin, by what people call them and as clients see them.
struct GameCatalog {
    let shelf: SheetShelf

    /// The game that a text names.
    func sheet(named text: String) throws(ControlError) -> Sheet {
        if let id = Symbol(text), let sheet = shelf.sheet(id) { return sheet }
        let library = shelf.library
        do throws(SheetError) {
            return try library.sheet(named: text)
        } catch .unknownGame {
            let near = library.sheets.filter { $0.resembles(text) }
            guard near.count != 1 else { return near[0] }
            throw ControlError(
                .notFound,
                "there is no game “\(text)”; all are listed by: scorectl games",
                candidates: (near.isEmpty ? library.sheets : near).map(\.id.description)
            )
        } catch { throw ControlError(.notFound, "\(error)", candidates: error.candidates) }
    }

    /// All of them.
    var summaries: [GameSummary] { shelf.library.sheets.map(summary) }

    /// Those in which each of the words stands, and where.
    func search(_ words: [String]) -> [GameSummary] {
        shelf.library.search(words).map { sheet, findings in
            var summary = summary(of: sheet)
            summary.found = findings.map { GameFinding(place: $0.place.rawValue, text: $0.text) }
            return summary
        }
    }

    /// A game, as lists show it.
    func summary(of sheet: Sheet) -> GameSummary {
        GameSummary(sheet, isOwn: shelf.own[sheet.id]?.sheet == sheet)
    }

    /// A game with its sheet, which is laid out as it was written where it was written here.
    func reply(_ sheet: Sheet) throws(ControlError) -> GameReply {
        var sheet = sheet
        var source: String?
        // The one that a session carries is that of this device without its group.
        if let known = shelf.sheet(sheet.id), known.travelling == sheet.travelling {
            sheet = known
            source = shelf.own[sheet.id]?.source ?? SheetLibrary.builtInSource(of: sheet.id)
        }
        let text = if let source { source } else { try GameCatalog.canonicalText(of: sheet) }
        return GameReply(game: summary(of: sheet), sheet: text)
    }

    // MARK: What a session carries

    /// What a new session says about its game: which one it is, and its sheet, so that every
    /// device plays by the same.
    static func beginning(of sheet: Sheet) throws(ControlError) -> [Mutation] {
        [.game(sheet.id), .sheet(try canonicalText(of: sheet))]
    }

    /// The text of a sheet as sessions carry it.
    static func canonicalText(of sheet: Sheet) throws(ControlError) -> String {
        let text: String
        do { text = try sheet.travelling.json } catch { throw ControlError(.failed, "\(error)") }
        guard text.utf8.count <= Limits.sheetBytes else {
            throw ControlError(.failed, "\(SheetError.tooLong(text.utf8.count))")
        }
        return text
    }
}

extension Sheet {
    /// Whether somebody may mean this game by a text that is no beginning of its names: `duel`, or
    /// `7wonders` without what stands between the words.
    fileprivate func resembles(_ text: String) -> Bool {
        let wanted = Sheet.core(of: text)
        return wanted.count > 1
            && (Sheet.core(of: name) + "\n" + Sheet.core(of: id.description))
                .contains(wanted)
    }

    private static func core(of text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension GameSummary {
    /// A sheet, as lists show it.
    init(_ sheet: Sheet, isOwn: Bool) {
        let most = sheet.players.to
        self.init(
            id: sheet.id.description,
            name: sheet.name,
            version: sheet.version,
            summary: sheet.summary,
            group: sheet.group?.rawValue,
            players: PlayerCount(
                from: sheet.players.from,
                to: most == Bounds.all.to ? nil : most
            ),
            own: isOwn
        )
    }
}
