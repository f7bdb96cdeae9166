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
    /// What all members entered in each row of the sheet together.
    let counts: [Int64]
    /// The rows by which it wins at once.
    let victories: [Symbol]

    /// The sides of these columns in the order of the seats: teams where players have teams, else
    /// everybody alone.
    ///
    /// Players who were removed, and those of whom nothing counts yet, are on no side.
    static func sides(of columns: [Column]) -> [Side] {
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
        return sides.map { Side($0, columns) }
    }

    private init(_ members: [Int], _ columns: [Column]) {
        self.members = members
        let own = members.map { columns[$0] }
        team = own.first?.player.team.flatMap { $0.isEmpty ? nil : $0 }
        name = team ?? own.first?.player.name ?? ""
        total = Bounds.cut(own.reduce(Int128(0)) { $0 + Int128($1.total) })
        counts = (own.first?.counts.indices ?? 0..<0).map { row in
            Bounds.cut(own.reduce(Int128(0)) { $0 + Int128($1.counts[row] ?? 0) })
        }
        victories = own.flatMap(\.victories)
    }
}
