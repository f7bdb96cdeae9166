import SessionCRDT

/// The setup of a game in which everyone moves in turn; its first turn records the order of play
/// and the options.
struct OrderedSetup<Options: TurnOptions>: TurnSetup {
    let sheet: Sheet
    let settings: Settings
    /// The options of this game: as its first turn recorded them, else as they are chosen now.
    let options: Options
    /// The options of the next game.
    let chosen: Options
    /// The players in seat order, including removed ones.
    let players: [Player]
    let seats: [PlayerID: Int]
    let present: [Int]
    /// The recorded order; nil if there is none or its text is invalid.
    let recorded: TurnOrder?
    /// The order of play: the recorded one, else that of the seats.
    let order: TurnOrder
    /// Whether nothing is entered: a game that has not started uses the chosen options, even if an
    /// undone turn has recorded others.
    let isBlank: Bool
    /// The sides of which the players are the scorers; nil if every player is one.
    let partners: Sides?
    var hasPartners: Bool { partners != nil }

    static var row: Symbol { Options.row }
    static var words: TurnWords { Options.words }

    static func move(of value: Value) throws(RuleViolation) -> Options.Move {
        try Options.move(of: value)
    }

    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        players = book.players
        seats = book.players.seats
        present = book.players.indices.filter { book.players[$0].isPresent }
        let order = settings.values[TurnOrder.option]?.string.flatMap { text in
            TurnOrder(text) { Options(text: $0) != nil }
        }
        partners = book.partners
        recorded = book.partners.map { sides in order?.naming(sides.side) } ?? order
        isBlank = !book.hasEntries
        chosen = Options(settings)
        let past = isBlank ? nil : recorded?.options.flatMap { Options(text: $0) }
        options = past ?? chosen
        self.order = recorded ?? TurnOrder(OrderedSetup.participants(book, sheet))
    }

    /// Returns the players who are present or have a move.
    private static func participants(_ book: Book, _ sheet: Sheet) -> [PlayerID] {
        book.players.filter { player in
            player.isPresent
                || book.cells(of: player.id).contains {
                    (try? move(of: $0.value, in: $0.cell, by: sheet)) != nil
                }
        }
        .map(\.id)
    }

    func isCurrent(in book: Book, afterChangesIn cells: [Cell]) -> Bool {
        // Without a recorded order, it depends on which of the removed players have moved.
        let isOtherOrder =
            recorded == nil
            && cells.contains { book.player($0.player)?.isPresent == false }
        return !isOtherOrder && isBlank != book.hasEntries
    }

    func flags(of book: Book) -> [Flag] {
        var flags = settings.flags
        if settings.values[TurnOrder.option] ?? .null != .null, recorded == nil {
            flags.append(Flag(.option(TurnOrder.option), words.wrongOrder))
        }
        return flags + flagsOfLateOptions
    }

    private var flagsOfLateOptions: [Flag] {
        zip(Options.names, zip(options.values, chosen.values)).compactMap { option, values in
            guard values.0 != values.1, let name = Symbol(option) else { return nil }
            return Flag(.option(name), words.optionTooLate(recorded: values.0, chosen: values.1))
        }
    }
}

/// The state of a game in which everyone moves in turn, in a recorded order.
protocol OrderedTurnState: TurnState where Setup == OrderedSetup<Options> {
    associatedtype Options: TurnOptions

    var rotation: TurnRotation { get set }
}

extension OrderedTurnState {
    var mover: Int? { isOver ? nil : rotation.mover }

    mutating func prepare(for turn: UInt32, _ setup: Setup) {
        rotation.apply(setup.order, at: turn, setup.seats)
    }

    func adjusted(to setup: Setup, isPast: Bool) -> Self {
        guard !isOver else { return self }
        var next = self
        next.rotation = rotation.adjusted(to: setup.players, present: setup.present, isPast: isPast)
        return next
    }
}

extension TurnRecord where State: OrderedTurnState {
    /// The order that the next turn must record; nil if the recorded one still applies.
    var orderToRecord: TurnOrder? {
        guard !state.isOver else { return nil }
        var next = setup.order.setting(options: setup.options.text)
        let seats = state.rotation.seats
        if seats != recorded.rotation.seats {
            next = next.changing(at: openTurn, to: seats.map { setup.players[$0].id })
        }
        return next == setup.recorded ? nil : next
    }
}

/// The options of a game, which its first turn records.
protocol TurnOptions: Hashable, Sendable {
    associatedtype Move: Hashable, Sendable

    static var row: Symbol { get }
    static var words: TurnWords { get }

    /// The names of the options, which are fixed by the first turn.
    static var names: [String] { get }

    static func move(of value: Value) throws(RuleViolation) -> Move

    /// Reads settings; any of them may be missing or out of range.
    init(_ settings: Settings)

    /// The values of the options, in their order.
    var values: [String] { get }

    /// The values that are not recorded, because matches of earlier versions have none of these
    /// options.
    static var unrecorded: [String: String] { get }
}

extension TurnOptions {
    static var unrecorded: [String: String] { [:] }

    /// Parses the canonical form, as `text` returns it; nil for any other text.
    init?(text: some StringProtocol) {
        var values: [Symbol: Value] = [:]
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let name = Symbol(String(parts[0])) else { return nil }
            values[name] = Self.value(String(parts[1]), of: String(parts[0]))
        }
        self.init(Settings(values: values))
        // Rejects missing and invalid parts, and other spellings, so that each text has one
        // meaning.
        guard self.text.map({ $0 == text }) == true else { return nil }
    }

    /// `start=501 out=double in=straight legs=3 sets=1`; nil without options.
    var text: String? {
        guard !Self.names.isEmpty else { return nil }
        return zip(Self.names, values).filter { Self.unrecorded[$0] != $1 }
            .map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// Returns a recorded value; an option that is yes or no is not always recorded.
    private static func value(_ text: String, of option: String) -> Value {
        if unrecorded[option].map({ ["yes", "no"].contains($0) }) == true {
            return .boolean(text == "yes")
        }
        return Int64(text).map(Value.integer) ?? .text(text)
    }
}

/// The options of a game, and the order of play with the turn from which it applies.
///
/// It is recorded by the first turn, and again by the first turn after players came, left or
/// changed seats. If it were derived from the present seats and options, adding a player or
/// changing an option on a disconnected device would invalidate the turns before. It is one value,
/// so that if two disconnected devices both start the game, one of them decides both the options
/// and the order.
///
/// Its text is the options and `TURN ID ID…` for each stint, joined by `;`. Matches that were
/// started by the first versions have no options in it until their next turn, and games without
/// options never have.
struct TurnOrder: Hashable, Sendable, CustomStringConvertible {
    /// The text of the options; nil if it is not recorded.
    let options: String?
    /// The stints in the order of their first turns; the first stint starts with turn 1.
    let stints: [Stint]

    /// The option of the session that records it.
    static let option = Symbol(known: "order")

    /// The maximum length of the text in UTF-8, which is that of a value in a session.
    static let maxBytes = 4096

    /// The maximum number of players that a text of that length can name.
    static let maxPlayers = 100

    /// An order of play and the first turn to which it applies.
    struct Stint: Hashable, Sendable {
        let turn: UInt32
        /// The players in their order, each once; at least one.
        let players: [PlayerID]
    }

    /// Creates an order without recorded options, which applies from turn 1 on.
    init(_ players: [PlayerID]) {
        self.init(options: nil, stints: [Stint(turn: 1, players: players)])
    }

    private init(options: String?, stints: [Stint]) {
        (self.options, self.stints) = (options, stints)
    }

    init?(_ text: String, areOptions: (Substring) -> Bool) {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false)
        options = parts.first.flatMap { areOptions($0) ? String($0) : nil }
        if options != nil { parts.removeFirst() }
        var stints: [Stint] = []
        for part in parts {
            let words = part.split(separator: " ", omittingEmptySubsequences: false)
            let players = words.dropFirst().compactMap { PlayerID($0) }
            guard let turn = words.first.flatMap({ UInt32($0) }), !players.isEmpty,
                players.count == words.count - 1, Set(players).count == players.count,
                stints.last.map({ $0.turn < turn }) ?? (turn == 1)
            else { return nil }
            stints.append(Stint(turn: turn, players: players))
        }
        guard !stints.isEmpty else { return nil }
        self.stints = stints
    }

    /// Returns the order with another order of play from a turn on.
    func changing(at turn: UInt32, to players: [PlayerID]) -> TurnOrder {
        let before = stints.filter { $0.turn < turn }
        return TurnOrder(options: options, stints: before + [Stint(turn: turn, players: players)])
    }

    /// Returns the order with other names of its players, of which equal ones count once.
    func naming(_ name: (PlayerID) -> PlayerID) -> TurnOrder {
        let stints = stints.map { stint in
            var seen: Set<PlayerID> = []
            let players = stint.players.map(name).filter { seen.insert($0).inserted }
            return Stint(turn: stint.turn, players: players)
        }
        return TurnOrder(options: options, stints: stints)
    }

    func setting(options: String?) -> TurnOrder { TurnOrder(options: options, stints: stints) }

    var description: String {
        let stints = stints.map { stint in
            (["\(stint.turn)"] + stint.players.map(\.description)).joined(separator: " ")
        }
        return ((options.map { [$0] } ?? []) + stints).joined(separator: ";")
    }
}

/// The order of play and the player to move in it.
struct TurnRotation: Hashable, Sendable {
    /// The seats in the order of play.
    private(set) var seats: [Int] = []

    /// The index of the player to move.
    private var position = 0
    /// The index of the player who makes the first move of a round.
    private var start = 0
    /// The seat that moved last since the round started.
    private var last: Int?
    /// The order since the round started, including players who have left since.
    private var circle: [Int] = []
    /// The number of stints of the recorded order that were applied.
    private var stints = 0

    /// The seat that moves next; nil if there is none.
    var mover: Int? { seats.indices.contains(position) ? seats[position] : nil }

    /// Changes the order if a stint starts with the open turn.
    mutating func apply(_ order: TurnOrder, at turn: UInt32, _ seats: [PlayerID: Int]) {
        guard stints < order.stints.count, order.stints[stints].turn == turn else { return }
        reorder(to: order.stints[stints].players.compactMap { seats[$0] })
        stints += 1
    }

    /// Passes the turn on to the next seat that can move, if there is any.
    mutating func pass(toWhom canMove: (Int) -> Bool = { _ in true }) {
        last = mover
        for _ in seats {
            position = (position + 1) % seats.count
            if canMove(seats[position]) { return }
        }
    }

    /// Starts a round with the seat at this index, which wraps around.
    mutating func restart(from index: Int) {
        start = index
        last = nil
        circle = seats
        position = starter
    }

    private var starter: Int { seats.isEmpty ? 0 : start % seats.count }

    /// Continues in another order, starting with the player after the one who moved last.
    private mutating func reorder(to players: [Int]) {
        let before = circle
        seats = players
        guard let last else {
            circle = players
            position = starter
            return
        }
        circle = TurnRotation.merging(before, into: players)
        if let index = players.firstIndex(of: last) {
            position = (index + 1) % players.count
        } else {
            let start = before.firstIndex(of: last).map { $0 + 1 } ?? 0
            let indices = Dictionary(players.enumerated().map { ($1, $0) }) { first, _ in first }
            let following = before[start...] + before[..<start]
            position = following.lazy.compactMap { indices[$0] }.first ?? 0
        }
    }

    /// Returns the rotation among the players who are present now.
    ///
    /// Players who were in the order since the round started keep their place in it, also after
    /// they come back; another order of the seats holds from the next round on. Newcomers move at
    /// once, each after the player who sits before them. If a past turn was cleared, it still
    /// belongs to the player who moved then.
    func adjusted(to players: [Player], present: [Int], isPast: Bool) -> TurnRotation {
        if isPast, let mover, players[mover].isPresent { return self }
        let staying = circle.filter { players[$0].isPresent }
        let order = last == nil ? present : TurnRotation.merging(present, into: staying)
        guard order != seats else { return self }
        var rotation = self
        rotation.reorder(to: order)
        return rotation
    }

    /// Returns the circle with the missing seats of an order inserted, each after its predecessor
    /// in that order.
    private static func merging(_ order: [Int], into circle: [Int]) -> [Int] {
        let members = Set(circle)
        guard let start = order.firstIndex(where: members.contains) else { return circle + order }
        // If both start with the same seat, seats before it come first in both.
        let isSameStart = order[start] == circle.first
        var anchor = order[start]
        var following: [Int: [Int]] = [:]
        for seat in order[start...] + (isSameStart ? [] : order[..<start]) {
            if members.contains(seat) {
                anchor = seat
            } else {
                following[anchor, default: []].append(seat)
            }
        }
        return (isSameStart ? Array(order[..<start]) : [])
            + circle.flatMap { [$0] + (following[$0] ?? []) }
    }
}

extension Settings {
    fileprivate init(values: [Symbol: Value]) { (self.values, flags) = (values, []) }

    /// Returns the number of an option, clamped to a range; nil if it is off.
    func number(_ name: StaticString, within range: ClosedRange<Int>) -> Int? {
        values[Symbol(known: name)]?.integer.map {
            min(max(Int(clamping: $0), range.lowerBound), range.upperBound)
        }
    }

    /// Returns the case that an option chooses; nil if it chooses none.
    func choice<Choice: RawRepresentable<String>>(_ name: StaticString) -> Choice? {
        values[Symbol(known: name)]?.string.flatMap(Choice.init)
    }
}

extension Array where Element == Player {
    var seats: [PlayerID: Int] { Dictionary(zip(map(\.id), 0...)) { first, _ in first } }
}

extension Array where Element == Int {
    /// Returns the first of these sorted seats from a seat on, around the table.
    func next(from seat: Int) -> Int? {
        let index = partitioningIndex { $0 >= seat }
        return index < count ? self[index] : first
    }
}
