import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The sheets on this device: the built-in ones, those that the user added, and a cache of those in
/// sessions, each of which is parsed once.
@EventLoop
final class UserSheets {
    /// The maximum number of games that a user can add.
    static let maxOwnGames = 200
    private static let maxCached = 32

    private(set) var own: [Symbol: UserGame]
    /// The ids of the user's sheets that can no longer be read.
    private(set) var unreadable: Set<Symbol>
    /// The games that can be started on this device, parsed when they are first needed.
    private(set) lazy var library = SheetLibrary.builtIn.adding(own.values.map(\.sheet))
    /// The cached sheets of sessions, the one parsed last at the end.
    private var cache: [(game: Symbol?, text: String?, result: Result<Sheet, SheetError>)] = []

    init(_ own: [UserGame] = [], unreadable: [Symbol] = []) {
        self.own = Dictionary(own.map { ($0.sheet.id, $0) }) { _, last in last }
        self.unreadable = Set(unreadable)
    }

    /// Returns the sheet by which a session is played: the one in the session, else one of the
    /// library.
    func sheet(of header: SessionHeader) throws(SheetError) -> Sheet {
        let known = cache.last { known in
            known.game == header.game && UserSheets.isSame(known.text, header.sheet)
        }
        if let known { return try known.result.get() }
        let result = result(for: header)
        if cache.count >= UserSheets.maxCached { cache.removeFirst() }
        cache.append((header.game, header.sheet, result))
        return try result.get()
    }

    /// Whether two texts have the same bytes.
    ///
    /// Usually they share their storage, because entries are not copied; then a long text need not
    /// be compared at each write.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let isSame = left.utf8.withContiguousStorageIfAvailable { mine in
            right.utf8.withContiguousStorageIfAvailable { theirs in
                mine.count == theirs.count
                    && (mine.baseAddress == theirs.baseAddress || mine.elementsEqual(theirs))
            }
        }
        // A text without contiguous storage is treated as different and parsed again.
        return (isSame ?? false) ?? false
    }

    private func result(for header: SessionHeader) -> Result<Sheet, SheetError> {
        // The library is not needed if the session has a complete sheet.
        let carried = Result { () throws(SheetError) in try SheetLibrary([]).sheet(of: header) }
        guard case .failure(.unknownGame) = carried else { return carried }
        if let game = header.game, let sheet = sheet(game) { return .success(sheet) }
        return Result { () throws(SheetError) in try library.sheet(of: header) }
    }

    /// Returns the sheet with this id, without parsing any other: most users name a game by its id.
    func sheet(_ id: Symbol) -> Sheet? { own[id]?.sheet ?? SheetLibrary.builtIn(id) }

    func sheet(named text: String) throws(ControlError) -> Sheet {
        if let id = Symbol(text), let sheet = sheet(id) { return sheet }
        do throws(SheetError) { return try library.sheet(named: text) } catch .unknownGame {
            let near = library.sheets.filter { $0.resembles(text) }
            guard near.count != 1 else { return near[0] }
            throw .notFound(
                "there is no game “\(text)”",
                hint: "all are listed by: scorectl games",
                candidates: (near.isEmpty ? library.sheets : near).map(\.id.description)
            )
        } catch { throw .notFound("\(error)", candidates: error.candidates) }
    }

    /// Adds a game, in place of one with the same id.
    func add(_ game: UserGame) {
        own[game.sheet.id] = game
        unreadable.remove(game.sheet.id)
        rebuildLibrary()
    }

    func remove(_ id: Symbol) {
        own[id] = nil
        unreadable.remove(id)
        rebuildLibrary()
    }

    private func rebuildLibrary() {
        library = SheetLibrary.builtIn.adding(own.values.map(\.sheet))
        cache = []
    }

    func summary(of sheet: Sheet) -> GameSummary {
        let (from, to) = (sheet.players.from, sheet.players.to)
        return GameSummary(
            id: sheet.id.description,
            name: sheet.name,
            version: sheet.version,
            summary: sheet.summary,
            players: PlayerCount(from: from, to: to == Bounds.all.to ? nil : to)
        ).with {
            $0.group = sheet.group?.rawValue
            $0.own = own[sheet.id]?.sheet == sheet
        }
    }

    /// Returns the games that contain all of the words, with the places where they were found.
    func search(_ words: [String]) -> [GameSummary] {
        library.search(words).map { sheet, hits in
            var summary = summary(of: sheet)
            summary.found = hits.map { GameFinding(place: "\($0.part)", text: $0.text) }
            return summary
        }
    }

    /// Returns a game with its sheet; a game that the user added has the user's own formatting.
    func reply(_ sheet: Sheet) throws(ControlError) -> GameReply {
        // A session's sheet equals the one on this device except for its group.
        guard let known = self.sheet(sheet.id), known.forSessions == sheet.forSessions,
            let source = own[sheet.id]?.source ?? SheetLibrary.builtInSource(of: sheet.id)
        else {
            let text = try sheet.canonicalText()
            return GameReply(game: summary(of: sheet), sheet: text).explaining(sheet)
        }
        return GameReply(game: summary(of: known), sheet: source).explaining(sheet)
    }
}

extension GameReply {
    fileprivate func explaining(_ sheet: Sheet) -> GameReply {
        with {
            $0.rules = sheet.ruleSummary
            $0.rows = sheet.rows.map { row in
                RowExplanation(label: row.label, text: sheet.explanation(of: row))
            }
            $0.computer = sheet.rules.hasComputer
        }
    }
}

struct UserGame: Sendable {
    let sheet: Sheet
    /// The sheet as JSON, as the user wrote it.
    let source: String
}

extension Sheet {
    /// Returns the mutations that set the game and the sheet of a new session.
    func beginning() throws(ControlError) -> [Mutation] {
        [.game(id), .sheet(try canonicalText())]
    }

    /// Returns the JSON of the sheet that is stored in sessions.
    func canonicalText() throws(ControlError) -> String {
        let text: String
        do { text = try forSessions.json } catch { throw .failed("\(error)") }
        guard text.utf8.count <= SyncProtocol.Limits.sheetBytes else {
            throw .failed("\(SheetError.tooLong(text.utf8.count))")
        }
        return text
    }

    /// Whether a text that is not the beginning of a name may still mean this game: `duel`, or
    /// `7wonders` without the space.
    fileprivate func resembles(_ text: String) -> Bool {
        func core(_ text: String) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        let wanted = core(text)
        return wanted.count > 1
            && (core(name).contains(wanted) || core(id.description).contains(wanted))
    }
}
