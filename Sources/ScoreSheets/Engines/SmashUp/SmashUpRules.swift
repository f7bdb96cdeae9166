package import SessionCRDT

/// The rules of Smash Up (Alderac Entertainment Group): deal, reveal, points up and down; fifteen
/// points win at the end of a turn.
///
/// Every gain is a separate entry in the row `points`, in a random round of its turn
/// (`TurnRounds`), and not a total that two devices could overwrite: gains entered at once on
/// disconnected devices both count. A turn ends with a mark in the row `turn` of the mover,
/// numbered over the session. The deal and its reveal are one value each, Madness is a number for
/// each player and game. The factions to deal are options (`FactionChoice`).
///
/// `play replay` clears nothing: it writes a mark after which the next turn starts another game
/// with the same factions; a reset after the end does the same without the deal. So one `undo`
/// reverts it, and won games stay in the statistics. A hidden deal is only hidden from display:
/// every device stores it.
package struct SmashUpRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { SmashUpRow.allCases.map { ($0.id, $0.kind) } }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package func game(ofScorers book: Book) -> any Game { SmashUpGame(self, book) }

    /// False: the rounds of gains are random.
    package func isPlayedInRounds(_ book: Book) -> Bool { false }

    package func isChoice(_ option: Symbol) -> Bool {
        sheet.option(option) != nil || sheet.factions.contains { $0.option == option }
    }
}

/// The players and options of a session, and its cells other than turns: the points of each turn,
/// the Madness of each game, and the deal.
struct SmashUpSetup: TurnSetup {
    static let row = SmashUpRow.turn.id
    static let words = TurnWords(game: "game", turn: "turn", verb: "move", part: "game")

    let sheet: Sheet
    let plan: SheetPlan
    let choice: FactionChoice
    let sets: Panel
    let setsOfDeal: Panel
    let factionNames: [Symbol: String]
    let allowed: Bounds
    /// The minimum number of players over all choices of options.
    let fewest: Int64
    let target: Int64
    let isFinished: Bool
    let players: [Player]
    let seats: [PlayerID: Int]
    let present: [Int]
    /// Gains by turn.
    var points = SmashUpNumbers(by: TurnRounds.turn)
    var madness = SmashUpNumbers { $0 }
    var deal: FactionDeal?
    var dealCell: Cell?
    var isRevealed = false

    var shownDeal: Value? { isRevealed ? deal?.value : nil }

    static func move(of value: Value) throws(RuleViolation) -> TurnMark {
        guard let mark = TurnMark(value) else {
            throw RuleViolation("a turn takes end or replay, not \(value.words)")
        }
        return mark
    }

    init(_ sheet: Sheet, _ book: Book) {
        let settings = Settings(sheet, book)
        self.sheet = sheet
        let people = book.players.filter(\.isPresent)
        plan = SheetPlan(sheet, settings, people: people, scorers: people)
        choice = FactionChoice(sheet, book)
        let title = "Sets: " + choice.poolWords
        let (lines, unused) = (choice.lines, choice.unused)
        let more = unused.isEmpty ? [] : ["not used: \(unused.list)"]
        sets = .text(title: title, lines: lines + more)
        setsOfDeal = .text(title: title, lines: lines)
        factionNames = Dictionary(uniqueKeysWithValues: sheet.factions.map { ($0.id, $0.name) })
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

    /// True: changes of players, options and status create another game anyway.
    func isCurrent(in book: Book, afterChangesIn cells: [Cell]) -> Bool { true }

    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        RuleViolation("it is \(seat.map(name) ?? "no player")'s turn")
    }

    func flags(of book: Book) -> [Flag] {
        let crowd = sheet.flags(ofTooMany: present.count, in: book)
        let twins = SmashUpSetup.twins(among: present.map { players[$0] })
        let names = twins.map { twin in
            Flag(.player(twin.id), SmashUpSetup.sameName(twin.name))
        }
        let factions = Set(sheet.factions.map { Flag.Subject.option($0.option) })
        let settings = plan.settings.flags.filter { !factions.contains($0.subject) }
        return crowd + names + settings + choice.flags
    }

    /// Returns the players whose name an earlier player has, ignoring case.
    static func twins(among players: [Player]) -> [Player] {
        var names: Set<String> = []
        return players.filter { !names.insert($0.name.lowercased()).inserted }
    }

    static let gameOver = RuleViolation(
        "the game is over",
        hint: "start another with the same factions with: scorectl play replay, or take the last "
            + "move back with: scorectl undo"
    )

    static let alreadyDealt = RuleViolation(
        "the factions are already dealt",
        hint: "to undo the deal and the points: scorectl reset"
    )

    static let notADeal = RuleViolation("not a deal of two factions to each of these players")
    static let otherDealRevealed = RuleViolation("this reveals a deal that does not count")

    static func turnNotBegun(_ turn: UInt32, now: UInt32) -> RuleViolation {
        RuleViolation("turn \(turn) has not begun: this is turn \(now)")
    }

    static func gameNotBegun(_ game: UInt32, now: Int) -> RuleViolation {
        RuleViolation(
            "game \(game) has not begun: this is game \(now)",
            hint: "enter the cards of this one with: scorectl play madness NAME=5"
        )
    }

    static func sameName(_ name: String) -> RuleViolation {
        RuleViolation("two players are called \(name.quoted); rename one of them")
    }

    static func badNumber(_ text: String) -> RuleViolation {
        RuleViolation("\(text.quoted) is not a whole number from 0 to 999")
    }
}

enum SmashUpRow: String, Hashable, CaseIterable {
    /// A gain or a loss, each in a round of its turn.
    case points
    /// The Madness cards of a player at the end of a game, whose number is the round.
    case madness
    case turn
    /// The deal: one value for the whole table.
    case deal
    case reveal

    var id: Symbol {
        switch self {
        case .points: Symbol(known: "points")
        case .madness: Symbol(known: "madness")
        case .turn: Symbol(known: "turn")
        case .deal: Symbol(known: "deal")
        case .reveal: Symbol(known: "reveal")
        }
    }

    init?(_ id: Symbol) { self.init(rawValue: id.description) }

    /// Returns the row of a cell; throws for cells that cannot count in any sheet.
    init(of cell: Cell) throws(RuleViolation) {
        guard let row = SmashUpRow(cell.row) else {
            throw .unknownRow(cell.row.description, candidates: SmashUpRow.allCases.map(\.id))
        }
        guard !row.kind.repeats || cell.round ?? 0 > 0 else { throw .roundMissing(row: row.id) }
        self = row
    }

    var kind: RowKind {
        switch self {
        case .points, .madness: .rounds
        case .turn: .moves
        case .deal, .reveal: .text
        }
    }
}

enum TurnMark: Hashable {
    case end(SmashUpRoster)
    /// The game is over or given up, and the next turn starts another one with the same factions.
    case replay

    /// The maximum number of recorded players, so that a mark is shorter than 4 KiB.
    static let mostPlayers = 100

    init?(_ value: Value) {
        // By bytes, which is faster; unusual texts fail the comparison below.
        let words = (value.string ?? "").utf8.split(separator: UInt8(ascii: " "))
            .map(Substring.init)
        func players(after count: Int) -> [PlayerID] {
            words.dropFirst(count).compactMap { PlayerID($0) }
        }
        if words.first == "replay" {
            self = .replay
        } else if words.count > 4, words[1] == "at", let target = Int64(words[2]), target > 0 {
            self = .end(SmashUpRoster(target: target, listed: players(after: 4)))
        } else {
            self = .end(SmashUpRoster(target: nil, listed: players(after: 2)))
        }
        // A mark has only one valid spelling.
        guard value == self.value else { return nil }
    }

    /// The recorded value: `end at 15 with ID ID…` or `replay`; in the first versions `end` or `end
    /// without ID ID…`.
    var value: Value {
        guard case .end(let roster) = self else { return .text("replay") }
        let list = roster.listed.map(\.description).joined(separator: " ")
        if let target = roster.target { return .text("end at \(target) with \(list)") }
        return .text(list.isEmpty ? "end" : "end without \(list)")
    }
}

/// The target and the players by which the end of a turn is judged.
///
/// They are recorded, so that players who come and leave, or a change of the target, do not change
/// past results.
struct SmashUpRoster: Hashable {
    /// The points that win; nil in marks of the first versions, to which the current target
    /// applies.
    let target: Int64?
    /// The players at the table or, without a target, the players who had left.
    let listed: [PlayerID]
    private let ids: Set<PlayerID>

    init(target: Int64?, listed: [PlayerID]) {
        (self.target, self.listed, ids) = (target, listed, Set(listed))
    }

    /// The players at the table; nil if only those who had left are known.
    var players: [PlayerID]? { target == nil ? nil : listed }

    /// Whether a player was at the table, as far as the mark records it.
    func counts(_ player: PlayerID) -> Bool { ids.contains(player) == (target != nil) }
}

/// The rounds of the row of points, which encode the turn: 4137 is slot 137 of turn 4.
///
/// Each turn has a thousand slots, and a gain uses a random one. So two disconnected devices that
/// enter a gain of the same player nearly always use different slots, and both gains count; if they
/// use the same one, the sheet shows a conflict. The slots below 1000 belong to turn 1 too, for
/// scores that are entered without a round.
enum TurnRounds {
    static let lastTurn: UInt32 = 999
    private static let places: UInt32 = 1000

    static func turn(of round: UInt32) -> UInt32 { max(1, round / places) }

    /// Returns the rounds of a turn; for turn 1 without those below 1000.
    static func rounds(of turn: UInt32) -> ClosedRange<UInt32> {
        let first = min(turn, lastTurn) * places
        return first...first + places - 1
    }

    static func free(
        in turn: UInt32,
        using chance: inout any RandomNumberGenerator,
        isTaken: (UInt32) -> Bool
    ) -> UInt32? {
        let rounds = rounds(of: turn)
        // Few of the thousand slots are used, so that a few attempts suffice.
        for _ in 0..<8 {
            let round = UInt32.random(in: rounds, using: &chance)
            if !isTaken(round) { return round }
        }
        return rounds.filter { !isTaken($0) }.randomElement(using: &chance)
    }
}

/// A gain of a turn, or the Madness cards of a game.
struct SmashUpNumber: Sendable {
    let cell: Cell
    let seat: Int
    let number: Int64
    let stamp: Stamp
}

/// Numbers sorted by turn or game for fast lookup.
struct SmashUpNumbers: Sendable {
    private struct Place: Comparable {
        let part: UInt32
        let seat: Int
        let round: UInt32

        static func < (left: Place, right: Place) -> Bool {
            (left.part, left.seat, left.round) < (right.part, right.seat, right.round)
        }
    }

    private struct Item: SortedElement {
        let place: Place
        let number: SmashUpNumber
    }

    private var items = SortedChunks<Item>()
    /// Returns the turn or game of a round.
    private let part: @Sendable (UInt32) -> UInt32

    init(_ numbers: [SmashUpNumber] = [], by part: @escaping @Sendable (UInt32) -> UInt32) {
        self.part = part
        items = SortedChunks(
            numbers.map { Item(place: place(of: $0.cell, $0.seat), number: $0) }
        )
    }

    private func place(of cell: Cell, _ seat: Int) -> Place {
        Place(part: part(cell.round ?? 0), seat: seat, round: cell.round ?? 0)
    }

    mutating func set(_ number: SmashUpNumber?, in cell: Cell, of seat: Int) {
        let place = place(of: cell, seat)
        items[place] = number.map { Item(place: place, number: $0) }
    }

    /// Returns the numbers of these turns or games, in order.
    func of(_ parts: ClosedRange<UInt32>) -> [SmashUpNumber] {
        let first = Place(part: parts.lowerBound, seat: 0, round: 0)
        return items.from(first).prefix { $0.place.part <= parts.upperBound }.map(\.number)
    }
}
