import ScoreSheets
import SessionCRDT
import SyncTestKit

/// A session to which anything happens, and the scoreboard that is kept of it.
struct ScoreboardHistory {
    private(set) var board: Scoreboard
    /// The live entries, for the scoreboard from scratch.
    private(set) var live: [Key: LiveSet] = [:]
    private var garbage: Garbage
    private let sheets: [Sheet]

    /// The history of a seed, of a game that may turn into another one.
    init(seed: UInt64, _ sheet: Sheet, or other: Sheet) {
        garbage = Garbage(seed: seed, sheet)
        sheets = [sheet, other]
        board = Scoreboard([:], findingSheet: ScoreboardHistory.finder(sheets))
        write([(.session(Field.game), [.text("one")])])
        for number in 1...3 { add(UInt64(number)) }
    }

    /// Finds the sheet that a header names.
    private static func finder(_ sheets: [Sheet]) -> Scoreboard.SheetFinder {
        { (header: SessionHeader) throws(SheetError) in
            guard header.game != nil else { throw .noGame }
            return sheets[header.sheet == nil ? 0 : 1]
        }
    }

    /// The scoreboard of what is live, from scratch.
    var fromScratch: Scoreboard {
        Scoreboard(live, findingSheet: ScoreboardHistory.finder(sheets))
    }

    /// The scoreboard of what is live, taken in key by key, in another order and in other batches.
    mutating func inAnotherOrder() -> Scoreboard {
        let finder = ScoreboardHistory.finder(sheets)
        var other = Scoreboard([:], findingSheet: finder)
        var rest = live.sorted { $0.key < $1.key }.shuffled(using: &garbage.generator)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(1 + below(6))
            rest = rest.dropFirst(batch.count)
            let changes = batch.map { KeyChange(key: $0.key, before: nil, after: $0.value) }
            // Now and then in a copy, as a write that nobody has kept yet.
            if below(3) == 0 { _ = other.applying(changes, findingSheet: finder) }
            _ = other.apply(changes, findingSheet: finder)
        }
        return other
    }

    /// Lets something happen.
    ///
    /// - Returns: what the scoreboard says that it changed.
    mutating func step() -> ScoreboardChange {
        switch below(40) {
        case 0: return write([(.session(Field.title), [.text("Title \(below(3))")])])
        case 1: return write([(.device(DeviceID(high: 0, low: 1)), [.text("D\(below(3))")])])
        case 2:
            return write([(.session(Field.status), [.text(below(3) == 0 ? "finished" : "open")])])
        case 3: return option()
        case 4: return write([(.session(Field.sheet), [below(2) == 0 ? .null : .text("other")])])
        case 5: return write([(.session(Field.game), [below(8) == 0 ? .null : .text("one")])])
        case 6, 7: return add(UInt64(1 + below(7)))
        case 8: return write([(.membership(somebody()), booleans([false]))])
        case 9: return write([(.membership(somebody()), booleans([true, false]))])
        case 10:
            return write([(.player(somebody(), Field.name), [.text(["Ann", "Bob", ""][below(3)])])])
        case 11:
            return write([
                (.player(somebody(), Field.team), [[.null, .text("x"), .text("y")][below(3)]])
            ])
        case 12: return seats()
        case 13: return write([(Key("later/\(below(3))"), [.integer(1)])])
        case 14...22: return play()
        default: return scores()
        }
    }

    private mutating func scores() -> ScoreboardChange {
        var writes: [(Key, [Value])] = []
        for _ in 0...(below(3) == 0 ? below(4) : 0) {
            let cell = garbage.cell()
            let values = (0...(below(4) == 0 ? 2 : 0)).map { _ in garbage.value() }
            writes.append((.cell(cell), below(6) == 0 ? [.null] : values))
            if below(8) > 0 { writes.append((.membership(cell.player), [.boolean(true)])) }
        }
        return write(writes)
    }

    /// A move or a number that the game may take now, so that what is wrong stands beside a game.
    private mutating func play() -> ScoreboardChange {
        let numbers = ["60", "100", "1", "180", "0", "26"]
        let words = numbers + ["d3", "deal", "end", "a", "c4", "f5", "d6"]
        var aids = MoveContext(random: garbage.generator)
        let move = Move([words[below(words.count)]])
        if let played = try? board.game?.play(move, in: board.book, with: &aids) {
            let options = played.options.sorted { $0.key < $1.key }.compactMap { name, value in
                Field.option(name).map { (Key.session($0), [value]) }
            }
            return write(options + played.writes.map { (.cell($0.cell), [$0.value]) })
        }
        guard let sheet = try? board.sheet.get() else { return scores() }
        let player = somebody()
        let open = sheet.rows.filter { $0.lastRound != nil && $0.isNumeric }
        if let row = open.randomElement(using: &garbage.generator),
            let round = try? board.book.nextRound(of: row.id, for: player)
        {
            let cell = Cell(player: player, row: row.id, round: round)
            return write([
                (.cell(cell), [.integer(Int64(below(9)))]), (.membership(player), [.boolean(true)]),
            ])
        }
        return scores()
    }

    private mutating func option() -> ScoreboardChange {
        guard let sheet = try? board.sheet.get(),
            let option = sheet.options.randomElement(using: &garbage.generator),
            let field = Field.option(option.name)
        else { return write([(.session(Field.title), [.null])]) }
        let values: [Value] = [
            .null, garbage.value(), garbage.value(), .integer(Int64(below(40))), .boolean(true),
        ]
        return write([(.session(field), [values[below(values.count)]])])
    }

    private mutating func seats() -> ScoreboardChange {
        let numbers = (1...UInt64(7)).shuffled(using: &garbage.generator).prefix(below(7))
        let text = numbers.map { player($0).description }.joined(separator: " ")
        return write([(.session(Field.seats), [.text(text)])])
    }

    @discardableResult
    private mutating func add(_ number: UInt64) -> ScoreboardChange {
        write(Mutation.add(player(number), name: "P\(number)").map { ($0.key, [$0.value]) })
    }

    private mutating func somebody() -> PlayerID { player(UInt64(1 + below(5))) }

    private func booleans(_ words: [Bool]) -> [Value] { words.map(Value.boolean) }

    @discardableResult
    private mutating func write(_ writes: [(Key, [Value])]) -> ScoreboardChange {
        var changes: [KeyChange] = []
        for (key, values) in writes {
            // Now and then beside what is there, as on a laptop that was apart.
            let kept = below(6) == 0 ? live[key]?.entries ?? [] : []
            let entries = kept + values.map { garbage.entry($0) }
            guard let after = LiveSet(entries) else { continue }
            changes.append(KeyChange(key: key, before: live[key], after: after))
            live[key] = after
        }
        let finder = ScoreboardHistory.finder(sheets)
        if below(4) == 0 { _ = board.applying(changes, findingSheet: finder) }
        return board.apply(changes, findingSheet: finder)
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &garbage.generator)
    }
}
