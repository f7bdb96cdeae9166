package import SessionCRDT

/// The result of a book: totals, ranks, the turn, and what does not count.
package struct Standings: Hashable, Sendable {
    /// The players in seat order; removed players follow, without a rank.
    package private(set) var players: [PlayerStanding]
    /// The teams, best first; empty if no player is in a team or the game has no teams.
    package internal(set) var teams: [TeamStanding] = []
    /// Whether the game is over, by its rules or because a player finished the session.
    package let isFinished: Bool
    /// Whether a game that is over has a winner; false if a game that ends only by its rules was
    /// finished early.
    package internal(set) var isDecided = true
    /// The word of the table, which has overruled the rules; nil if they decide.
    package private(set) var verdict: Verdict?
    private(set) var declaredWinners: [PlayerID] = []
    /// The player to move; nil in games without turns.
    package internal(set) var turn: PlayerID?
    /// The number of the next turn; nil after the end and in games without turns.
    package internal(set) var turnNumber: Int?
    package let flags: [Flag]
    package let notes: [Note]
    /// The unit of the totals: `Total`, `Discs`, `Legs`.
    package internal(set) var totalLabel = "Total"
    /// The input of moves; nil for sheets of rows.
    package internal(set) var moveInput: MoveInput?
    /// The headlines of players whose total is not what matters most.
    package internal(set) var headlines: [PlayerID: Headline] = [:]
    /// The darts of the last visit, such as `T20`; empty if they are not known.
    package internal(set) var darts: [String] = []
    var endings = Endings.whole
    /// The match that the outcomes belong to; nil if they are games.
    package internal(set) var match: Outcome?

    /// The source of the outcomes; costly ones are computed on demand.
    enum Endings: Hashable, Sendable {
        /// The standings: a finished game is one outcome.
        case whole
        case outcomes([Outcome])
        case legs(DartsLegs)
        /// The outcomes of sides, of which every member has a part.
        indirect case shared(Endings, Sides)

        /// The outcomes; nil if the standings are the only one.
        fileprivate var outcomes: [Outcome]? {
            switch self {
            case .whole: nil
            case .outcomes(let outcomes): outcomes
            case .legs(let legs): legs.outcomes
            case .shared(let endings, let sides):
                endings.outcomes?.map { $0.expanded(to: sides) }
            }
        }
    }

    /// The finished games or legs in order.
    ///
    /// Computed on demand: the end of a whole game depends on all of its cells.
    package var outcomes: [Outcome] {
        if let outcomes = endings.outcomes { return outcomes }
        return isFinished ? [outcome(of: players.filter(\.hasPart))] : []
    }

    private func outcome(of lines: [PlayerStanding]) -> Outcome {
        let stamps = players.lazy.flatMap(\.cells).compactMap { scored in
            scored.bookCell.live.entries.map(\.stamp).max()
        }
        var names: [PlayerID: String] = [:]
        for team in teams { for member in team.members { names[member.id] = team.name } }
        return Outcome(
            number: 1,
            at: stamps.max(),
            players: lines.map { standing in
                PlayerOutcome(
                    player: standing.player.id,
                    name: standing.player.name,
                    isWinner: standing.rank == 1,
                    rank: standing.rank,
                    total: standing.total,
                    team: names[standing.player.id]
                )
            }
        )
    }

    /// The players of rank 1 in seat order; empty before the first score and in a game finished
    /// without a winner.
    package var leaders: [PlayerID] {
        if verdict != nil { return declaredWinners }
        return isFinished && !isDecided ? [] : players.filter { $0.rank == 1 }.map(\.player.id)
    }

    /// Overrules the winners and the ranks by the word of the table.
    ///
    /// Without any entry that counts, all present players take part. A verdict for players who were
    /// all removed has no effect.
    mutating func settle(by verdict: Verdict, at stamp: Stamp) {
        let isAnyRanked = players.contains { $0.player.isPresent && $0.rank != nil }
        var isWinner: Set<PlayerID> = []
        if case .winners(let declared) = verdict { isWinner = Set(declared) }
        let places = players.indices.filter { index in
            let line = players[index]
            let takesPart = !isAnyRanked || line.rank != nil || isWinner.contains(line.player.id)
            return line.player.isPresent && takesPart
        }
        let present = places.map { players[$0].player.id }
        switch verdict {
        case .winners: declaredWinners = present.filter(isWinner.contains)
        case .allWon: declaredWinners = present
        case .allLost, .noWinner: declaredWinners = []
        }
        if case .winners = verdict, declaredWinners.isEmpty { return }
        (self.verdict, isDecided) = (verdict, !declaredWinners.isEmpty)
        let winners = Set(declaredWinners)
        if !winners.isEmpty {
            let ranks = CompetitionRanking.ranks(
                places.map { index in
                    let isFirst = winners.contains(players[index].player.id)
                    return isFirst ? [1, 0] : [0, -Int64(players[index].rank ?? .max)]
                }
            )
            for (index, rank) in zip(places, ranks) {
                players[index].rank = rank
                if rank == 1 { players[index].tieBreak = nil }
            }
            let best = Dictionary(uniqueKeysWithValues: players.map { ($0.player.id, $0.rank) })
            for index in teams.indices {
                let ranks = teams[index].members.compactMap { best[$0.id] ?? nil }
                teams[index].rank = ranks.min() ?? teams[index].rank
            }
            teams.sort { $0.rank < $1.rank }
        }
        settleOutcomes(places, winners, at: stamp)
    }

    /// Overrules the winners of the match if the outcomes are its parts, else those of the last
    /// outcome; a game that was ended early has a single one.
    private mutating func settleOutcomes(
        _ places: [Int],
        _ winners: Set<PlayerID>,
        at stamp: Stamp
    ) {
        let before = endings.outcomes ?? []
        if let match {
            self.match = match.settled(verdict, for: winners, at: stamp)
        } else if let last = before.last {
            let end = last.settled(verdict, for: winners, at: stamp)
            endings = .outcomes(before.dropLast() + [end])
        } else {
            let isThere = Set(places)
            let all = outcome(
                of: players.indices.filter { isThere.contains($0) || players[$0].hasPart }
                    .map { players[$0] }
            )
            endings = .outcomes([all.settled(verdict, for: winners, at: stamp)])
        }
    }

    /// The leaders once the game is over; tied leaders share the win.
    package var winners: [PlayerID] { isFinished ? leaders : [] }

    /// The players, best first; tied players in seat order, players without a rank last.
    package var ranking: [PlayerStanding] {
        players.enumerated()
            .sorted { ($0.element.rank ?? .max, $0.offset) < ($1.element.rank ?? .max, $1.offset) }
            .map(\.element)
    }

    package subscript(player: PlayerID) -> PlayerStanding? {
        players.first { $0.player.id == player }
    }
}

package struct PlayerStanding: Hashable, Sendable {
    package let player: Player
    /// The total, within ±(2⁵³ − 1).
    package let total: Points
    /// The rank, from 1; tied players have the same rank and the next one is skipped: 1, 1, 3.
    ///
    /// Nil for removed players and for players without an entry that counts.
    package internal(set) var rank: Int?
    /// The numbers that decided between equal totals, or that none did; nil if totals differ.
    package internal(set) var tieBreak: String?
    /// The cells in the order of the sheet, then by round; rows unknown to the sheet follow.
    ///
    /// Cleared cells are omitted unless they still have a live value.
    package let cells: ScoredCells
    /// The points of derived rows and empty cells, in the order of the sheet.
    package let computed: [RowPoints]

    /// Whether the player has a part in the result: those who are ranked, and those who have left
    /// with an entry that counts.
    var hasPart: Bool {
        player.isPresent ? rank != nil : cells.contains { $0.points != nil }
    }
}

package struct RowPoints: Hashable, Sendable {
    package let row: Symbol
    /// The points of the row; they are part of the total only if the row scores.
    package let points: Points
}

package struct ScoredCell: Hashable, Sendable {
    package let bookCell: BookCell
    /// The points; nil if the cell is cleared or does not count, and then a flag has the reason.
    package let points: Points?
    /// The number of the value, before any rule; nil for a text.
    package let count: Points?

    /// Creates a scored cell; without a count, the value's own number is used.
    package init(_ bookCell: BookCell, points: Points?, count: Points? = nil) {
        self.bookCell = bookCell
        self.points = points
        self.count = count ?? bookCell.value.integer.map { Points($0) }
    }
}

package struct TeamStanding: Hashable, Sendable {
    /// The team's name, as its first member spells it.
    package let name: String
    /// The total, within ±(2⁵³ − 1).
    package let total: Points
    package internal(set) var rank: Int
    /// The members in seat order.
    package let members: [Player]

    /// The team in a line: `team Reds: 165, place 1 (Ann, Cem)`.
    var words: String {
        let names = members.map(\.name).joined(separator: ", ")
        return "team \(name): \(total), place \(rank) (\(names))"
    }
}

/// The position of a cell of a player in the order of the sheet; unknown rows follow by name.
struct SheetPlace: SortedElement, Comparable, Hashable, Sendable {
    private let line: Int
    private let row: Symbol
    private let round: UInt32?

    init(_ row: Symbol, _ round: UInt32?, at line: Int?) {
        (self.line, self.row, self.round) = (line ?? .max, row, round)
    }

    init(_ cell: Cell, at line: Int?) { self.init(cell.row, cell.round, at: line) }

    var place: SheetPlace { self }

    func cell(of player: PlayerID) -> Cell { Cell(player: player, row: row, round: round) }

    static func < (left: SheetPlace, right: SheetPlace) -> Bool {
        if left.line != right.line { return left.line < right.line }
        return left.row == right.row
            ? RoundCell.place(of: left.round) < RoundCell.place(of: right.round)
            : left.row < right.row
    }
}

/// A view of a player's cells with their points, in the order in which they are shown; it shares
/// the storage of the book and the game.
package struct ScoredCells: Sendable {
    private enum Content {
        case rows(RowCells)
        /// The cells of a coded game, and the index of each of its rows.
        case cached(SortedChunks<ScoreColumns.Scored>, [Symbol: Int])
        indirect case member(MemberCells)
    }

    private let content: Content

    init(_ rows: RowCells) { content = .rows(rows) }

    init(_ cells: SortedChunks<ScoreColumns.Scored>, rows: [Symbol: Int]) {
        content = .cached(cells, rows)
    }

    init(_ member: MemberCells) { content = .member(member) }

    /// Returns the cell of a row and a round by binary search; nil if it is blank.
    package func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        switch content {
        case .member(let cells): cells.cell(of: row, in: round)
        case .rows(let cells): cells.cell(of: row, in: round)
        case .cached(let cells, let rows): cells[SheetPlace(row, round, at: rows[row])]?.cell
        }
    }
}

extension ScoredCells: Sequence, Hashable {
    package struct Iterator: IteratorProtocol {
        fileprivate enum Source {
            case rows(RowCells.Iterator)
            case cached(SortedChunks<ScoreColumns.Scored>.Iterator)
            indirect case member(MemberCells, Iterator)
        }

        fileprivate var source: Source

        package mutating func next() -> ScoredCell? {
            switch source {
            case .rows(var cells):
                let cell = cells.next()
                source = .rows(cells)
                return cell
            case .cached(var cells):
                let cell = cells.next()?.cell
                source = .cached(cells)
                return cell
            case .member(let cells, var side):
                while let shared = side.next() {
                    guard let cell = cells.cell(of: shared) else { continue }
                    source = .member(cells, side)
                    return cell
                }
                return nil
            }
        }
    }

    package func makeIterator() -> Iterator {
        switch content {
        case .rows(let cells): Iterator(source: .rows(cells.makeIterator()))
        case .cached(let cells, _): Iterator(source: .cached(cells.makeIterator()))
        case .member(let cells):
            Iterator(source: .member(cells, cells.side.makeIterator()))
        }
    }

    package var count: Int {
        switch content {
        case .rows(let cells): cells.count
        case .cached(let cells, _): cells.count
        case .member(let cells): cells.count
        }
    }

    package var underestimatedCount: Int { count }

    package var first: ScoredCell? { first { _ in true } }

    package static func == (left: ScoredCells, right: ScoredCells) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for cell in self { hasher.combine(cell) }
    }
}
