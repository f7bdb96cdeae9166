import SessionCRDT

/// Who wins or loses together: a team, or somebody who is in none.
struct Side {
    /// The team; nil of a player alone.
    let team: String?
    /// The places of the players' columns.
    let members: [Int]
    /// What the players are called, the team first.
    let name: String
    /// The points of all members together.
    let total: Int64
    /// What all members entered together in the row of each tie-breaker of the sheet.
    let ties: [Int64]
    /// The rows by which it wins at once.
    let victories: [Symbol]

    /// The sides of these columns in the order of the seats: teams where players have teams, else
    /// everybody alone.
    ///
    /// Players who were removed, and those of whom nothing counts yet, are on no side.
    static func sides(of columns: [Column], by form: SheetForm) -> [Side] {
        var sides: [[Int]] = []
        var places: [ExactText: Int] = [:]
        for (index, column) in columns.enumerated()
        where column.player.isPresent && column.isScored {
            guard let team = column.player.team.map(ExactText.init), !team.string.isEmpty else {
                sides.append([index])
                continue
            }
            if let place = places[team] {
                sides[place].append(index)
            } else {
                places[team] = sides.count
                sides.append([index])
            }
        }
        let rows = form.sheet.tieBreakers.map { form.place(of: $0.row) }
        return sides.map { Side($0, columns, ties: rows) }
    }

    private init(_ members: [Int], _ columns: [Column], ties rows: [Int?]) {
        self.members = members
        let own = members.map { columns[$0] }
        team = own.first?.player.team.flatMap { $0.isEmpty ? nil : $0 }
        name = team ?? own.first?.player.name ?? ""
        total = Bounds.cut(own.reduce(Int128(0)) { $0 + Int128($1.total) })
        ties = rows.map { row in
            let counts = own.map { column in row.flatMap { column.count(ofRow: $0) } ?? 0 }
            return Bounds.cut(counts.reduce(Int128(0)) { $0 + Int128($1) })
        }
        victories = own.flatMap(\.victories)
    }
}
