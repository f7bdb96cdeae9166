import ScoreSheets
import SessionCRDT
import SyncTestKit

/// Entries that merges, later versions and hostile members could write into a book.
struct Garbage {
    var generator: SeededGenerator
    private(set) var lastBook = Book(players: [], cells: [:])
    private var writes: UInt64 = 0
    /// The rows that cells are of, and the words that stand in them.
    private var rows: [Symbol]
    private var words: [String]
    private var options: [Symbol]

    /// The garbage of a seed, for a sheet if there is one.
    init(seed: UInt64, _ sheet: Sheet? = nil) {
        generator = SeededGenerator(seed: seed)
        rows = ["points", "round", "birds", "a.b"].compactMap(Symbol.init)
        options = ["wins", "target", "foo"].compactMap(Symbol.init)
        words = ["lowest", "12+7", "2x5-1", "9007199254740991x9007199254740991"]
        guard let sheet else { return }
        rows = rows.suffix(1) + sheet.rows.map(\.id)
        options += sheet.options.map(\.name)
        for option in sheet.options {
            if case .choice(let choices, _) = option.kind { words += choices.map(\.description) }
        }
        for row in sheet.rows {
            switch row.content {
            case .choice(let choices): words += choices.map(\.word.description)
            case .order(let rule):
                words.append(rule.words.map(\.description).joined(separator: " "))
            case .number, .rounds, .tokens, .flag, .text, .moves, .computed: break
            }
        }
    }

    /// The parts of a book, in the order in which they came.
    struct Pieces {
        let players: [Player]
        let cells: [(Cell, LiveSet)]
        let options: [(Symbol, Value)]
        let isFinished: Bool

        /// The book of these parts in another order.
        func book(cells: [(Cell, LiveSet)], options: [(Symbol, Value)]) -> Book {
            var book: [Cell: LiveSet] = [:]
            for (cell, live) in cells { book[cell] = live }
            var set: [Symbol: Value] = [:]
            for (name, value) in options { set[name] = value }
            return Book(players: players, cells: book, options: set, isFinished: isFinished)
        }
    }

    mutating func book() -> Book {
        let pieces = pieces()
        lastBook = pieces.book(cells: pieces.cells, options: pieces.options)
        return lastBook
    }

    mutating func pieces() -> Pieces {
        let players = (1..<UInt64(1 + below(6))).map { number in
            Player(
                id: player(number),
                name: ["Ann", "Bob", ""][below(3)],
                isPresent: below(4) > 0
            )
        }
        var cells: [Cell: LiveSet] = [:]
        for _ in 0..<below(40) {
            cells[cell()] = LiveSet((0...below(3)).map { _ in entry(value()) })
        }
        var options: [Symbol: Value] = [:]
        for name in self.options where below(2) == 0 {
            options[name] = [value(), .text("lowest"), .integer(Int64(below(99)))][below(3)]
        }
        return Pieces(
            players: players,
            cells: cells.sorted { $0.key < $1.key },
            options: options.sorted { $0.key < $1.key },
            isFinished: below(3) == 0
        )
    }

    mutating func cell() -> Cell {
        let rounds: [UInt32?] = [
            nil, nil, nil, nil, 0, 1, 2, 3, 999_999, 1_000_000, 1_000_001, .max,
        ]
        return Cell(
            player: player(UInt64(1 + below(7))),
            row: rows[below(rows.count)],
            round: rounds[below(rounds.count)]
        )
    }

    mutating func value() -> Value {
        let most = Value.largestInteger
        let values: [Value] = [
            .null, .boolean(true), .text("lowest"), .text("é\u{0}"),
            .foreign(kind: ExactText("float"), text: ExactText("1.5")), .integer(.max),
            .integer(.min), .integer(most), .integer(-most), .integer(most + 1),
        ]
        let place = below(3 * values.count)
        if place < values.count { return values[place] }
        return below(2) == 0
            ? .text(words[below(words.count)]) : .integer(Int64(below(9)) - 2)
    }

    mutating func entry(_ value: Value) -> Entry {
        writes += 1
        return Entry(
            dot: Dot(actor: ActorID(high: 0, low: writes), sequence: 1),
            stamp: Stamp(bits: UInt64(below(3))),
            author: DeviceID(high: 0, low: 1),
            value: value
        )
    }

    /// A text of pieces that entries are made of.
    mutating func text() -> String {
        let pieces =
            [
                "round", "points", "birds", "wins", "target", ".", "=", "+", "-", "\u{2212}", " ",
                "1",
                "0", "42", "9007199254740991", "99999999999999999999999", "٣", "é",
                "👩‍👩‍👧", "\u{0}", "b", "x",
            ] + rows.map(\.description) + words
        return (0..<below(7)).map { _ in pieces[below(pieces.count)] }.joined()
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }
}
