import SessionCRDT

/// The options and the two sides of a game between two, such as a match or a rubber.
///
/// The first turn records both. From then on players who come, leave or change seats, on a
/// disconnected device for example, change no past turn. A turn may be in the cell of either side;
/// of two for the same turn the later entry counts.
struct SidedSetup<Options: TurnOptions>: TurnSetup {
    /// The recorded options and players.
    let base: OrderedSetup<Options>
    let isRecorded: Bool
    /// The seats of the sides: two, or fewer if there are fewer players.
    let sides: [Int]

    static var row: Symbol { Options.row }
    static var words: TurnWords { Options.words }

    static func move(of value: Value) throws(RuleViolation) -> Options.Move {
        try Options.move(of: value)
    }

    init(_ sheet: Sheet, _ book: Book) {
        let setup = OrderedSetup<Options>(sheet, book)
        base = setup
        let count = MatchSide.allCases.count
        func seats(_ order: TurnOrder?) -> [Int]? {
            order?.stints.first?.players.compactMap { setup.seats[$0] }
        }
        let recorded = setup.isBlank ? nil : seats(setup.recorded)
        isRecorded = recorded?.count == count
        // Turns entered by `score` record no players, and a player who has such turns may have left.
        let others = setup.recorded == nil ? seats(setup.order) : nil
        sides = isRecorded ? recorded ?? [] : Array((others ?? setup.present).prefix(count))
    }

    var sheet: Sheet { base.sheet }
    var players: [Player] { base.players }
    var seats: [PlayerID: Int] { base.seats }
    var options: Options { base.options }

    /// Returns the side of a seat; nil for players who only watch.
    func side(of seat: Int) -> MatchSide? {
        sides.firstIndex(of: seat).map { MatchSide.allCases[$0] }
    }

    func name(of side: MatchSide) -> String {
        sides.indices.contains(side.index) ? name(sides[side.index]) : ""
    }

    /// The reason why there is no game; nil if there are two sides.
    var tooFewPlayers: RuleViolation? {
        guard sides.count < MatchSide.allCases.count else { return nil }
        return .playerCount(base.present.count, allowed: Bounds(within: 2...2))
    }

    func isCurrent(in book: Book, afterChangesIn cells: [Cell]) -> Bool {
        base.isCurrent(in: book, afterChangesIn: cells)
    }

    func flags(of book: Book) -> [Flag] {
        base.flags(of: book)
            + (isRecorded ? [] : sheet.flags(ofTooMany: base.present.count, in: book))
    }

    func onlyWatches(_ name: String) -> RuleViolation {
        let players = sides.map(self.name).joined(separator: " and ")
        return RuleViolation("\(name) is not playing this game: the players are \(players)")
    }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        onlyWatches(player?.name ?? "the player")
    }

    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        RuleViolation(
            seat.map { "a later entry says that \(words.turn) \(turn) was \(name($0))'s" }
                ?? "\(words.turn) \(turn) belongs to neither side"
        )
    }

    /// Whether the next turn must record the sides and the options.
    var isUnrecorded: Bool {
        !isRecorded || options.text != nil && base.recorded?.options == nil
    }

    /// The sides and options, if the next turn must record them.
    var recordedByNextTurn: [Symbol: Value] {
        guard isUnrecorded else { return [:] }
        let order = TurnOrder(sides.map { players[$0].id }).setting(options: options.text)
        return order == base.recorded ? [:] : [TurnOrder.option: .text(order.description)]
    }

    /// Returns the side that words name, or whose member they name; nil if they name neither.
    func seat(named words: some Collection<String>) throws(RuleViolation) -> Int? {
        let text = words.joined(separator: " ")
        switch Match(text, among: sides, name) {
        case .one(let seat): return seat
        case .none:
            guard let partners = base.partners,
                case .one(let member) = Match(text, among: partners.everybody, \.name)
            else { return nil }
            return seats[partners.side(of: member.id)].flatMap { sides.contains($0) ? $0 : nil }
        case .many: throw RuleViolation("\(text.quoted) could be either side")
        }
    }

    /// Returns the reason why words do not name a side; `example` is what may follow a name.
    func unknownSide(
        _ words: some Collection<String>,
        asking: String,
        example: String = ""
    )
        -> RuleViolation
    {
        let names = sides.map(name)
        let text = words.joined(separator: " ")
        let hint = names.map { "scorectl play \($0)\(example)" }.joined(separator: ", or ")
        guard !text.isEmpty else { return RuleViolation(asking, hint: hint) }
        let watching = base.present.filter { side(of: $0) == nil }
        if case .one(let seat) = Match(text, among: watching, name) {
            return onlyWatches(name(seat))
        }
        return RuleViolation(
            "\(text.quoted) does not play this \(self.words.game); \(names.together) do",
            hint: hint
        )
    }
}

extension TurnGame {
    /// Returns the move of a score, its place, and the state before it; nil for an empty cell.
    ///
    /// Throws if it cannot be written there. The turn may have been the other side's until now: the
    /// later entry counts.
    func placing<Options>(
        _ score: Score,
        in book: Book
    ) throws(RuleViolation) -> (move: Options.Move, place: TurnRecord<State>.Place, before: State)?
    where State.Setup == SidedSetup<Options> {
        try rules.checkForm(score, in: book)
        guard let move = try State.Setup.move(of: score.value, in: score.cell, by: rules.sheet)
        else { return nil }
        guard let place = record.place(of: score.cell), place.turn <= record.openTurn,
            place.turn < record.openTurn || !state.isOver
        else { throw record.reasonAfterOpenTurn }
        let before = record.state(before: place.turn)
        _ = try before.result(of: move, by: place.seat, setup)
        return (move, place, before)
    }
}

/// A number for each of two sides.
package struct SideCount: Hashable, Sendable {
    private var first: Int
    private var second: Int

    package init(_ first: Int = 0, _ second: Int = 0) {
        (self.first, self.second) = (first, second)
    }

    package var sum: Int { first + second }

    package subscript(side: MatchSide) -> Int {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    /// Returns the lead of a side; negative if it is behind.
    package func lead(of side: MatchSide) -> Int { self[side] - self[side.other] }
}

/// One of the two sides of a game: a player, a pair or a team, under one name.
package enum MatchSide: String, Hashable, Sendable, CaseIterable {
    case first
    case second

    package var other: MatchSide { self == .first ? .second : .first }

    var index: Int { self == .first ? 0 : 1 }
}
