package import SessionCRDT

/// The rules of Ghost.
///
/// Turn n is the cell (mover, `letter`, n), counted over all rounds. The device that enters a
/// letter judges it by its word list and records the verdict, so that other devices need no list. A
/// player who completes a word of the minimum length, or makes a beginning of no such word, loses
/// the round and one life. A player has one life, or five in the table variant. While two players
/// have lives, the next player begins the next round; the last one with lives wins. So a game has
/// one winner and counts as one win.
package struct GhostRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(GhostSetup.row, .moves)] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package func wordList(of book: Book) -> String? {
        GhostSetup.chosenList(Settings(sheet, book))
    }

    package var recordedOptions: Set<Symbol> { GhostSetup.recorded }

    package func scope(of option: Symbol) -> Symbol? {
        option == GhostSetup.list ? GhostSetup.language : nil
    }

    package func game(ofScorers book: Book) -> any Game { GhostGame(self, book) }
}

/// The players, stakes and word list of a game of Ghost.
///
/// The first letter records the players in their order around the table, so that a player who is
/// added during the game plays in the next one, and no player changes seats. Players may be absent
/// for a while: their turns are skipped, and no past turn depends on it.
struct GhostSetup: TurnSetup {
    /// The conditions for losing a round and for being out.
    struct Stakes: Hashable {
        /// The minimum number of letters of a word that counts.
        let minimum: Int64
        /// Whether the table variant is played, in which a player is out after five lost rounds
        /// instead of one.
        let isTable: Bool
    }

    static let row = Symbol(known: "letter")
    static let words = TurnWords(game: "game", turn: "letter", verb: "play", part: "round")

    /// The option that records the name and the fingerprint of the word list, `english 9c1f…`.
    ///
    /// Both are in one value, so that two disconnected devices that enter the first letter never
    /// combine the name of one list with the fingerprint of the other.
    static let opened = Symbol(known: "words")
    /// The option that records the players, in their order around the table.
    static let circle = Symbol(known: "circle")
    /// The option that records the stakes, `4 simple`.
    ///
    /// If they could change later, for example on a disconnected device, letters would be judged
    /// again and a win could be lost.
    static let settled = Symbol(known: "terms")
    /// The options that the game records and players cannot choose.
    static let recorded: Set<Symbol> = [opened, circle, settled]
    static let language = Symbol(known: "language")
    static let list = Symbol(known: "list")
    private static let minimum = Symbol(known: "minimum")
    private static let variant = Symbol(known: "variant")

    let sheet: Sheet
    let players: [Player]
    let seats: [PlayerID: Int]
    /// Whether the first letter recorded the players, and still counts.
    let isRecorded: Bool
    /// The stakes as the first letter recorded them, else as they are chosen now.
    let stakes: Stakes
    let chosenList: String
    /// The list by which the first letter was judged, and its fingerprint; nil before it.
    let recordedList: (name: String, fingerprint: String)?
    private let settings: Settings
    private let chosen: Stakes

    /// The number of lost rounds after which a player is out.
    var lives: Int { stakes.isTable ? 5 : 1 }

    /// Whether the game can go on after a lost round.
    var hasRounds: Bool { stakes.isTable || players.count > 2 }

    /// Reads the setup of a book; defaults replace missing and invalid options.
    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        let settings = Settings(sheet, book)
        self.settings = settings
        (players, isRecorded) = GhostSetup.players(of: book, settings)
        seats = players.seats
        chosen = Stakes(
            minimum: settings.values[GhostSetup.minimum]?.integer ?? 4,
            isTable: settings.text(GhostSetup.variant) == "table"
        )
        let words = settings.text(GhostSetup.settled)?.split(separator: " ") ?? []
        let minimum = words.count == 2 ? words.first.flatMap { Int64($0) } : nil
        if isRecorded, let minimum {
            stakes = Stakes(minimum: minimum, isTable: words[1] == "table")
        } else {
            stakes = chosen
        }
        chosenList = GhostSetup.chosenList(settings)
        recordedList = settings.text(GhostSetup.opened).flatMap { list in
            // The name may be a path with spaces.
            list.lastIndex(of: " ").map { space in
                (String(list[..<space]), String(list[list.index(after: space)...]))
            }
        }
    }

    static func chosenList(_ settings: Settings) -> String {
        settings.text(list) ?? settings.text(language) ?? "english"
    }

    static func move(of value: Value) -> GhostLetter? { GhostLetter(value) }

    /// Returns the recorded players while their first letter counts, else all players who are
    /// present or have entered a letter without `play`, in seat order.
    private static func players(
        of book: Book,
        _ settings: Settings
    ) -> (players: [Player], isRecorded: Bool) {
        var seen: Set<PlayerID> = []
        let known = (settings.text(circle) ?? "").split(separator: " ")
            .compactMap { PlayerID($0) }
            .filter { seen.insert($0).inserted }.compactMap(book.player)
        let first = known.first.flatMap { book[Cell(player: $0.id, row: row, round: 1)] }
        if known.count > 1, let first, first.winner.value != .null { return (known, true) }
        let players = book.players.filter { player in
            player.isPresent
                || book.cells(of: player.id).contains { $0.cell.row == row && $0.value != .null }
        }
        return (players, false)
    }

    func isCurrent(in book: Book, afterChangesIn cells: [Cell]) -> Bool {
        let now = GhostSetup.players(of: book, settings)
        return now.isRecorded == isRecorded && now.players.map(\.id) == players.map(\.id)
    }

    func flags(of book: Book) -> [Flag] {
        let count = book.players.count(where: \.isPresent)
        let late =
            (stakes.minimum == chosen.minimum ? [] : [GhostSetup.minimum])
            + (stakes.isTable == chosen.isTable ? [] : [GhostSetup.variant])
        return sheet.flags(ofTooMany: count, in: book) + settings.flags
            + late.map { Flag(.option($0), GhostSetup.begun(option: $0)) }
    }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        RuleViolation(
            "\(player?.name ?? "") was not there when the game began, and can play in the next one"
        )
    }

    static func begun(option: Symbol) -> RuleViolation {
        RuleViolation(
            "the game has begun, and \(option) stays as it is; a new session can have another"
        )
    }

    func record(_ wordList: WordList) -> [Symbol: Value] {
        let facts: [Symbol: Value] = [
            GhostSetup.opened: .text("\(wordList.name) \(wordList.fingerprint)"),
            GhostSetup.circle: .text(players.map(\.id.description).joined(separator: " ")),
            GhostSetup.settled: .text("\(stakes.minimum) \(stakes.isTable ? "table" : "simple")"),
        ]
        return facts.filter { sheet.option($0.key) != nil }
    }
}

extension Settings {
    /// Returns the text of an option; nil if it is empty.
    fileprivate func text(_ name: Symbol) -> String? {
        values[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
