import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The games that this device can begin, by what people call them and as clients see them.
@EventLoop
struct GameCatalog {
    let userSheets: UserSheets

    /// The game that a text names.
    func sheet(named text: String) throws(ControlError) -> Sheet {
        if let id = Symbol(text), let sheet = userSheets.sheet(id) { return sheet }
        let library = userSheets.library
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
    var summaries: [GameSummary] { userSheets.library.sheets.map(summary) }

    /// Those in which each of the words stands, and where.
    func search(_ words: [String]) -> [GameSummary] {
        userSheets.library.search(words).map { sheet, hits in
            var summary = summary(of: sheet)
            summary.found = hits.map { GameFinding(place: "\($0.part)", text: $0.text) }
            return summary
        }
    }

    /// A game, as lists show it.
    func summary(of sheet: Sheet) -> GameSummary {
        GameSummary(sheet, isOwn: userSheets.own[sheet.id]?.sheet == sheet)
    }

    /// A game with its sheet, which is laid out as it was written where it was written here.
    func reply(_ sheet: Sheet) throws(ControlError) -> GameReply {
        var sheet = sheet
        var source: String?
        // The one that a session carries is that of this device without its group.
        if let known = userSheets.sheet(sheet.id), known.forSessions == sheet.forSessions {
            sheet = known
            source = userSheets.own[sheet.id]?.source ?? SheetLibrary.builtInSource(of: sheet.id)
        }
        let text = if let source { source } else { try GameCatalog.canonicalText(of: sheet) }
        return GameReply(game: summary(of: sheet), sheet: text)
    }

    // MARK: What a session carries

    /// The mutations that give a new session its game and its sheet, so that every
    /// device plays by the same.
    static func beginning(of sheet: Sheet) throws(ControlError) -> [Mutation] {
        [.game(sheet.id), .sheet(try canonicalText(of: sheet))]
    }

    /// The text of a sheet as sessions carry it.
    static func canonicalText(of sheet: Sheet) throws(ControlError) -> String {
        let text: String
        do { text = try sheet.forSessions.json } catch { throw ControlError(.failed, "\(error)") }
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
            players: PlayerCount(
                from: sheet.players.from,
                to: most == Bounds.all.to ? nil : most
            )
        )
        self.group = sheet.group?.rawValue
        self.own = isOwn
    }
}

/// The sheets at hand: owns those that the user added, beside those of every device, and remembers
/// those that sessions carry, each of which is read once.
@EventLoop
final class UserSheets {
    /// The most games that a user can add.
    static let mostOwnGames = 200
    private static let mostRemembered = 32

    private(set) var own: [Symbol: UserGame]
    /// Sheets of the user that cannot be read any more, by id.
    private(set) var unreadable: Set<Symbol>
    /// The games that this device can begin, read when they are first asked for.
    private(set) lazy var library = UserSheets.library(with: own)
    /// A cache of the sheets of sessions, the latest last.
    private var remembered: [Remembered] = []

    private struct Remembered {
        let game: Symbol?
        let text: String?
        let result: Result<Sheet, SheetError>
    }

    /// The userSheets with these games of the user, and some that cannot be read.
    init(_ own: [UserGame] = [], unreadable: [Symbol] = []) {
        self.own = [:]
        self.unreadable = Set(unreadable)
        for game in own { self.own[game.sheet.id] = game }
    }

    /// The sheet that a session is played by: the one that it carries, else one of the library.
    func sheet(of header: SessionHeader) throws(SheetError) -> Sheet {
        let known = remembered.last { known in
            known.game == header.game && UserSheets.isSame(known.text, header.sheet)
        }
        if let known { return try known.result.get() }
        let result = found(for: header)
        if remembered.count >= UserSheets.mostRemembered { remembered.removeFirst() }
        remembered.append(Remembered(game: header.game, text: header.sheet, result: result))
        return try result.get()
    }

    /// Whether two texts have the same bytes; mostly they are one text in one place, because an
    /// entry is never copied, and a long one must not be read through at every write.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let isSame = left.utf8.withContiguousStorageIfAvailable { mine in
            right.utf8.withContiguousStorageIfAvailable { theirs in
                mine.count == theirs.count
                    && (mine.baseAddress == theirs.baseAddress || mine.elementsEqual(theirs))
            }
        }
        // A text that is not in one piece is merely read again.
        return (isSame ?? false) ?? false
    }

    /// The sheet with this id, of which alone is read: most who name a game know what it is called.
    func sheet(_ id: Symbol) -> Sheet? { own[id]?.sheet ?? SheetLibrary.builtIn(id) }

    private func found(for header: SessionHeader) -> Result<Sheet, SheetError> {
        do throws(SheetError) {
            // The library is left alone while the session brings everything along.
            return .success(try SheetLibrary([]).sheet(of: header))
        } catch .unknownGame {
            if let game = header.game, let sheet = sheet(game) { return .success(sheet) }
            do throws(SheetError) {
                return .success(try library.sheet(of: header))
            } catch { return .failure(error) }
        } catch { return .failure(error) }
    }

    /// Takes a game in, in place of the one with its id.
    func add(_ game: UserGame) {
        own[game.sheet.id] = game
        unreadable.remove(game.sheet.id)
        ownHasChanged()
    }

    /// Takes a game of the user away.
    func remove(_ id: Symbol) {
        own[id] = nil
        unreadable.remove(id)
        ownHasChanged()
    }

    private func ownHasChanged() {
        library = UserSheets.library(with: own)
        remembered = []
    }

    private static func library(with own: [Symbol: UserGame]) -> SheetLibrary {
        SheetLibrary.builtIn.adding(own.values.map(\.sheet))
    }
}

/// A game that the user added to this device.
struct UserGame: Sendable {
    /// Its sheet.
    let sheet: Sheet
    /// The JSON of the sheet as the user wrote it.
    let source: String
}
