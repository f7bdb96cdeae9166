import ScoreSheets
import SessionCRDT

/// A session of one sheet with hostile writers: valid moves, and anything that a merge, a later
/// version or a hostile member could write.
struct HostileTable {
    let sheet: Sheet
    private var players: [Player] = []
    private var cells: [Cell: LiveSet] = [:]
    private var options: [Symbol: Value] = [:]
    private var isFinished = false
    private var writes: UInt64 = 0

    /// A session with one to six players.
    init(_ sheet: Sheet, _ draws: inout Draws) {
        self.sheet = sheet
        for number in 1...UInt64(1 + draws.below(6)) {
            players.append(Player(id: HostileTable.id(number), name: "P\(number % 5)"))
        }
    }

    private static func id(_ number: UInt64) -> PlayerID { PlayerID(high: 0, low: number) }

    private var book: Book {
        Book(players: players, cells: cells, options: options, isFinished: isFinished)
    }

    private var game: any Game { sheet.rules.game(of: book) }

    /// The same book with the cells inserted in another order, into dictionaries of another
    /// capacity.
    private var otherBook: Book {
        var others: [Cell: LiveSet] = [:]
        others.reserveCapacity(4 * cells.count + 64)
        for (cell, live) in cells.sorted(by: { $1.key < $0.key }) {
            others[cell] = LiveSet(live.entries.reversed())
        }
        var set: [Symbol: Value] = [:]
        set.reserveCapacity(256)
        for (name, value) in options.sorted(by: { $1.key < $0.key }) { set[name] = value }
        return Book(players: players, cells: others, options: set, isFinished: isFinished)
    }

    /// Applies random decisions until none is left.
    mutating func run(_ draws: inout Draws) {
        for _ in 0..<48 where !draws.isEmpty {
            switch draws.below(12) {
            case 0...4: play(&draws)
            case 5, 6: write(&draws)
            case 7: scribble(&draws)
            case 8: options[option(&draws)] = value(&draws)
            case 9: change(&draws)
            case 10: enter(&draws)
            default: reset()
            }
        }
        judge(&draws)
    }

    // MARK: Accepted writes

    private mutating func play(_ draws: inout Draws) {
        let computes = draws.below(8) == 0
        let words = computes ? [] : (0..<draws.below(4)).map { _ in word(&draws) }
        let player = draws.below(3) == 0 ? HostileTable.id(UInt64(draws.below(8))) : nil
        let details = draws.below(9) == 0 ? ["darts": word(&draws)] : [:]
        let before = book
        var move = Move(words, by: player, details: details)
        if computes {
            guard let found = game.suggestion(in: before, depth: 1) else { return }
            move = found
        }
        var aids = MoveContext(random: Numbers(seed: draws.seed)) { (name) throws(RuleViolation) in
            wordList(named: name)
        }
        guard let played = try? game.play(move, in: before, with: &aids) else {
            demand(!computes, "a computer's move is refused")
            return
        }
        for score in played.writes { put(score) }
        for (name, value) in played.options { options[name] = value }
        let flags = sheet.rules.standings(of: book).flags
        for score in played.writes where score.value != .null {
            let reason = flags.first { $0.subject == .cell(score.cell) }?.reason
            demand(
                reason == nil,
                "a move that was taken does not count: \(reason?.description ?? "")"
            )
        }
    }

    /// Writes moves that the rules accept.
    private mutating func write(_ draws: inout Draws) {
        let score = Score(cell(&draws), value(&draws))
        if (try? game.check(score, in: book)) != nil { put(score) }
    }

    /// Parses typed scores, and writes those that the rules accept.
    private mutating func enter(_ draws: inout Draws) {
        let row = draws.pick(sheet.rows.map(\.id.description) + [""])
        let text = draws.below(2) == 0 ? draws.text() : "\(row)=\(word(&draws))"
        _ = ScoreParser.isScore(text)
        let parser = ScoreParser(sheet)
        _ = try? parser.option(text)
        let scores = try? parser.scores([text], for: HostileTable.id(1), in: book)
        for score in scores ?? [] where (try? game.check(score, in: book)) != nil {
            put(score)
        }
    }

    private mutating func put(_ score: Score) {
        cells[score.cell] = LiveSet(entry(score.value, stamp: writes))
    }

    private mutating func reset() {
        guard let reset = try? game.reset(of: book) else { return }
        demand(!reset.writes.isEmpty && !reset.question.isEmpty, "a reset of nothing")
        for score in reset.writes { put(score) }
    }

    private mutating func change(_ draws: inout Draws) {
        let place = draws.below(players.count)
        let old = players[place]
        let isPresent = draws.below(3) > 0
        let team = draws.pick([nil, nil, "", "Red", "R\u{0}"])
        players[place] = Player(id: old.id, name: old.name, team: team, isPresent: isPresent)
        if draws.below(4) == 0 { players.swapAt(place, 0) }
        isFinished = draws.below(16) == 0
    }

    // MARK: Hostile writes

    private mutating func scribble(_ draws: inout Draws) {
        let cell = cell(&draws)
        cells[cell] = LiveSet(
            (0...draws.below(3)).map { _ in
                entry(value(&draws), stamp: UInt64(draws.below(4)))
            }
        )
    }

    private mutating func entry(_ value: Value, stamp: UInt64) -> Entry {
        writes += 1
        return Entry(
            dot: Dot(actor: ActorID(high: 0, low: writes), sequence: 1),
            stamp: Stamp(bits: stamp),
            author: DeviceID(high: 0, low: 1),
            value: value
        )
    }

    private func cell(_ draws: inout Draws) -> Cell {
        let rows = sheet.rows.map(\.id) + [Symbol(known: "a.b")]
        let rounds: [UInt32?] = [
            nil, 0, 1, 2, 3, 4, 5, 6, 7, 60, 61, 999, 1000, 1001, 2000, 999_999, 1_000_000, .max,
        ]
        return Cell(
            player: HostileTable.id(UInt64(draws.below(8))),
            row: draws.pick(rows),
            round: draws.pick(rounds)
        )
    }

    private func value(_ draws: inout Draws) -> Value {
        let most = Value.largestInteger
        return switch draws.below(8) {
        case 0: .null
        case 1: .boolean(draws.below(2) == 0)
        case 2: draws.pick([.integer(.max), .integer(.min), .integer(most), .integer(-most)])
        case 3: .integer(Int64(draws.below(200)) - 20)
        case 4: .foreign(kind: ExactText("float"), text: ExactText(draws.text()))
        case 5: .text(draws.text())
        case 6: .text(recorded(&draws))
        default: .text(word(&draws))
        }
    }

    private func option(_ draws: inout Draws) -> Symbol {
        let known = sheet.options.map(\.name) + sheet.sets.flatMap(\.factions).map(\.option)
        return draws.pick(known + [Symbol(known: "other")])
    }

    /// Returns a random recorded value of a coded game: a deal, an order of play, a circle of
    /// players.
    private func recorded(_ draws: inout Draws) -> String {
        let factions = sheet.sets.flatMap(\.factions).map(\.id.description) + ["x"]
        let ids = (0...draws.below(4)).map { _ in HostileTable.id(UInt64(draws.below(8))) }
        return switch draws.below(4) {
        case 0: ids.map(\.description).joined(separator: " ")
        case 1: "1 " + ids.map(\.description).joined(separator: " ")
        case 2: "1 \(ids[0]);\(draws.below(9)) " + ids.map(\.description).joined(separator: " ")
        default:
            ids.map { "\($0):\(draws.pick(factions))+\(draws.pick(factions))" }
                .joined(separator: " ")
        }
    }

    private func word(_ draws: inout Draws) -> String {
        let letters = "abcdefgh".map(String.init)
        let factions = sheet.sets.map(\.id.description) + ["all"]
        return switch draws.below(9) {
        case 0: draws.pick(letters) + "\(1 + draws.below(8))"
        case 1: draws.pick(["T", "D", "S", ""]) + "\(draws.below(26))"
        case 2: "\(draws.below(181))" + draws.pick(["", "/1", "/2", "/3"])
        case 3: draws.pick(["bust", "MISS", "BULL", "end", "deal", "reveal", "replay", "base"])
        case 4: draws.pick(letters + ["n", "o", "é", "Z"])
        case 5: "P\(draws.below(5))" + draws.pick(["", "+3", "-2", "=10", "=4"])
        case 6: draws.pick(["use", "without", "only", "madness", "+4", "4", "2", "1", "yes", "no"])
        case 7:
            draws.pick(["d", "do", "don", "dog", "x"])
                + draws.pick([" open", " complete", " impossible", ""])
        default: draws.below(2) == 0 ? draws.pick(factions) : draws.text()
        }
    }

    // MARK: Laws

    private func judge(_ draws: inout Draws) {
        let (book, rules) = (book, sheet.rules)
        let standings = rules.standings(of: book)
        demand(standings == rules.standings(of: otherBook), "the order matters")
        let layout = SheetLayout(sheet, standings, in: book)
        demand(layout == SheetLayout(sheet, standings, in: otherBook))
        var text = standings.flags.map { $0.words(in: book) }
        text += standings.notes.map(\.description)
        text += layout.lines.map(\.label) + sheet.ruleSummary
        text += sheet.rows.map { sheet.words(for: $0) }
        text += game.panels.map { "\($0)" }
        demand(standings.players.count == book.players.count, "a player is missing")
        for player in book.players {
            let outcomes = standings.outcomes.flatMap(\.players).filter { $0.player == player.id }
            text += rules.statistics(of: outcomes).map { $0.label + ($0.text ?? "") }
        }
        demand(text.allSatisfy { $0.utf8.count < 1 << 20 }, "a text without an end")
        for name in options.keys.sorted() {
            _ = try? game.check(option: name, in: book)
            _ = rules.isChoice(name)
        }
        _ = game.carriedOver(from: book)
        _ = game.suggestion(in: book, depth: 1)
        for _ in 0..<4 { _ = try? game.check(Score(cell(&draws), value(&draws)), in: book) }
    }
}

/// Returns a word list with words such as `abag`, none of which begins with `x`.
private func wordList(named name: String) -> WordList {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "w")
    let file = letters.flatMap { first in
        letters.flatMap { [first, $0, first, UInt8(ascii: "g"), UInt8(ascii: "\n")] }
    }
    return WordList(name: name, fingerprint: "f", file: file)
}

/// A seeded random number generator (SplitMix64, by Sebastiano Vigna).
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
