import ScoreSheets
import SessionCRDT

/// The sheets at hand: those of every device, those that the user added, and those that sessions
/// carry, each of which is read once.
struct SheetShelf {
    /// A game that the user added to this device.
    struct OwnGame: Sendable {
        /// Its sheet.
        let sheet: Sheet
        /// The JSON of the sheet as the user wrote it.
        let source: String
    }

    /// The most games that a user can add.
    static let mostOwnGames = 200
    /// How many sheets of sessions are remembered.
    private static let mostRemembered = 32

    /// What the user added, by id.
    private(set) var own: [Symbol: OwnGame]
    /// The games that this device can begin, read when they are first asked for.
    private(set) lazy var library = SheetShelf.library(with: own)
    /// What was read lately for sessions, the latest last.
    private var remembered: [Remembered] = []

    /// What a session says about its sheet, and what that comes to.
    private struct Remembered {
        let game: Symbol?
        let text: ExactText?
        let result: Result<Sheet, SheetError>
    }

    /// The shelf with these games of the user.
    init(_ own: [OwnGame] = []) {
        self.own = [:]
        for game in own { self.own[game.sheet.id] = game }
    }

    /// The sheet that a session is played by: the one that it carries, else one of the library.
    mutating func sheet(of document: SessionDocument) throws(SheetError) -> Sheet {
        let text = document.sheet.map(ExactText.init)
        if let known = remembered.last(where: { $0.game == document.game && $0.text == text }) {
            return try known.result.get()
        }
        let result = found(for: document)
        if remembered.count >= SheetShelf.mostRemembered { remembered.removeFirst() }
        remembered.append(Remembered(game: document.game, text: text, result: result))
        return try result.get()
    }

    private mutating func found(for document: SessionDocument) -> Result<Sheet, SheetError> {
        do throws(SheetError) {
            // The library is left alone while the session brings everything along.
            return .success(try SheetLibrary([]).sheet(of: document))
        } catch .unknownGame {
            do throws(SheetError) {
                return .success(try library.sheet(of: document))
            } catch { return .failure(error) }
        } catch { return .failure(error) }
    }

    /// Takes a game in, in place of the one with its id.
    mutating func add(_ game: OwnGame) {
        own[game.sheet.id] = game
        ownHasChanged()
    }

    /// Takes a game of the user away.
    mutating func remove(_ id: Symbol) {
        own[id] = nil
        ownHasChanged()
    }

    private mutating func ownHasChanged() {
        library = SheetShelf.library(with: own)
        remembered = []
    }

    private static func library(with own: [Symbol: OwnGame]) -> SheetLibrary {
        SheetLibrary.builtIn.adding(own.values.map(\.sheet))
    }
}
