package import SessionCRDT

/// The result of a book: totals, ranks, the turn, and what does not count.
package struct Standings: Hashable, Sendable {
    /// In seat order; removed players follow, without a rank.
    package let players: [PlayerStanding]
    /// From the best; empty if nobody is in a team, or the game has none.
    package let teams: [TeamStanding]
    /// Whether the game is over, by its rules or because it was finished by hand.
    package let isFinished: Bool
    /// Whether a game that is over has a winner: one that ends by its rules only, and was finished before,
    /// has none.
    package let isDecided: Bool
    /// The player to move; nil in games without turns.
    package let turn: PlayerID?
    package let flags: [Flag]
    package let notes: [Note]
    /// The unit of the totals: `Total`, `Discs`, `Legs`.
    package let totalLabel: String
    /// Shown instead of rows; empty for sheets of rows.
    package let panels: [Panel]
    /// The input of moves; nil for sheets of rows.
    package let moveInput: MoveInput?
    /// The headlines of players whose total is not what matters most.
    package let headlines: [PlayerID: Headline]
    /// The darts of the last visit, such as `T20`; empty if they are not known.
    package let darts: [String]
    /// The match that the outcomes belong to; nil if they are games.
    package let match: Outcome?
    private let endings: Endings

    /// The source of the outcomes; costly ones are computed on demand.
    package enum Endings: Hashable, Sendable {
        /// The standings: a finished game is one outcome.
        case whole
        case outcomes([Outcome])
        case legs(DartsLegs)
    }

    package init(
        players: [PlayerStanding],
        teams: [TeamStanding] = [],
        isFinished: Bool,
        isDecided: Bool = true,
        turn: PlayerID? = nil,
        flags: [Flag] = [],
        notes: [Note] = [],
        totalLabel: String = "Total",
        panels: [Panel] = [],
        moveInput: MoveInput? = nil,
        headlines: [PlayerID: Headline] = [:],
        darts: [String] = [],
        endings: Endings = .whole,
        match: Outcome? = nil
    ) {
        (self.players, self.teams) = (players, teams)
        (self.isFinished, self.isDecided, self.turn) = (isFinished, isDecided, turn)
        (self.flags, self.notes) = (flags, notes)
        (self.totalLabel, self.panels) = (totalLabel, panels)
        (self.moveInput, self.headlines, self.darts) = (moveInput, headlines, darts)
        (self.endings, self.match) = (endings, match)
    }

    /// The finished games or legs in order.
    ///
    /// Computed on demand: the end of a whole game depends on all of its cells.
    package var outcomes: [Outcome] {
        switch endings {
        case .whole: isFinished ? [outcome] : []
        case .outcomes(let outcomes): outcomes
        case .legs(let legs): legs.outcomes
        }
    }

    private var outcome: Outcome {
        let stamps = players.lazy.flatMap(\.cells).compactMap { scored in
            scored.bookCell.live.entries.map(\.stamp).max()
        }
        var names: [PlayerID: String] = [:]
        for team in teams { for member in team.members { names[member.id] = team.name } }
        return Outcome(
            number: 1,
            at: stamps.max(),
            players: players.filter { $0.player.isPresent && $0.rank != nil }.map { standing in
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

    /// The players of rank 1 in seat order; nobody before the first score, and in a game that was finished
    /// without a winner.
    package var leaders: [PlayerID] {
        isFinished && !isDecided ? [] : players.filter { $0.rank == 1 }.map(\.player.id)
    }

    /// The leaders once the game is over; equals share the win.
    package var winners: [PlayerID] { isFinished ? leaders : [] }

    /// The players from the best; equals in seat order, those without a rank last.
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
    /// Within ±(2⁵³ − 1).
    package let total: Int64
    /// From 1; equals have the same rank and the next one is skipped: 1, 1, 3.
    ///
    /// Nil for removed players and for players without an entry that counts.
    package let rank: Int?
    /// The numbers that decided between equal totals, or that none did; nil if totals differ.
    package let tieBreak: String?
    /// In the order of the sheet, then by round; rows unknown to the sheet follow.
    ///
    /// Cleared cells are left out, unless a value is still live in them.
    package let cells: ScoredCells
    /// Points without an entry in the order of the sheet: of derived rows, and of empty cells.
    package let computed: [RowPoints]
}

package struct RowPoints: Hashable, Sendable {
    package let row: Symbol
    /// The points of the row; they are part of the total only if the row scores.
    package let points: Int64
}

package struct ScoredCell: Hashable, Sendable {
    package let bookCell: BookCell
    /// Nil if it is cleared or does not count; then a flag tells why.
    package let points: Int64?
    /// The number of the value, before any rule; nil for a text.
    package let count: Int64?

    /// Without a count, the value's own number is taken.
    package init(_ bookCell: BookCell, points: Int64?, count: Int64? = nil) {
        self.bookCell = bookCell
        self.points = points
        self.count = count ?? bookCell.value.integer
    }
}

package struct TeamStanding: Hashable, Sendable {
    /// As its first member spells it.
    package let name: String
    /// Within ±(2⁵³ − 1).
    package let total: Int64
    /// From 1.
    package let rank: Int
    /// In seat order.
    package let members: [Player]

    /// The team in a line: `team Reds: 165, place 1 (Ann, Cem)`.
    var words: String {
        let names = members.map(\.name).joined(separator: ", ")
        return "team \(name): \(total), place \(rank) (\(names))"
    }
}

/// A view of a player's cells with their points, in the order in which they are shown; it shares the
/// storage of the book and the game.
///
/// Iteration is fast; an index is found by walking over chunks.
package struct ScoredCells: Sendable {
    private enum Content {
        case listed(Chunks<ScoredCell>)
        case rows(RowCells)
        case kept(OrderedPieces<ScoreColumns.Scored>)
    }

    private let content: Content

    package init(_ cells: some Sequence<ScoredCell>) { content = .listed(Chunks(cells)) }

    init(_ cells: Chunks<ScoredCell>) { content = .listed(cells) }

    init(_ cells: OrderedPieces<ScoreColumns.Scored>) { content = .kept(cells) }

    init(_ rows: RowCells) { content = .rows(rows) }

    /// The cell of a row and a round in a game of rows, found by binary search; nil if it is blank, and
    /// in other games.
    package func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        switch content {
        case .rows(let cells): cells.cell(of: row, in: round)
        case .listed, .kept: nil
        }
    }
}

extension ScoredCells: RandomAccessCollection {
    package struct Iterator: IteratorProtocol {
        fileprivate enum Source {
            case listed(IndexingIterator<Chunks<ScoredCell>>)
            case rows(RowCells.Iterator)
            case kept(OrderedPieces<ScoreColumns.Scored>.Iterator)
        }

        fileprivate var source: Source

        package mutating func next() -> ScoredCell? {
            switch source {
            case .listed(var cells):
                let cell = cells.next()
                source = .listed(cells)
                return cell
            case .rows(var cells):
                let cell = cells.next()
                source = .rows(cells)
                return cell
            case .kept(var cells):
                let cell = cells.next()?.cell
                source = .kept(cells)
                return cell
            }
        }
    }

    package func makeIterator() -> Iterator {
        switch content {
        case .listed(let cells): Iterator(source: .listed(cells.makeIterator()))
        case .rows(let cells): Iterator(source: .rows(cells.makeIterator()))
        case .kept(let cells): Iterator(source: .kept(cells.makeIterator()))
        }
    }

    package var startIndex: Int { 0 }

    package var endIndex: Int {
        switch content {
        case .listed(let cells): cells.count
        case .rows(let cells): cells.count
        case .kept(let cells): cells.count
        }
    }

    package subscript(place: Int) -> ScoredCell {
        switch content {
        case .listed(let cells): cells[place]
        case .rows(let cells): cells[place]
        case .kept(let cells):
            if let found = cells.weighty(place) {
                found.cell
            } else {
                preconditionFailure("there are \(cells.count) cells, and none at \(place)")
            }
        }
    }
}

extension ScoredCells: Hashable, ExpressibleByArrayLiteral {
    package static func == (left: ScoredCells, right: ScoredCells) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for cell in self { hasher.combine(cell) }
    }

    package init(arrayLiteral cells: ScoredCell...) { self.init(cells) }
}
