package import SessionCRDT

/// What a book comes to: totals, ranks, whose turn it is, and what does not count.
package struct Standings: Hashable, Sendable {
    /// The players in seat order; the removed ones follow, and have no rank.
    package let players: [PlayerStanding]
    /// The teams from the best; none where nobody is in one, or teams are nothing to the game.
    package let teams: [TeamStanding]
    /// Whether the game is over: by its rules, or because somebody said so.
    package let isFinished: Bool
    /// Whether somebody has won where the game is over: one that ends by its rules only, and was
    /// broken off before, nobody has.
    package let isDecided: Bool
    /// Who is to move; nil in games without turns.
    package let turn: PlayerID?
    /// What does not count, and why.
    package let flags: [Flag]
    /// What else is to be told.
    package let notes: [Note]
    /// What the totals count: `Total`, or `Discs`, `Legs`.
    package let totalLabel: String
    /// What is shown instead of the rows; empty for sheets, which are shown row by row.
    package let panels: [Panel]
    /// The input of moves; nil for sheets of rows.
    package let moveInput: MoveInput?
    /// The headlines of players whose total is not what matters most.
    package let headlines: [PlayerID: Headline]
    /// The darts of the last visit, such as `T20`; empty if they are not known.
    package let darts: [String]
    /// The match that the outcomes are parts of, as it stands; nil where they are games.
    package let match: Outcome?
    /// Where what ended is known from.
    private let endings: Endings

    /// Where what ended is known from; whatever is costly is worked out when somebody asks.
    package enum Endings: Hashable, Sendable {
        /// The standings: a game that is finished has ended, as a whole.
        case whole
        /// The game, which says so itself.
        case told([Outcome])
        /// The legs of a match.
        case legs(DartsLegs)
    }

    /// The standings of these parts.
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
        self.players = players
        self.teams = teams
        self.isFinished = isFinished
        self.isDecided = isDecided
        self.turn = turn
        self.flags = flags
        self.notes = notes
        self.totalLabel = totalLabel
        self.panels = panels
        (self.moveInput, self.headlines, self.darts) = (moveInput, headlines, darts)
        self.endings = endings
        self.match = match
    }

    /// What ended, the first first.
    ///
    /// Worked out when somebody asks: when a whole game ended is said by all of its cells.
    package var outcomes: [Outcome] {
        switch endings {
        case .whole: isFinished ? [outcome] : []
        case .told(let outcomes): outcomes
        case .legs(let legs): legs.outcomes
        }
    }

    /// The whole game as one outcome.
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

    /// Who leads: everybody of rank 1, in seat order; nobody before the first score, and in a game
    /// that was broken off.
    package var leaders: [PlayerID] {
        isFinished && !isDecided ? [] : players.filter { $0.rank == 1 }.map(\.player.id)
    }

    /// Who has won: those who lead once the game is over; equals share the win.
    package var winners: [PlayerID] { isFinished ? leaders : [] }

    /// The players from the best to the worst, equals in seat order; those without a rank follow.
    package var ranking: [PlayerStanding] {
        players.enumerated()
            .sorted { ($0.element.rank ?? .max, $0.offset) < ($1.element.rank ?? .max, $1.offset) }
            .map(\.element)
    }

    /// The standing of a player.
    package subscript(player: PlayerID) -> PlayerStanding? {
        players.first { $0.player.id == player }
    }
}

/// How one player stands.
package struct PlayerStanding: Hashable, Sendable {
    /// Who.
    package let player: Player
    /// The points together, within ±(2⁵³ − 1).
    package let total: Int64
    /// The place from 1, equals the same and the next one skipped: 1, 1, 3.
    ///
    /// Nil for removed players and for players of whom nothing counts yet.
    package let rank: Int?
    /// What decided between this and an equal total, or that nothing did; nil where nothing had to.
    package let tieBreak: String?
    /// The cells in the order of the sheet, then by round; what the sheet does not know follows.
    ///
    /// A cleared cell is left out, unless somebody's value is still live in it.
    package let cells: ScoredCells
    /// What rows add that nobody entered, in the order of the sheet: rows that are worked out, and
    /// what empty cells count as.
    package let computed: [RowPoints]

    package init(
        player: Player,
        total: Int64,
        rank: Int?,
        tieBreak: String? = nil,
        cells: ScoredCells,
        computed: [RowPoints] = []
    ) {
        self.player = player
        self.total = total
        self.rank = rank
        self.tieBreak = tieBreak
        self.cells = cells
        self.computed = computed
    }

    /// A standing of these parts, with cells that are written out.
    package init(
        player: Player,
        total: Int64,
        rank: Int?,
        tieBreak: String? = nil,
        cells: [ScoredCell],
        computed: [RowPoints] = []
    ) {
        self.init(
            player: player,
            total: total,
            rank: rank,
            tieBreak: tieBreak,
            cells: ScoredCells(cells),
            computed: computed
        )
    }
}

/// What a row is worth to a player.
package struct RowPoints: Hashable, Sendable {
    /// The row.
    package let row: Symbol
    /// What it is worth; a row that does not score adds none of it to the total.
    package let points: Int64
}

/// A cell with what it adds to the total.
package struct ScoredCell: Hashable, Sendable {
    /// The cell and what is live in it.
    package let bookCell: BookCell
    /// What it adds; nil where it does not count, and then a flag says why, or it is cleared.
    package let points: Int64?
    /// The number that its value counts as, before it is worth anything; nil of no number.
    package let count: Int64?

    /// A cell that adds these points; without a count, its value counts as the number that it is.
    package init(_ bookCell: BookCell, points: Int64?, count: Int64? = nil) {
        self.bookCell = bookCell
        self.points = points
        self.count = count ?? bookCell.value.integer
    }
}

/// How a team stands, whose members win or lose together.
package struct TeamStanding: Hashable, Sendable {
    /// What it is called, as its first member spells it.
    package let name: String
    /// The points of all members together, within ±(2⁵³ − 1).
    package let total: Int64
    /// The place from 1.
    package let rank: Int
    /// Who is in it and has a place, in seat order.
    package let members: [Player]

    /// How it stands in a line: `team Reds: 165, place 1 (Ann, Cem)`.
    var words: String {
        let names = members.map(\.name).joined(separator: ", ")
        return "team \(name): \(total), place \(rank) (\(names))"
    }
}

/// The cells of a player with what they add, in the order in which they are shown: a view, which
/// shares what the book and the rules keep and copies none of it.
///
/// It is gone through from the first to the last; a single one is found by walking over pieces.
package struct ScoredCells: Sendable {
    private enum Content {
        case listed(Chunks<ScoredCell>)
        case rows(RowCells)
        case kept(OrderedPieces<ScoreColumns.Scored>)
    }

    private let content: Content

    /// These cells.
    package init(_ cells: some Sequence<ScoredCell>) { content = .listed(Chunks(cells)) }

    /// These cells, which are shared.
    init(_ cells: Chunks<ScoredCell>) { content = .listed(cells) }

    /// The cells of a player in a game of turns.
    init(_ cells: OrderedPieces<ScoreColumns.Scored>) { content = .kept(cells) }

    /// The cells of a column, by the rows of a sheet.
    init(_ rows: RowCells) { content = .rows(rows) }

    /// The cell of a row and a round in a game of rows, found without walking; in other games nil,
    /// as where nobody's value stands.
    package func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        switch content {
        case .rows(let cells): cells.cell(of: row, in: round)
        case .listed, .kept: nil
        }
    }
}

extension ScoredCells: RandomAccessCollection {
    /// Goes through the cells.
    package struct Iterator: IteratorProtocol {
        fileprivate enum Source {
            case listed(IndexingIterator<Chunks<ScoredCell>>)
            case rows(RowCells.Iterator)
            case kept(OrderedPieces<ScoreColumns.Scored>.Iterator)
        }

        fileprivate var source: Source

        /// The next cell.
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

    /// An iterator over the cells.
    package func makeIterator() -> Iterator {
        switch content {
        case .listed(let cells): Iterator(source: .listed(cells.makeIterator()))
        case .rows(let cells): Iterator(source: .rows(cells.makeIterator()))
        case .kept(let cells): Iterator(source: .kept(cells.makeIterator()))
        }
    }

    /// The first place.
    package var startIndex: Int { 0 }

    /// The place after the last one.
    package var endIndex: Int {
        switch content {
        case .listed(let cells): cells.count
        case .rows(let cells): cells.count
        case .kept(let cells): cells.count
        }
    }

    /// The cell at a place.
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
