import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The sheets on this device: the built-in ones, those that the user added, and a cache of those
/// that sessions carry, each of which is read once.
@EventLoop
final class UserSheets {
    /// The maximum number of games that a user can add.
    static let maxOwnGames = 200
    private static let maxCached = 32

    private(set) var own: [Symbol: UserGame]
    /// The user's sheets that can no longer be read, by id.
    private(set) var unreadable: Set<Symbol>
    /// The games that this device can start, read when they are first needed.
    private(set) lazy var library = SheetLibrary.builtIn.adding(own.values.map(\.sheet))
    /// The sheets of sessions, the latest last.
    private var cache: [(game: Symbol?, text: String?, result: Result<Sheet, SheetError>)] = []

    init(_ own: [UserGame] = [], unreadable: [Symbol] = []) {
        self.own = Dictionary(own.map { ($0.sheet.id, $0) }) { _, last in last }
        self.unreadable = Set(unreadable)
    }

    /// Returns the sheet that a session is played by: its own, else one of the library.
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

    /// Whether two texts have the same bytes; usually they share one storage, because an entry is
    /// never copied, and a long one must not be compared at every write.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let isSame = left.utf8.withContiguousStorageIfAvailable { mine in
            right.utf8.withContiguousStorageIfAvailable { theirs in
                mine.count == theirs.count
                    && (mine.baseAddress == theirs.baseAddress || mine.elementsEqual(theirs))
            }
        }
        // A text without contiguous storage is simply read again.
        return (isSame ?? false) ?? false
    }

    private func result(for header: SessionHeader) -> Result<Sheet, SheetError> {
        // The library is not needed if the session carries a complete sheet.
        let carried = Result { () throws(SheetError) in try SheetLibrary([]).sheet(of: header) }
        guard case .failure(.unknownGame) = carried else { return carried }
        if let game = header.game, let sheet = sheet(game) { return .success(sheet) }
        return Result { () throws(SheetError) in try library.sheet(of: header) }
    }

    /// Returns the sheet with this id, reading no others: most users who name a game know its id.
    func sheet(_ id: Symbol) -> Sheet? { own[id]?.sheet ?? SheetLibrary.builtIn(id) }

    /// Returns the sheet of the game that a text names.
    func sheet(named text: String) throws(ControlError) -> Sheet {
        if let id = Symbol(text), let sheet = sheet(id) { return sheet }
        do throws(SheetError) { return try library.sheet(named: text) } catch .unknownGame {
            let near = library.sheets.filter { $0.resembles(text) }
            guard near.count != 1 else { return near[0] }
            throw ControlError(
                .notFound,
                "there is no game “\(text)”",
                hint: "all are listed by: scorectl games",
                candidates: (near.isEmpty ? library.sheets : near).map(\.id.description)
            )
        } catch { throw ControlError(.notFound, "\(error)", candidates: error.candidates) }
    }

    /// Adds a game, replacing the one with its id.
    func add(_ game: UserGame) {
        own[game.sheet.id] = game
        unreadable.remove(game.sheet.id)
        rebuildLibrary()
    }

    /// Removes a game of the user.
    func remove(_ id: Symbol) {
        own[id] = nil
        unreadable.remove(id)
        rebuildLibrary()
    }

    private func rebuildLibrary() {
        library = SheetLibrary.builtIn.adding(own.values.map(\.sheet))
        cache = []
    }

    // MARK: Clients

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

    /// Returns the games that contain each of the words, and the places of the matches.
    func search(_ words: [String]) -> [GameSummary] {
        library.search(words).map { sheet, hits in
            var summary = summary(of: sheet)
            summary.found = hits.map { GameFinding(place: "\($0.part)", text: $0.text) }
            return summary
        }
    }

    /// Returns a game with its sheet, in the user's layout if it was added here.
    func reply(_ sheet: Sheet) throws(ControlError) -> GameReply {
        // The sheet that a session carries equals that of this device without its group.
        guard let known = self.sheet(sheet.id), known.forSessions == sheet.forSessions,
            let source = own[sheet.id]?.source ?? SheetLibrary.builtInSource(of: sheet.id)
        else { return GameReply(game: summary(of: sheet), sheet: try sheet.canonicalText()) }
        return GameReply(game: summary(of: known), sheet: source)
    }
}

/// A game that the user added to this device.
struct UserGame: Sendable {
    let sheet: Sheet
    /// The JSON of the sheet as the user wrote it.
    let source: String
}

extension Sheet {
    /// Returns the mutations that give a new session its game and sheet, the same on every device.
    func beginning() throws(ControlError) -> [Mutation] {
        [.game(id), .sheet(try canonicalText())]
    }

    /// Returns the text of the sheet as sessions carry it.
    func canonicalText() throws(ControlError) -> String {
        let text: String
        do { text = try forSessions.json } catch { throw ControlError(.failed, "\(error)") }
        guard text.utf8.count <= SyncProtocol.Limits.sheetBytes else {
            throw ControlError(.failed, "\(SheetError.tooLong(text.utf8.count))")
        }
        return text
    }

    /// Whether a text that is no prefix of its names may mean this game: `duel`, or `7wonders`
    /// without the characters between the words.
    fileprivate func resembles(_ text: String) -> Bool {
        func core(_ text: String) -> String {
            String(text.lowercased().filter { $0.isLetter || $0.isNumber })
        }
        let wanted = core(text)
        return wanted.count > 1
            && (core(name).contains(wanted) || core(id.description).contains(wanted))
    }
}
