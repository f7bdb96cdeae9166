import SessionCRDT

/// What every player's cells are worth, row by row from the top.
struct Reckoning {
    /// The players' columns, in the order given.
    private(set) var columns: [Column]

    private let form: SheetForm

    /// The reckoning of a book for these players.
    init(_ players: [Player], in book: Book, by form: SheetForm) {
        self.form = form
        columns = players.map { Column($0, in: book, by: form) }
        for (index, row) in form.rows.enumerated() where form.isOn[index] {
            switch row.content {
            case .computed(let formula, let worth): compute(row, at: index, formula, worth)
            case .number(let worth), .rounds(let worth, _): reckon(row, at: index, worth)
            case .tokens, .flag, .choice, .order, .text, .moves: award(row, at: index)
            }
        }
        for place in columns.indices { columns[place].close() }
    }

    /// Awards the cells of a row of numbers, and what empty cells of it count as.
    private mutating func reckon(_ row: Row, at index: Int, _ worth: Worth) {
        let entries = columns.map { $0.entries(ofRow: index) }
        let numbers = entries.map { $0.map { worth.reduced($0.count ?? 0) } }
        // A row without cells that still counts: what its emptiness counts as.
        let implied = columns.indices.map { place in
            entries[place].isEmpty ? columns[place].counts[index].map(worth.reduced) : nil
        }
        var points = numbers
        var impliedPoints = implied
        if !worth.places.isEmpty {
            let pools = pools(of: worth)
            var rounds: [UInt32: [(place: Int, slot: Int, number: Int64)]] = [:]
            for place in columns.indices where columns[place].player.isPresent {
                for (slot, number) in numbers[place].enumerated() {
                    let round = entries[place][slot].entry.cell.round ?? 0
                    rounds[round, default: []].append((place, slot, number))
                }
                // In rounds nothing is implied, so that slot −1 is of a row without rounds.
                if let number = implied[place] {
                    rounds[0, default: []].append((place, -1, number))
                }
            }
            points = numbers.map { $0.map { _ in 0 } }
            impliedPoints = implied.map { $0.map { _ in 0 } }
            for (_, rivals) in rounds.sorted(by: { $0.key < $1.key }) {
                let shares = PlacePoints.shares(rivals.map(\.number), of: pools)
                for (rival, share) in zip(rivals, shares) {
                    if rival.slot < 0 {
                        impliedPoints[rival.place] = share
                    } else {
                        points[rival.place][rival.slot] = share
                    }
                }
            }
        }
        for place in columns.indices {
            columns[place].award(points[place].map(worth.points), to: index, scoring: row.scores)
            if let points = impliedPoints[place] {
                columns[place].award(computed: worth.points(points), to: row, at: index)
            }
        }
    }

    /// Awards the cells of a row whose values say themselves what they are worth.
    private mutating func award(_ row: Row, at index: Int) {
        for place in columns.indices {
            let points = columns[place].entries(ofRow: index).map { slot in
                if case .flag(let points, _) = row.content {
                    slot.count == 1 ? points : 0
                } else {
                    slot.count ?? 0
                }
            }
            columns[place].award(points, to: index, scoring: row.scores)
        }
    }

    /// Works a row out for everybody of whom any of its sources counts.
    private mutating func compute(
        _ row: Row,
        at index: Int,
        _ formula: Formula,
        _ worth: Worth
    ) {
        var numbers: [Int64?] = []
        for place in columns.indices {
            let result = Evaluation(columns[place], form).number(formula)
            if let refusal = result.refusal {
                columns[place].refuse(row: refusal.row, refusal.reason)
            }
            if !result.missing.isEmpty {
                columns[place].note(Column.Gap(row: row.id, missing: result.missing))
            }
            numbers.append(result.number.map(worth.reduced))
        }
        if !worth.places.isEmpty {
            let rivals = columns.indices.filter {
                columns[$0].player.isPresent && numbers[$0] != nil
            }
            let shares = PlacePoints.shares(
                rivals.map { numbers[$0] ?? 0 },
                of: pools(of: worth)
            )
            numbers = numbers.map { $0.map { _ in 0 } }
            for (place, share) in zip(rivals, shares) { numbers[place] = share }
        }
        for (place, number) in numbers.enumerated() {
            guard let number else { continue }
            columns[place].award(computed: worth.points(number), to: row, at: index)
        }
    }

    /// The points of the places as the options say.
    private func pools(of worth: Worth) -> [Int64] { worth.places.map { form.settings($0) ?? 0 } }
}
