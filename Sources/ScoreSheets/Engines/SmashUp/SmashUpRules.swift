package import SessionCRDT

/// The rules of Smash Up (Alderac Entertainment Group): deal, reveal, points up and down, fifteen
/// win at the end of a turn.
///
/// Every gain is a fact of its own in the row `points`, in a place of its turn that chance chose
/// (`TurnRounds`), and not a total that two devices could write over each other: gains that are
/// entered at once while apart both count. Turns are ended by marks in the row `turn` of whoever
/// moves, one number for each turn of the session. The deal and its reveal are one value each,
/// Madness is a number for each player and game. Which factions are dealt from stands in options
/// (`FactionChoice`).
///
/// `play replay` takes nothing back: it is a mark after which the next turn begins another game
/// with the same factions; a reset after the end is the same without the deal. So one `undo` takes
/// it back, and the games that were won stay in the statistics. Hidden factions are hidden from the
/// table only: every device has the deal, and who looks there spoils nothing but their own fun.
package struct SmashUpRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? {
        SmashUpRow.allCases.map { CodedRow(id: $0.id, kind: $0.kind) }
    }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package func game(of book: Book) -> any Game { SmashUpGame(self, book) }

    /// False: the rounds of gains are drawn at random.
    package func goesByRounds(_ book: Book) -> Bool { false }

    /// The factions that are dealt from, and the options of the sheet.
    package func isChoice(_ option: Symbol) -> Bool {
        sheet.option(option) != nil || sheet.factions.contains { $0.option == option }
    }
}

/// What an evening is played by and with whom, and what stands beside its turns: the points of
/// each, the Madness of each game, and the deal.
struct SmashUpSetup: TurnSetup {
    static let row = SmashUpRow.turn.id

    static let words = TurnWords(game: "game", turn: "turn", verb: "move", part: "game")

    let sheet: Sheet
    /// The sheet as its cells are read.
    let form: SheetForm
    /// Which factions are dealt from.
    let choice: FactionChoice
    /// What is shown of that before the deal.
    let sets: Panel
    /// What is shown of it then.
    let setsOfDeal: Panel
    /// The factions of the sheet and what they are called.
    let factions: [Symbol: String]
    /// How many can play.
    let allowed: Bounds
    /// How few can play, whatever is set.
    let fewest: Int64
    /// How many points win.
    let target: Int64
    /// Whether somebody finished the session.
    let isFinished: Bool
    let players: [Player]
    let seats: [PlayerID: Int]
    /// Who is at the table, by seat.
    let present: [Int]
    /// What was gained, by turn.
    var points = SmashUpNumbers(by: TurnRounds.turn)
    /// What was held, by game.
    var madness = SmashUpNumbers { $0 }
    /// The deal that counts.
    var deal: FactionDeal?
    /// Where that is written.
    var dealCell: Cell?
    /// Whether it was revealed.
    var isRevealed = false

    /// The deal that everybody may read.
    var shownDeal: Value? { isRevealed ? deal?.value : nil }

    static func move(of value: Value) throws(RuleViolation) -> TurnMark {
        guard let mark = TurnMark(value) else {
            throw RuleViolation("a turn takes end or replay, not \(value.words)")
        }
        return mark
    }

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book) {
        let settings = Settings(sheet, book)
        self.sheet = sheet
        form = SheetForm(sheet, settings, players: book.players.count(where: \.isPresent))
        choice = FactionChoice(sheet, book)
        let title = "Sets: " + FactionChoice.words(ofPool: choice.pool.count)
        let (lines, unused) = (choice.lines, choice.unused)
        let more = unused.isEmpty ? [] : ["not used: \(unused.list)"]
        sets = .text(title: title, lines: lines + more)
        setsOfDeal = .text(title: title, lines: lines)
        factions = Dictionary(uniqueKeysWithValues: sheet.factions.map { ($0.id, $0.name) })
        allowed = settings.players(of: sheet)
        fewest = sheet.seats.map(\.players.from).reduce(sheet.players.from, min)
        target = sheet.target.flatMap { settings($0) } ?? 15
        isFinished = book.isFinished
        players = book.players
        seats = book.players.seats
        present = book.players.indices.filter { book.players[$0].isPresent }
        points = SmashUpNumbers(numbers(in: .points, of: book), by: TurnRounds.turn)
        madness = SmashUpNumbers(numbers(in: .madness, of: book)) { $0 }
        readDeal(of: book)
    }

    /// Players, options and status begin another game.
    func isCurrent(in book: Book, after change: BookChange) -> Bool { true }

    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        RuleViolation("it is the turn of \(seat.map(name) ?? "nobody")")
    }

    func flags(of book: Book) -> [Flag] {
        let crowd = sheet.flags(ofCrowd: present.count, in: book)
        let twins = SmashUpSetup.twins(among: present.map { players[$0] })
        let names = twins.map { twin in
            Flag(.player(twin.id), SmashUpSetup.sameName(twin.name))
        }
        let factions = Set(sheet.factions.map { Flag.Subject.option($0.option) })
        let settings = form.settings.flags.filter { !factions.contains($0.subject) }
        return crowd + names + settings + choice.flags
    }

    /// The players whose name somebody before them has, whatever the case.
    static func twins(among players: [Player]) -> [Player] {
        var names: Set<String> = []
        return players.filter { !names.insert($0.name.lowercased()).inserted }
    }
}

/// Reasons that are thrown in several places.
extension SmashUpSetup {
    static let over = RuleViolation(
        "the game is over; play replay begins another with the same factions, undo takes the last "
            + "move back"
    )

    static let dealt = RuleViolation(
        "the factions are dealt; a reset takes the deal and the points back"
    )

    static let notADeal = RuleViolation(
        "this is no deal of two factions to each of these players"
    )

    static let otherDealRevealed = RuleViolation("this reveals a deal that does not count")

    static func turnNotBegun(_ turn: UInt32, now: UInt32) -> RuleViolation {
        RuleViolation("turn \(turn) has not begun: this is turn \(now)")
    }

    static func gameNotBegun(_ game: UInt32, now: Int) -> RuleViolation {
        RuleViolation(
            "game \(game) has not begun: this is game \(now); write: play madness NAME=5"
        )
    }

    static func sameName(_ name: String) -> RuleViolation {
        RuleViolation("two players are called \(name.quoted); rename one of them")
    }

    static func namedTwice(_ name: String) -> RuleViolation {
        RuleViolation("\(name) is there twice")
    }

    static func badNumber(_ text: String) -> RuleViolation {
        RuleViolation("\(text.quoted) is not a whole number from 0 to 999")
    }
}

/// The rows of a sheet of Smash Up.
enum SmashUpRow: String, Hashable, CaseIterable {
    /// What somebody gained or lost, a fact of its own each; the round tells the turn.
    case points
    /// The Madness cards that somebody held at the end of a game, a round for each game.
    case madness
    /// What ended each turn.
    case turn
    /// Who was dealt which factions: one value for the whole table.
    case deal
    /// The deal that was revealed.
    case reveal

    /// The id of the row.
    var id: Symbol {
        switch self {
        case .points: Symbol(known: "points")
        case .madness: Symbol(known: "madness")
        case .turn: Symbol(known: "turn")
        case .deal: Symbol(known: "deal")
        case .reveal: Symbol(known: "reveal")
        }
    }

    /// The row of an id; nil of other rows.
    init?(_ id: Symbol) { self.init(rawValue: id.description) }

    /// The row of a cell, whatever row a sheet has it in; refused where nothing in it can count.
    init(of cell: Cell) throws(RuleViolation) {
        guard let row = SmashUpRow(cell.row) else {
            throw .unknownRow(cell.row.description, candidates: SmashUpRow.allCases.map(\.id))
        }
        guard !row.kind.repeats || cell.round ?? 0 > 0 else { throw .roundMissing(row: row.id) }
        self = row
    }

    /// What the sheet must say that is entered there.
    var kind: RowKind {
        switch self {
        case .points, .madness: .rounds
        case .turn: .moves
        case .deal, .reveal: .text
        }
    }
}

/// What ends a turn.
enum TurnMark: Hashable {
    /// The turn is over: the points are looked at.
    case end(Setup)
    /// The game is over or given up: the next turn begins another one with the same factions.
    case replay

    /// By what the points are looked at.
    ///
    /// It is recorded, because players come, leave and come back and another target is agreed on,
    /// without anybody winning or not winning in hindsight.
    enum Setup: Hashable {
        /// So many points win, and these are at the table; at least one.
        case recorded(target: Int64, players: [PlayerID])
        /// The first versions recorded who had left, and no target: that of the moment holds.
        case without([PlayerID])
    }

    /// How many players are recorded, so that a mark is a text of less than 4 KiB.
    static let mostPlayers = 100

    /// The mark that a value says; nil where it says something else.
    init?(_ value: Value) {
        // By bytes: whatever is no mark has another text than the mark that is read.
        let words = (value.string ?? "").utf8.split(separator: UInt8(ascii: " "))
            .map(Substring.init)
        func players(after count: Int) -> [PlayerID] {
            words.dropFirst(count).compactMap { PlayerID($0) }
        }
        if words.first == "replay" {
            self = .replay
        } else if words.count > 4, words[1] == "at", let target = Int64(words[2]), target > 0 {
            self = .end(.recorded(target: target, players: players(after: 4)))
        } else {
            self = .end(.without(players(after: 2)))
        }
        // A mark has one text.
        guard value == self.value else { return nil }
    }

    /// The mark as it is recorded: `end at 15 with ID ID…` or `replay`; as the first versions wrote
    /// it, `end` or `end without ID ID…`.
    var value: Value {
        switch self {
        case .end(.recorded(let target, let players)):
            .text("end at \(target) with \(TurnMark.list(players))")
        case .end(.without(let absent)) where absent.isEmpty: .text("end")
        case .end(.without(let absent)): .text("end without \(TurnMark.list(absent))")
        case .replay: .text("replay")
        }
    }

    private static func list(_ players: [PlayerID]) -> String {
        players.map(\.description).joined(separator: " ")
    }
}

/// How the rounds of the row of points tell the turn: 4137 is the 138th place of turn 4.
///
/// Each turn has a thousand places, and a gain takes one of them by chance. So two devices that are
/// apart and enter a gain of the same player at once nearly always take two places, and both count;
/// where they take the same one, the sheet shows the conflict. The places below 1000 belong to
/// turn 1 too, so that a raw score without a round has somewhere to go.
enum TurnRounds {
    /// The last turn that there can be.
    static let lastTurn: UInt32 = 999

    private static let places: UInt32 = 1000

    /// The turn of a round.
    static func turn(of round: UInt32) -> UInt32 { max(1, round / places) }

    /// The rounds of a turn up to the last one, those of turn 1 without the ones below 1000.
    static func rounds(of turn: UInt32) -> ClosedRange<UInt32> {
        let first = min(turn, lastTurn) * places
        return first...first + places - 1
    }

    /// A round of the turn that is not taken, by chance; nil where all are.
    static func free(
        in turn: UInt32,
        using chance: inout any RandomNumberGenerator,
        isTaken: (UInt32) -> Bool
    ) -> UInt32? {
        let rounds = rounds(of: turn)
        // Of a thousand places a few are taken, so that the first few that chance says will do.
        for _ in 0..<8 {
            let round = UInt32.random(in: rounds, using: &chance)
            if !isTaken(round) { return round }
        }
        return rounds.filter { !isTaken($0) }.randomElement(using: &chance)
    }
}

/// A number that somebody entered: a gain of a turn, or what they hold at the end of a game.
struct SmashUpNumber: Sendable {
    /// Where it is written.
    let cell: Cell
    /// Whose it is, by seat.
    let player: Int
    /// The number.
    let number: Int64
    /// When it was written.
    let stamp: Stamp
}

/// Numbers of many turns or games, sorted by them, so that those of a few are found at once.
struct SmashUpNumbers: Sendable {
    /// Where a number stands: beside the others of the same turn or game.
    private struct Place: Comparable {
        let part: UInt32
        let player: Int
        let round: UInt32

        init(_ cell: Cell, of player: Int, by part: (UInt32) -> UInt32) {
            round = cell.round ?? 0
            self.part = part(round)
            self.player = player
        }

        init(before part: UInt32) {
            self.part = part
            player = 0
            round = 0
        }

        static func < (left: Place, right: Place) -> Bool {
            (left.part, left.player, left.round) < (right.part, right.player, right.round)
        }
    }

    private var numbers: SortedPieces<Place, SmashUpNumber>
    /// The turn or the game of a round.
    private let part: @Sendable (UInt32) -> UInt32

    /// These numbers, in any order, of turns or games that rounds tell like this.
    init(_ numbers: [SmashUpNumber] = [], by part: @escaping @Sendable (UInt32) -> UInt32) {
        self.part = part
        self.numbers = SortedPieces(
            numbers.map { (Place($0.cell, of: $0.player, by: part), $0) }
        )
    }

    /// Takes in what a cell of somebody says, nil of nothing that counts.
    mutating func take(_ number: SmashUpNumber?, in cell: Cell, of player: Int) {
        numbers[Place(cell, of: player, by: part)] = number
    }

    /// Those of these turns or games, in order.
    func of(_ parts: ClosedRange<UInt32>) -> [SmashUpNumber] {
        Array(
            numbers.values(from: Place(before: parts.lowerBound)).prefix {
                part($0.cell.round ?? 0) <= parts.upperBound
            }
        )
    }
}
