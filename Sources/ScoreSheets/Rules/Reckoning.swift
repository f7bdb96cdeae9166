import SessionCRDT

/// What every player's cells are worth, row by row from the top.
struct Reckoning {
    /// The players' columns, in the order given.
    private(set) var columns: [Column]

    private let form: SheetForm
    /// Who holds anything in each row, by place: most people hold nothing in most rows, and there
    /// may be very many of both.
    private var holders: [[Int]]

    /// The reckoning of a book for these players.
    init(_ players: [Player], in book: Book, by form: SheetForm) {
        self.form = form
        columns = players.map { Column($0, in: book, by: form) }
        holders = Array(repeating: [], count: form.rows.count)
        for place in columns.indices {
            for index in columns[place].held { holders[index].append(place) }
        }
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
        guard worth.places.isEmpty else { return rank(row, at: index, worth) }
        for place in holders[index] {
            if let implied = implied(index, place) {
                let points = worth.points(worth.reduced(implied))
                columns[place].award(computed: points, to: row, at: index)
            } else {
                columns[place].award(row: index, scoring: row.scores) { count in
                    worth.points(worth.reduced(count ?? 0))
                }
            }
        }
    }

    /// What somebody's empty row counts as; nil of a row with cells.
    private func implied(_ index: Int, _ place: Int) -> Int64? {
        columns[place].places(ofRow: index).isEmpty ? columns[place].count(ofRow: index) : nil
    }

    /// A number that is ranked: whose, in which slot or in none, where it is implied.
    private typealias Rival = (place: Int, slot: Int?, number: Int64)

    /// Awards the points of places in each round of a row.
    private mutating func rank(_ row: Row, at index: Int, _ worth: Worth) {
        var rounds: [UInt32: [Rival]] = [:]
        var absent: [Rival] = []
        for place in holders[index] {
            let isPresent = columns[place].player.isPresent
            if let implied = implied(index, place) {
                // In rounds nothing is implied.
                let rival = (place, Int?.none, worth.reduced(implied))
                if isPresent { rounds[0, default: []].append(rival) } else { absent.append(rival) }
                continue
            }
            for slot in columns[place].places(ofRow: index) {
                let rival = (place, slot, worth.reduced(columns[place].slots[slot].count ?? 0))
                let round = columns[place].slots[slot].entry.cell.round ?? 0
                if isPresent {
                    rounds[round, default: []].append(rival)
                } else {
                    absent.append(rival)
                }
            }
        }
        let pools = pools(of: worth)
        for (_, rivals) in rounds.sorted(by: { $0.key < $1.key }) {
            let shares = PlacePoints.shares(rivals.map(\.number), of: pools)
            for (rival, share) in zip(rivals, shares) {
                award(worth.points(share), to: rival, row, at: index)
            }
        }
        for rival in absent { award(0, to: rival, row, at: index) }
    }

    private mutating func award(_ points: Int64, to rival: Rival, _ row: Row, at index: Int) {
        if let slot = rival.slot {
            columns[rival.place].award(slot: slot, points, scoring: row.scores)
        } else {
            columns[rival.place].award(computed: points, to: row, at: index)
        }
    }

    /// Awards the cells of a row whose values say themselves what they are worth.
    private mutating func award(_ row: Row, at index: Int) {
        for place in holders[index] {
            columns[place].award(row: index, scoring: row.scores) { count in
                if case .flag(let points, _) = row.content {
                    count == 1 ? points : 0
                } else {
                    count ?? 0
                }
            }
        }
    }

    /// Works a row out for everybody of whom any of its sources counts.
    private mutating func compute(
        _ row: Row,
        at index: Int,
        _ formula: Formula,
        _ worth: Worth
    ) {
        var numbers: [(place: Int, number: Int64)] = []
        for (place, result) in results(of: formula) {
            if let refusal = result.refusal {
                columns[place].refuse(row: refusal.row, refusal.reason)
            }
            if !result.missing.isEmpty {
                columns[place].note(Column.Gap(row: row.id, missing: result.missing))
            }
            if let number = result.number { numbers.append((place, worth.reduced(number))) }
        }
        if !worth.places.isEmpty {
            let rivals = numbers.indices.filter { columns[numbers[$0].place].player.isPresent }
            let shares = PlacePoints.shares(
                rivals.map { numbers[$0].number },
                of: pools(of: worth)
            )
            for index in numbers.indices { numbers[index].number = 0 }
            for (rival, share) in zip(rivals, shares) { numbers[rival].number = share }
        }
        holders[index] = numbers.map(\.place)
        for (place, number) in numbers {
            columns[place].award(computed: worth.points(number), to: row, at: index)
        }
    }

    /// What a formula makes of everybody who holds anything in a row that it reads.
    private func results(of formula: Formula) -> [(place: Int, result: Evaluation.Result)] {
        let evaluation = Evaluation(formula, form)
        return holders(ofAny: formula.sources).map { ($0, evaluation.result(of: columns[$0])) }
    }

    /// Who holds anything in any of these rows, in order.
    private func holders(ofAny rows: [Symbol]) -> [Int] {
        var isHolder = [Bool](repeating: false, count: columns.count)
        for index in rows.compactMap(form.place) {
            for place in holders[index] { isHolder[place] = true }
        }
        return isHolder.indices.filter { isHolder[$0] }
    }

    /// The points of the places as the options say.
    private func pools(of worth: Worth) -> [Int64] { worth.places.map { form.settings($0) ?? 0 } }
}
