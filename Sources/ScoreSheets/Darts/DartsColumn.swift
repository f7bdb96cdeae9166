import SessionCRDT

/// One player's cells as visits.
struct DartsColumn {
    /// Who.
    let player: Player
    /// The cells that are not empty.
    let cells: [BookCell]
    /// The visits by turn.
    private(set) var visits: [Slot] = []
    /// What is no visit, with its place among the cells and the reason.
    private(set) var wrong: [Wrong] = []
    private var next = 0

    /// The row of the visits.
    static let row = Symbol(known: "visit")

    /// A visit in its cell.
    struct Slot {
        let turn: UInt32
        let visit: DartsVisit
        let stamp: Stamp?
        /// The place of the cell; nil of one that somebody only wishes to write.
        let place: Int?
        /// What it took off, once it counts.
        var points: Int64?
    }

    /// A cell that holds no visit.
    struct Wrong {
        let place: Int
        let reason: RuleViolation
    }

    /// The column of a player, in which `wish` stands instead of what is there.
    init(_ player: Player, in book: Book, by sheet: Sheet, with wish: DartsWish?) {
        self.player = player
        cells = book.cells(of: player.id).filter { !$0.isEmpty }
        let wish = wish.flatMap { $0.player == player.id ? $0 : nil }
        for (place, entry) in cells.enumerated() {
            let cell = entry.cell
            if let wish, cell.row == DartsColumn.row, cell.round == wish.turn { continue }
            let winner = entry.live.winner
            switch DartsColumn.reading(winner.value, in: cell, by: sheet) {
            case .success(.some((let turn, let visit))):
                let slot = Slot(turn: turn, visit: visit, stamp: winner.stamp, place: place)
                visits.append(slot)
            case .success(nil): break
            case .failure(let reason): wrong.append(Wrong(place: place, reason: reason))
            }
        }
        if let wish {
            let place = visits.firstIndex { $0.turn > wish.turn } ?? visits.endIndex
            let slot = Slot(turn: wish.turn, visit: wish.visit, stamp: nil, place: nil)
            visits.insert(slot, at: place)
        }
    }

    /// The place among the visits of the one of a turn; turns are asked for in rising order.
    mutating func visit(at turn: UInt32) -> Int? {
        while next < visits.count, visits[next].turn < turn { next += 1 }
        return next < visits.count && visits[next].turn == turn ? next : nil
    }

    /// Says what the visit at a place took off.
    mutating func count(_ place: Int, points: Int) { visits[place].points = Int64(points) }

    /// The visit that a value is, or why it is none; nil of nothing.
    static func reading(
        _ value: Value,
        in cell: Cell,
        by sheet: Sheet
    ) -> Result<(UInt32, DartsVisit)?, RuleViolation> {
        if let violation = sheet.violation(of: value, in: cell) { return .failure(violation) }
        if value == .null { return .success(nil) }
        guard cell.row == row else {
            return .failure(.unknownRow(cell.row.description, candidates: [row]))
        }
        guard let turn = cell.round, turn > 0 else { return .failure(.roundMissing(row: row)) }
        if let text = value.string, let visit = DartsVisit(spelling: text) {
            return .success((turn, visit))
        }
        let words = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? DartsVisit(typed: [words])
        let rule = DartsRule.misspelled(value.words, canonical: meant?.description)
        return .failure(rule.violation)
    }
}

/// A visit that somebody wishes to write.
struct DartsWish {
    let player: PlayerID
    let turn: UInt32
    let visit: DartsVisit
}
