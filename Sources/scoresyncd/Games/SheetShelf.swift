import ScoreSheets
import SessionCRDT

/// The sheets at hand: owns those that the user added, beside those of every device, and remembers
/// those that sessions carry, each of which is read once.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class SheetShelf: @unchecked Sendable {
    /// The most games that a user can add.
    static let mostOwnGames = 200
    /// How many sheets of sessions are remembered.
    private static let mostRemembered = 32

    /// What the user added, by id.
    private(set) var own: [Symbol: OwnGame]
    /// What the user added and cannot be read any more, by id.
    private(set) var unreadable: Set<Symbol>
    /// The games that this device can begin, read when they are first asked for.
    private(set) lazy var library = SheetShelf.library(with: own)
    /// What was read lately for sessions, the latest last.
    private var remembered: [Remembered] = []

    /// What a session says about its sheet, and what that comes to.
    private struct Remembered {
        let game: Symbol?
        let text: String?
        let result: Result<Sheet, SheetError>
    }

    /// The shelf with these games of the user, and some that cannot be read.
    init(_ own: [OwnGame] = [], unreadable: [Symbol] = []) {
        self.own = [:]
        self.unreadable = Set(unreadable)
        for game in own { self.own[game.sheet.id] = game }
    }

    /// The sheet that a session is played by: the one that it carries, else one of the library.
    func sheet(of header: SessionHeader) throws(SheetError) -> Sheet {
        let known = remembered.last { known in
            known.game == header.game && SheetShelf.isSame(known.text, header.sheet)
        }
        if let known { return try known.result.get() }
        let result = found(for: header)
        if remembered.count >= SheetShelf.mostRemembered { remembered.removeFirst() }
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
    func add(_ game: OwnGame) {
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
        library = SheetShelf.library(with: own)
        remembered = []
    }

    private static func library(with own: [Symbol: OwnGame]) -> SheetLibrary {
        SheetLibrary.builtIn.adding(own.values.map(\.sheet))
    }
}
