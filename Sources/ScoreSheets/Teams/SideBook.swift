import SessionCRDT

/// The sides of a game in which a team is one scorer: teams, and players without one.
struct Sides: Hashable, Sendable {
    /// The sides in the order of their first members, as the players of a game.
    let players: [Player]
    /// The members of each side in seat order, including removed ones.
    let members: [[Player]]
    /// Whether each side is a team.
    let areTeams: [Bool]
    /// All players in seat order.
    let everybody: [Player]

    private let places: [PlayerID: Int]

    /// Groups players by their teams; nil if no team has two of them.
    init?(_ everybody: [Player]) {
        var members: [[Player]] = []
        var places: [PlayerID: Int] = [:]
        var teams: [ExactText: Int] = [:]
        for player in everybody where places[player.id] == nil {
            let team = Side.key(ofTeam: player.team)
            let place = team.flatMap { teams[$0] } ?? members.count
            if place == members.count { members.append([]) }
            if let team { teams[team] = place }
            members[place].append(player)
            places[player.id] = place
        }
        guard members.contains(where: { $0.count > 1 }) else { return nil }
        self.everybody = everybody
        self.members = members
        self.places = places
        areTeams = members.map { Side.key(ofTeam: $0[0].team) != nil }
        players = members.map(Sides.player)
    }

    /// Returns the player that stands for a side: it has the id of the first member.
    private static func player(for members: [Player]) -> Player {
        let present = members.filter(\.isPresent)
        let first = members[0]
        return Player(
            id: first.id,
            name: Side.key(ofTeam: first.team) == nil ? first.name : first.team ?? first.name,
            computer: members.count == 1 ? first.computer : nil,
            isPresent: !present.isEmpty,
            added: (present.isEmpty ? members : present).compactMap(\.added).min(),
            since: members.map(\.since).min() ?? 1,
            start: members.lazy.compactMap(\.start).first
        )
    }

    /// Returns the index of a player's side; nil for players without a seat.
    func place(of player: PlayerID) -> Int? { places[player] }

    /// Returns the id of the side of a player; the player's own without a seat.
    func side(of player: PlayerID) -> PlayerID {
        places[player].map { players[$0].id } ?? player
    }

    /// Returns the cell of the side of a player.
    func shared(_ cell: Cell) -> Cell {
        Cell(player: side(of: cell.player), row: cell.row, round: cell.round)
    }

    /// Returns the cells at the same place of all members of a player's side, the player included;
    /// the cell itself for a player without a seat.
    func cells(at cell: Cell) -> [Cell] {
        guard let place = places[cell.player] else { return [cell] }
        return members[place].map { Cell(player: $0.id, row: cell.row, round: cell.round) }
    }

    /// Returns the members of a player's side; none for a player without a seat.
    func members(of player: PlayerID) -> [Player] { places[player].map { members[$0] } ?? [] }
}

/// The book of a game in which a team is one scorer: one player for each side, whose cells are made
/// from those of the members.
///
/// If several members have written the same cell, their numbers are added if the row says so; else
/// the latest entry counts, and the others are overruled. Law: the book equals the one of a
/// single scorer who wrote the entries of all members.
package struct SideBook: Sendable {
    let sides: Sides
    package private(set) var book: Book
    /// The cells of members that do not count because a partner's does.
    private(set) var overruled = SortedChunks<OverruledCell>()
    /// The cells of sides that are sums of several members' entries.
    private(set) var sums: Set<Cell> = []

    /// The rows in which the numbers of members are added.
    let added: Set<Symbol>

    struct OverruledCell: SortedElement, Hashable, Sendable {
        let place: Cell
        /// The member whose entry counts.
        let holder: PlayerID
    }

    /// Merges the columns of a book; nil if no team has two players.
    init?(_ everything: Book, _ sheet: Sheet) {
        guard let sides = Sides(everything.players) else { return nil }
        self.sides = sides
        added = Set(sheet.rows.filter { $0.partners == .add }.map(\.id))
        book = Book(
            sides.players,
            BookCells(everything.unseatedCells),
            everything.options,
            isFinished: everything.isFinished
        )
        book.partners = sides
        var written: Set<Cell> = []
        for player in everything.players {
            for bookCell in everything.cells(of: player.id) {
                let cell = sides.shared(bookCell.cell)
                if written.insert(cell).inserted { merge(cell, of: everything) }
            }
        }
    }

    /// Updates the cell to which a member's cell belongs; returns that cell, and whether the
    /// entries that are overruled differ.
    mutating func update(_ cell: Cell, of everything: Book) -> (cell: Cell, isOther: Bool) {
        let shared = sides.shared(cell)
        guard sides.place(of: cell.player) != nil else {
            if let live = everything[cell] { _ = book.write(live, in: cell) }
            return (shared, false)
        }
        return (shared, merge(shared, of: everything))
    }

    /// Writes the cell of a side; returns whether the entries that are overruled differ.
    @discardableResult
    private mutating func merge(_ cell: Cell, of everything: Book) -> Bool {
        let cells = sides.cells(at: cell)
        let found = cells.indices.compactMap { index in
            everything[cells[index]].map { (member: index, live: $0) }
        }
        let written = found.filter { !$0.live.isBlank }
        let last = (written.isEmpty ? found : written).max {
            $1.live.winner.wins(over: $0.live.winner)
        }
        var isOther = false
        let isAdded = written.count > 1 && added.contains(cell.row)
        for (index, cell) in cells.enumerated() {
            var holder: PlayerID?
            if written.count > 1, !isAdded, let last, last.member != index,
                written.contains(where: { $0.member == index })
            {
                holder = cells[last.member].player
            }
            guard overruled[cell]?.holder != holder else { continue }
            isOther = true
            if let holder {
                overruled.set(OverruledCell(place: cell, holder: holder))
            } else {
                overruled.remove(cell)
            }
        }
        if isAdded { sums.insert(cell) } else { sums.remove(cell) }
        guard let last else { return isOther }
        let live = isAdded ? sum(of: written.map(\.live), as: last.live) : last.live
        _ = book.write(live, in: cell)
        book.set(member: last.member, of: cell)
        return isOther
    }

    /// Returns the sum of entries as one entry; those that are no numbers are left out.
    private func sum(of entries: [LiveSet], as last: LiveSet) -> LiveSet {
        let numbers = entries.compactMap { Sum($0.winner.value)?.number }
        guard !numbers.isEmpty else { return last }
        let halves = numbers.reduce(Int128(0)) { $0 + Int128($1.halves) }
        let (winner, value) = (last.winner, Points(clamping: halves).value)
        return LiveSet(
            Entry(dot: winner.dot, stamp: winner.stamp, author: winner.author, value: value)
        )
    }

    /// Returns the value of a side's cell once a member writes a score.
    func value(after score: Score, in everything: Book) -> Value {
        guard added.contains(score.cell.row), let own = Sum(score.value)?.number else {
            return score.value
        }
        let others = partners(of: score.cell, in: everything)
            .compactMap { Sum($0.value)?.number }
        guard !others.isEmpty else { return score.value }
        let halves = others.reduce(Int128(own.halves)) { $0 + Int128($1.halves) }
        return Points(clamping: halves).value
    }

    /// Returns the entries of the other members of a player's side at the same place.
    func partners(of cell: Cell, in everything: Book) -> [BookCell] {
        sides.cells(at: cell)
            .filter { $0.player != cell.player }
            .compactMap { other in
                everything[other].flatMap { $0.isBlank ? nil : BookCell(cell: other, live: $0) }
            }
    }

    /// Returns the book and the player for whom the next round of a row is looked for: a row that is
    /// added has rounds for each member, any other row for the side.
    func column(of row: Row, for player: PlayerID, in everything: Book) -> (Book, PlayerID) {
        added.contains(row.id) ? (everything, player) : (book, sides.side(of: player))
    }
}

/// The cells of one member of a side, each with the points of the side's cell.
struct MemberCells: Hashable, Sendable {
    let player: PlayerID
    let own: BookColumn
    /// The cells of the side.
    let side: ScoredCells
    /// The rows in which the numbers of members are added.
    let added: Set<Symbol>

    var count: Int { own.valueCount }

    func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        side.cell(of: row, in: round).flatMap(cell)
    }

    /// Returns the member's cell at the place of a cell of the side; nil without one.
    ///
    /// The side's points belong to the latest entry.
    func cell(of shared: ScoredCell) -> ScoredCell? {
        let place = shared.bookCell.cell
        guard let live = own.cells(of: place.row)?[RoundCell.place(of: place.round)]?.live,
            !live.isBlank
        else { return nil }
        let isLatest = live.winner.dot == shared.bookCell.live.winner.dot
        let cell = Cell(player: player, row: place.row, round: place.round)
        let bookCell = BookCell(cell: cell, live: live)
        guard added.contains(place.row) else {
            return ScoredCell(
                bookCell,
                points: isLatest ? shared.points : nil,
                count: isLatest ? shared.count : nil
            )
        }
        let number = Sum(live.winner.value)?.number
        let points = number == nil ? nil : isLatest ? shared.points : 0
        return ScoredCell(bookCell, points: points, count: number)
    }
}
