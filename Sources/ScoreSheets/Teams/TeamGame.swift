import SessionCRDT

extension GameRules {
    /// Returns the game of a book; if teams are one scorer in its sheet, the game of the sides.
    package func game(of book: Book) -> any Game {
        guard sheet.teams == .together, let sides = SideBook(book, sheet) else {
            return game(ofScorers: book)
        }
        func shared<Inner: Game>(_ game: Inner) -> any Game { TeamGame(game, sides) }
        return shared(game(ofScorers: sides.book))
    }
}

/// A game in which a team is one scorer: the game of its sides, seen by the members.
///
/// The rules know nothing of members: they see a `SideBook`. This type translates between the two,
/// and in a game of turns says which member of a side is next: the one after the member who had the
/// last turn, in the order of seats.
struct TeamGame<Inner: Game>: Game {
    private var inner: Inner
    private var shared: SideBook

    init(_ inner: Inner, _ shared: SideBook) { (self.inner, self.shared) = (inner, shared) }

    var rules: Inner.Rules { inner.rules }
    var sideBook: SideBook? { shared }

    private var sides: Sides { shared.sides }
    private var book: Book { shared.book }

    // MARK: Standings

    mutating func update(to everything: Book, changed cells: [Cell]) -> ScoreboardChange {
        var merged: Set<Cell> = []
        var areOthersOverruled = false
        for cell in cells {
            let update = shared.update(cell, of: everything)
            merged.insert(update.cell)
            if update.isOther { areOthersOverruled = true }
        }
        let change = inner.update(to: book, changed: merged.sorted())
        var result = change
        result.cells = Set(change.cells.flatMap(sides.cells)).union(cells)
        result.lines = Set(change.lines.flatMap(sides.members).map(\.id))
        if areOthersOverruled { result.areFlagsDifferent = true }
        // The next member of a side depends on who had the last turn.
        if turnRow != nil { result.isOtherTurn = true }
        return result
    }

    func standings(of everything: Book) -> Standings {
        let standings = inner.standings(of: book)
        let lines = Dictionary(standings.players.map { ($0.player.id, $0) }) { first, _ in first }
        let seated = sides.everybody.filter(\.isPresent) + sides.everybody.filter { !$0.isPresent }
        let players = seated.compactMap { player in
            lines[sides.side(of: player.id)].map { side in
                PlayerStanding(
                    player: player,
                    total: side.total,
                    rank: player.isPresent ? side.rank : nil,
                    tieBreak: player.isPresent ? side.tieBreak : nil,
                    cells: ScoredCells(
                        MemberCells(
                            player: player.id,
                            own: everything.column(of: player.id),
                            side: side.cells,
                            added: shared.added
                        )
                    ),
                    computed: side.computed
                )
            }
        }
        let teams = teams(lines)
        var next: Player?
        var turnNotes: [Note] = []
        if let side = standings.turn, turnRow != nil, !rules.acceptsMovesFromAnyone {
            next = self.next(of: side)
            if let next, let team = book.player(side)?.name, sides.members(of: side).count > 1 {
                turnNotes = [Note("\(next.name) is next for \(team)")]
            }
        }
        var headlines: [PlayerID: Headline] = [:]
        for player in sides.everybody {
            headlines[player.id] = standings.headlines[sides.side(of: player.id)]
        }
        return Standings(
            players: players,
            teams: teams,
            isFinished: standings.isFinished,
            isDecided: standings.isDecided,
            turn: next?.id ?? standings.turn,
            turnNumber: standings.turnNumber,
            flags: flags(standings.flags, of: everything),
            notes: standings.notes + turnNotes,
            totalLabel: standings.totalLabel,
            moveInput: standings.moveInput,
            headlines: headlines,
            darts: standings.darts,
            endings: .shared(standings.endings, sides),
            match: standings.match?.expanded(to: sides)
        )
    }

    /// Returns the ranked teams, best first.
    private func teams(_ lines: [PlayerID: PlayerStanding]) -> [TeamStanding] {
        sides.players.indices.compactMap { place -> TeamStanding? in
            guard sides.areTeams[place], let line = lines[sides.players[place].id],
                let rank = line.rank
            else { return nil }
            return TeamStanding(
                name: sides.players[place].name,
                total: line.total,
                rank: rank,
                members: sides.members[place].filter(\.isPresent)
            )
        }
        .sorted { $0.rank < $1.rank }
    }

    /// Returns the flags, on the cells and names of members.
    private func flags(_ flags: [Flag], of everything: Book) -> [Flag] {
        flags.flatMap { flag -> [Flag] in
            guard case .cell(let cell) = flag.subject else { return [flag] }
            let written = sides.cells(at: cell).filter(everything.isWritten)
            return written.map { Flag($0, reasonOf: flag) }
        }
            + shared.overruled.map { entry in
                let holder = everything.player(entry.holder)?.name ?? "a partner"
                return Flag(
                    .cell(entry.place),
                    RuleViolation("\(holder) entered this for the team later, and that counts")
                )
            }
    }

    // MARK: Turns

    /// The row of the turns; nil in a game of rows.
    private var turnRow: Symbol? { Inner.Rules.codedRows?.first?.id }

    /// Returns the member of a side who has the next turn; nil if all have left.
    private func next(of side: PlayerID) -> Player? {
        let members = sides.members(of: side)
        guard let row = turnRow,
            let round = book.lastRound(of: row, for: side, upTo: Cell.lastRound)
        else { return members.first(where: \.isPresent) }
        let last = book.member(of: Cell(player: side, row: row, round: round))
        return (1...members.count).lazy.map { members[(last + $0) % members.count] }
            .first(where: \.isPresent)
    }

    private func otherTurn(of member: Player, in side: PlayerID) -> RuleViolation {
        let team = book.player(side)?.name ?? member.name
        return RuleViolation("\(member.name) is next for \(team)", code: .otherTurn)
    }

    func play(
        _ move: Move,
        in everything: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        let player = move.player.flatMap { everything.player($0) }
        if let player, !player.isPresent { throw .removedPlayer(name: player.name) }
        let shared = Move(
            move.words,
            by: player.map { sides.side(of: $0.id) },
            details: move.details
        )
        let played = try inner.play(shared, in: book, with: &context)
        guard let side = played.player else { return played }
        let next = next(of: side)
        if let player, let next, player.id != next.id, !rules.acceptsMovesFromAnyone,
            sides.side(of: player.id) == side
        {
            throw otherTurn(of: next, in: side)
        }
        let isOwn = player.map { sides.side(of: $0.id) == side } ?? false
        let member = (isOwn ? player?.id : next?.id) ?? side
        return Played(
            by: member,
            writes: played.writes.map { score in
                guard score.cell.player == side else { return score }
                let cell = Cell(player: member, row: score.cell.row, round: score.cell.round)
                return Score(cell, score.value)
            },
            options: played.options,
            notes: played.notes
        )
    }

    func reset(of everything: Book) throws(RuleViolation) -> Reset {
        let reset = try inner.reset(of: book)
        let cells = reset.writes.flatMap { sides.cells(at: $0.cell) }.filter(everything.isWritten)
        return Reset(question: reset.question, clearing: cells)
    }

    func openRound(in everything: Book) -> UInt32? { inner.openRound(in: book) }
    var nextTurn: Int? { inner.nextTurn }
    var panels: [Panel] { inner.panels }
    var hasPanels: Bool { inner.hasPanels }
    var board: Panel.Board? { inner.board }
    func turn(of cell: Cell) -> Int? { inner.turn(of: sides.shared(cell)) }

    // MARK: Checks

    func check(_ score: Score, in everything: Book) throws(RuleViolation) {
        try check([score], in: everything)
    }

    func check(_ scores: [Score], in everything: Book) throws(RuleViolation) {
        for score in scores {
            guard let player = everything.player(score.cell.player) else {
                throw .unknownPlayer(score.cell.player)
            }
            guard player.isPresent else { throw .removedPlayer(name: player.name) }
            try checkPartners(score, of: player, in: everything)
        }
        let shared = scores.map { score in
            Score(sides.shared(score.cell), self.shared.value(after: score, in: everything))
        }
        try inner.check(shared, in: book)
    }

    /// Throws if a partner has entered the same, or has the next turn.
    private func checkPartners(
        _ score: Score,
        of player: Player,
        in everything: Book
    ) throws(RuleViolation) {
        let cell = score.cell
        guard score.value != .null, !everything.isWritten(cell),
            !shared.added.contains(cell.row)
        else { return }
        let side = sides.side(of: player.id)
        if let partner = shared.partners(of: cell, in: everything).first {
            let name = everything.player(partner.cell.player)?.name ?? "a partner"
            let team = book.player(side)?.name ?? name
            let place = "\(cell.row)\(cell.round.map { ".\($0)" } ?? "")"
            throw RuleViolation(
                "\(name) has entered \(place) for \(team): \(partner.value.wordsByItself)",
                hint: "to correct it: scorectl score \(name) \(place)=…"
            )
        }
        guard cell.row == turnRow, !rules.acceptsMovesFromAnyone, let next = next(of: side),
            next.id != player.id, let round = cell.round,
            round > book.lastRound(of: cell.row, for: side, upTo: Cell.lastRound) ?? 0
        else { return }
        throw otherTurn(of: next, in: side)
    }

    func check(option: Symbol, in everything: Book) throws(RuleViolation) {
        try inner.check(option: option, in: book)
    }

    func checkComputer(in everything: Book) throws(RuleViolation) {
        try inner.checkComputer(in: book)
    }

    // MARK: Words

    /// Returns what partners have entered together in a row that is added, or the game's own remark.
    func remark(on cell: Cell) -> Note? {
        let side = sides.shared(cell)
        guard shared.sums.contains(side), let row = rules.sheet.row(cell.row),
            let live = book[side], let team = book.player(side.player)?.name
        else { return inner.remark(on: side) }
        let label = row.label(ofRound: cell.round)
        return Note("\(team) together: \(label) = \(live.winner.value.wordsByItself)")
    }

    func words(in everything: Book) -> GameWords {
        let (words, sides) = (inner.words(in: book), sides)
        return GameWords(
            cell: { words.cell(sides.shared($0)) },
            value: { words.value(Score(sides.shared($0.cell), $0.value)) },
            isOfTable: { words.isOfTable(Score(sides.shared($0.cell), $0.value)) }
        )
    }

    func carriedOver(from everything: Book) -> Played { inner.carriedOver(from: book) }
}
