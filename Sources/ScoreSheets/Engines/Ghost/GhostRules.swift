package import SessionCRDT

/// The rules of Ghost.
///
/// Turn n is the cell (mover, `letter`, n), counted over all rounds. The device that enters a
/// letter judges it by its word list and records the verdict; every other device takes it from
/// there and needs no list. Whoever completes a word of the minimum length, or makes a beginning
/// that no such word has, loses the round and with it the only life, or at the table one of five.
/// While two have lives, whoever is on the left begins the next round; the last one in wins. So a
/// game has one winner, and counts as one win, however many play.
package struct GhostRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// The word list that a book chooses, by its name or its path.
    package func wordList(of book: Book) -> String {
        GhostTerms.chosenList(Settings(sheet, book))
    }

    /// What the first letter records.
    package var recordedOptions: Set<Symbol> { GhostTerms.recorded }

    /// A word list is one of some language.
    package func ground(of option: Symbol) -> Symbol? {
        option == GhostTerms.list ? GhostTerms.language : nil
    }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func sum(_ id: StaticString, _ label: String) -> Statistic {
            let name = Symbol(known: id)
            return Statistic(name, label, "\(outcomes.sum(of: name))")
        }
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(outcomes.count(where: \.isWin))"),
            sum("lost", "Rounds lost"),
            sum("completed", "Words completed"),
            sum("impossible", "Impossible beginnings"),
            sum("letters", "Letters entered"),
        ]
    }

    package func start(_ book: Book) -> any GameState { GhostGame(self, book) }
}

/// What a game of Ghost is played for, with and by whom.
///
/// The first letter records who plays, in their order around the table, so that a player who is
/// added while the game is under way plays in the next one, and nobody changes seats. Who of them
/// is there may change at any time: the turn passes over those who are away, and nothing that was
/// played depends on it.
struct GhostTerms: TurnTerms {
    /// What decides when a round is lost, and when a player is out.
    struct Stakes: Hashable {
        /// How many letters a word has at least that counts.
        let minimum: Int64
        /// Whether it takes five lost rounds until a player is out, and not one.
        let isTable: Bool
    }

    static let row = Symbol(known: "letter")

    static let words = TurnWords(game: "game", turn: "letter", verb: "play", part: "round")

    /// The option that records the name of the list and its fingerprint, `english 9c1f…`.
    ///
    /// They are one value: two devices that enter the first letter while apart record one list or
    /// the other, and never the name of one with the fingerprint of the other.
    static let opened = Symbol(known: "words")
    /// The option that records who plays, in their order around the table.
    static let circle = Symbol(known: "circle")
    /// The option that records the stakes, `4 simple`.
    ///
    /// Changed later, on a laptop that was away perhaps, they would judge letters anew and take
    /// back who has won.
    static let settled = Symbol(known: "terms")
    /// The options that nobody chooses.
    static let recorded: Set<Symbol> = [opened, circle, settled]

    static let language = Symbol(known: "language")
    static let list = Symbol(known: "list")
    private static let minimum = Symbol(known: "minimum")
    private static let variant = Symbol(known: "variant")

    let sheet: Sheet
    let players: [Player]
    let seats: [PlayerID: Int]
    /// Whether the first letter recorded who plays, and stands.
    let isRecorded: Bool
    /// What it is played for: as the first letter recorded it, else as it is chosen now.
    let stakes: Stakes
    /// The list that was chosen.
    let chosenList: String
    /// The list that the first letter was judged by, and its fingerprint; nil while there is none.
    let recordedList: (name: String, fingerprint: String)?

    private let settings: Settings
    private let chosen: Stakes

    /// How many rounds a player can lose before being out.
    var lives: Int { stakes.isTable ? 5 : 1 }

    /// Whether a lost round need not be the last.
    var hasRounds: Bool { stakes.isTable || players.count > 2 }

    /// The terms of a book, with the defaults where an option is missing or wrong.
    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        let settings = Settings(sheet, book)
        self.settings = settings
        (players, isRecorded) = GhostTerms.players(of: book, settings)
        seats = players.seats
        chosen = Stakes(
            minimum: settings.values[GhostTerms.minimum]?.integer ?? 4,
            isTable: settings.text(GhostTerms.variant) == "table"
        )
        let words = settings.text(GhostTerms.settled)?.split(separator: " ") ?? []
        let minimum = words.count == 2 ? words.first.flatMap { Int64($0) } : nil
        if isRecorded, let minimum {
            stakes = Stakes(minimum: minimum, isTable: words[1] == "table")
        } else {
            stakes = chosen
        }
        chosenList = GhostTerms.chosenList(settings)
        recordedList = settings.text(GhostTerms.opened).flatMap { list in
            // The name may be a path with spaces.
            list.lastIndex(of: " ").map { space in
                (String(list[..<space]), String(list[list.index(after: space)...]))
            }
        }
    }

    /// The list that is chosen, by its name or its path.
    static func chosenList(_ settings: Settings) -> String {
        settings.text(list) ?? settings.text(language) ?? "english"
    }

    static func move(of value: Value) -> GhostLetter? { GhostLetter(value) }

    /// Who plays: those who are recorded while their first letter stands, else all who are there or
    /// have entered a letter without `play`, in seat order.
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

    func hold(in book: Book, after change: BookChange) -> Bool {
        let now = GhostTerms.players(of: book, settings)
        return now.isRecorded == isRecorded && now.players.map(\.id) == players.map(\.id)
    }

    func flags(of book: Book) -> [Flag] {
        let count = book.players.count(where: \.isPresent)
        let crowd = sheet.violation(ofCrowd: count, in: book).map { [Flag(.game, $0)] } ?? []
        let late =
            (stakes.minimum == chosen.minimum ? [] : [GhostTerms.minimum])
            + (stakes.isTable == chosen.isTable ? [] : [GhostTerms.variant])
        return crowd + settings.flags
            + late.map { Flag(.option($0), GhostRule.begun(option: $0).violation) }
    }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        GhostRule.notPlaying(player?.name ?? "").violation
    }

    /// What the first letter records for the whole session.
    func record(_ lexicon: any Lexicon) -> [Symbol: Value] {
        let facts: [Symbol: Value] = [
            GhostTerms.opened: .text("\(lexicon.name) \(lexicon.fingerprint)"),
            GhostTerms.circle: .text(players.map(\.id.description).joined(separator: " ")),
            GhostTerms.settled: .text("\(stakes.minimum) \(stakes.isTable ? "table" : "simple")"),
        ]
        return facts.filter { sheet.option($0.key) != nil }
    }
}

extension Settings {
    /// The text of an option; nil of an empty one.
    fileprivate func text(_ name: Symbol) -> String? {
        values[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The rules of Ghost in words: why a letter is refused, or does not count.
package enum GhostRule: Hashable {
    /// The player is not one of those with whom the game began.
    case notPlaying(String)
    /// What stands there is no letter with its verdict.
    case unjudged
    /// The verdict is about a beginning that is not the one on the table.
    case otherBeginning(String, now: String)
    /// The verdict says that a word is complete which is too short to count as one.
    case tooShort(String, minimum: Int64)
    /// What was typed is not one letter.
    case notALetter(String)
    /// The option is no choice.
    case recorded(option: Symbol)
    /// The option was settled when the game began.
    case begun(option: Symbol)
    /// The list here is not the one that the game is played with.
    case otherList(String, fingerprint: String, wanted: String)

    /// The rule as what the caller throws or flags.
    var violation: RuleViolation { .game(.ghost(self)) }
}

extension GhostRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notPlaying(let name):
            "\(name) was not there when the game began, and can play in the next one"
        case .unjudged:
            "letters are entered with play, as in “play d”, so that the word list can judge them"
        case .otherBeginning(let entered, let now):
            "it made \(entered.shown), but the beginning is \(now.shown) now; "
                + "enter the letter again with play"
        case .tooShort(let word, let minimum):
            "\(word.shown) is shorter than the \(minimum) letters that a word needs here; "
                + "enter the letter again with play"
        case .notALetter(let found): "a turn is one letter from a to z, not \(found.quoted)"
        case .recorded(let option):
            "\(option) is recorded by the first letter; choose a word list with language or list"
        case .begun(let option):
            "the game has begun, and \(option) stays as it is; a new session can have another"
        case .otherList(let name, let fingerprint, let wanted):
            "this game is played with a word list \(name.quoted) that differs from the one here "
                + "(SHA-256 \(wanted.start) there, \(fingerprint.start) here): install the same "
                + "version of it, or let another device enter the letter"
        }
    }
}

extension String {
    /// A beginning as people are shown it: `DON`.
    fileprivate var shown: String { isEmpty ? "empty" : uppercased() }

    /// What is enough of a fingerprint to tell two apart.
    fileprivate var start: String { String(prefix(12)) }
}

/// What Ghost tells.
package enum GhostNote: Hashable, Sendable {
    /// Somebody lost a round by completing a word; where several rounds are played, with what
    /// that leaves.
    case completed(String, by: String, Stakes?)
    /// Somebody lost a round by a beginning that no word has, or none of so many letters.
    case noWord(beginning: String, by: String, minimum: Int64?, Stakes?)
    /// So few are left that the game cannot go on.
    case tooFewLeft

    /// What the loss of a round leaves.
    package enum Stakes: Hashable, Sendable {
        /// The loser is out.
        case out
        /// The loser has these letters of G-H-O-S-T, and is out with the last.
        case letters(String, isOut: Bool)
    }
}

extension GhostNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .completed(let word, let player, let stakes):
            "\(player) completed \(word.uppercased())" + GhostNote.words(stakes)
        case .noWord(let beginning, let player, let minimum, let stakes):
            (minimum.map { "no word of \($0) letters or more" } ?? "no word")
                + " begins with \(beginning.uppercased()), which \(player) made"
                + GhostNote.words(stakes)
        case .tooFewLeft:
            "fewer than two players are left: restore one to go on, or finish the session"
        }
    }

    private static func words(_ stakes: Stakes?) -> String {
        switch stakes {
        case nil: ""
        case .out: ": out"
        case .letters(let letters, let isOut): ": \(letters)" + (isOut ? ", and out" : "")
        }
    }
}
