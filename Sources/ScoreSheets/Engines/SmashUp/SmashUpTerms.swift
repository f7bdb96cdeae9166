import SessionCRDT

/// What an evening is played by and with whom, and what stands beside its turns: the points of
/// each, the Madness of each game, and the deal.
struct SmashUpTerms: TurnTerms {
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
            throw SmashUpRule.notATurnMark(value.words).violation
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
    func hold(in book: Book, after change: BookChange) -> Bool { true }

    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        SmashUpRule.notTheTurn(of: seat.map(name) ?? "nobody").violation
    }

    func flags(of book: Book) -> [Flag] {
        let crowd =
            sheet.violation(ofCrowd: present.count, in: book).map { [Flag(.game, $0)] } ?? []
        let twins = SmashUpTerms.twins(among: present.map { players[$0] })
        let names = twins.map { twin in
            Flag(.player(twin.id), SmashUpWording.sameName(twin.name).violation)
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
