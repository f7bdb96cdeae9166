import SessionCRDT

/// Who wins or loses together: a team, or somebody who is in none.
struct Side: Sendable {
    /// The team; nil of a player alone.
    let team: String?
    /// The places of the players' columns.
    let members: [Int]
    /// What the players are called, the team first.
    let name: String
    /// The points of all members together.
    private(set) var total: Int64 = 0
    /// What all members entered together in the row of each decider.
    private(set) var ties: [Int64] = []
    /// The rows by which it wins at once.
    private(set) var victories: [Symbol] = []

    /// The sides of these columns in the order of the seats: teams where players have teams, else
    /// everybody alone.
    ///
    /// Players who were removed, and those of whom nothing counts yet, are on no side, but for the
    /// partners of somebody of whom something does: in many games one of them enters for all.
    static func sides(of columns: [RowColumn], by form: SheetForm) -> [Side] {
        var sides: [[Int]] = []
        var places: [ExactText: Int] = [:]
        for (index, column) in columns.enumerated()
        where column.player.isPresent && column.isScored {
            guard let team = Side.key(ofTeam: column.player.team) else {
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
        for (index, column) in columns.enumerated()
        where column.player.isPresent && !column.isScored {
            guard let place = key(ofTeam: column.player.team).flatMap({ places[$0] }) else {
                continue
            }
            sides[place].append(index)
        }
        return sides.map { Side($0.sorted(), columns, by: form) }
    }

    /// What tells teams apart, which is not how they are spelled on each laptop: “Reds” and “reds”
    /// are one; nil of none.
    static func key(ofTeam team: String?) -> ExactText? {
        guard let team, !team.isEmpty else { return nil }
        return ExactText(team.lowercased())
    }

    private init(_ members: [Int], _ columns: [RowColumn], by form: SheetForm) {
        self.members = members
        let first = members.first.map { columns[$0].player }
        team = first?.team.flatMap { $0.isEmpty ? nil : $0 }
        name = team ?? first?.name ?? ""
        addUp(columns, by: form)
    }

    /// Takes in what the members have now.
    mutating func addUp(_ columns: [RowColumn], by form: SheetForm) {
        total = Bounds.cut(members.reduce(Int128(0)) { $0 + Int128(columns[$1].total) })
        ties = form.deciders.map { tieBreaker in
            guard let row = form.place(of: tieBreaker.row) else { return 0 }
            return Bounds.cut(
                members.reduce(Int128(0)) { $0 + Int128(columns[$1].count(ofRow: row) ?? 0) }
            )
        }
        guard !form.winning.isEmpty else { return }
        victories = members.flatMap { member in
            form.winning.filter { (columns[member].count(ofRow: $0) ?? 0) != 0 }.map {
                form.ids[$0]
            }
        }
    }
}
