import SessionCRDT

/// A game of bowling: a column of at most ten frames for each player, replayed when it changes.
struct BowlingGame: CodedGame {
    let rules: BowlingRules
    var cached = CachedStandings()
    /// The players in seat order, including removed ones.
    let players: [Player]
    /// The state of each player's game, by seat.
    private(set) var states: [BowlingState] = []

    /// The time at which each player's latest frame that counts was written, by seat.
    private var latest: [Stamp?] = []
    /// The member of each side who bowled each frame, by seat.
    private var bowlers: [[Int]] = []
    private let hasPartners: Bool
    private let seats: [PlayerID: Int]
    private let settings: Settings

    static let words = TurnWords(game: "game", turn: "frame", verb: "bowl", part: "game")

    init(reading book: Book, by rules: BowlingRules) {
        self.rules = rules
        players = book.players
        seats = book.players.seats
        settings = Settings(rules.sheet, book)
        hasPartners = book.partners != nil
        for player in book.players {
            let (state, stamp) = read(player.id, in: book)
            states.append(state)
            latest.append(stamp)
            bowlers.append(bowlers(of: player.id, state, in: book))
        }
    }

    mutating func apply(_ cells: [Cell], of book: Book, _ diff: inout ScoreboardChange) -> [Cell]? {
        let before = states
        var touched = cells
        for seat in Set(cells.compactMap { seats[$0.player] }) {
            let id = players[seat].id
            (states[seat], latest[seat]) = read(id, in: book)
            bowlers[seat] = bowlers(of: id, states[seat], in: book)
            // Whether a frame counts depends on those before it.
            touched += (1...BowlingFrame.count).map { BowlingGame.cell(id, $0) }
        }
        diff.arePanelsDifferent = states != before
        return touched
    }

    private static func cell(_ player: PlayerID, _ number: Int) -> Cell {
        Cell(player: player, row: BowlingRules.row, round: UInt32(clamping: number))
    }

    /// Returns the member of a side who bowled each frame; empty if nobody has partners.
    private func bowlers(of player: PlayerID, _ state: BowlingState, in book: Book) -> [Int] {
        guard hasPartners else { return [] }
        return state.frames.indices.map { book.member(of: BowlingGame.cell(player, $0 + 1)) }
    }

    /// Reads the frames of a player up to the first one that is missing or invalid.
    private func read(_ player: PlayerID, in book: Book) -> (BowlingState, Stamp?) {
        var state = BowlingState()
        var stamp: Stamp?
        while !state.isOver {
            let cell = BowlingGame.cell(player, state.frames.count + 1)
            guard let winner = book[cell]?.winner,
                let frame = try? rules.frame(of: winner.value, in: cell)?.frame
            else { break }
            state.add(frame)
            stamp.advance(to: winner.stamp)
        }
        return (state, stamp)
    }

    /// Returns the pins of a frame, if it counts.
    ///
    /// The total adds the bonuses of strikes and spares. If frames contained them, each frame would
    /// change the points of previous ones.
    func score(of bookCell: BookCell) -> CellScore {
        let cell = bookCell.cell
        guard cell.row == BowlingRules.row, let round = cell.round, round > 0,
            let seat = seats[cell.player], round <= states[seat].frames.count
        else { return CellScore(uncounted: bookCell, by: rules.sheet) }
        let pins = states[seat].frames[Int(round) - 1].pins
        return CellScore(points: Int64(pins), isFlagged: false)
    }

    func flagsOfGame(in book: Book) -> [Flag] { settings.flags }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            _ = try rules.frame(of: bookCell.value, in: bookCell.cell)
            return gap(of: player)
        } catch { return error }
    }

    /// Returns the reason why no frame after the open one of a player counts.
    private func gap(of player: Player) -> RuleViolation {
        let count = seats[player.id].map { states[$0].frames.count } ?? 0
        return RuleViolation(
            "frame \(count + 1) comes first, and nothing of \(player.name) counts there"
        )
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard let number = try rules.frame(of: score.value, in: score.cell)?.number,
            let seat = seats[score.cell.player]
        else { return }
        let count = states[seat].frames.count
        guard count > 0 || !isOver else { throw BowlingGame.words.over(winners: []) }
        guard number <= count + 1 else { throw gap(of: players[seat]) }
    }

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        let seat = try seat(for: move)
        let cell = BowlingGame.cell(players[seat].id, states[seat].frames.count + 1)
        let frame = try BowlingFrame(typed: move.words, number: states[seat].frames.count + 1)
        var after = self
        after.states[seat].add(frame)
        return Played(
            by: cell.player,
            writes: [Score(cell, .text(frame.spelling))],
            notes: [after.reply(to: frame, by: seat)] + after.notes(isFinished: false)
        )
    }

    private func seat(for move: Move) throws(RuleViolation) -> Int {
        guard !isOver else { throw BowlingGame.words.over(winners: []) }
        guard let bowler else { throw BowlingGame.words.noPlayer }
        guard let player = move.player, player != players[bowler].id else { return bowler }
        guard let other = players.firstIndex(where: { $0.id == player }) else {
            throw .unknownPlayer(player)
        }
        let name = players[other].name
        guard players[other].isPresent else { throw .removedPlayer(name: name) }
        guard !states[other].isOver else {
            throw RuleViolation("\(name) has bowled all \(BowlingFrame.count) frames")
        }
        throw RuleViolation(
            "\(players[bowler].name) bowls next, frame \(states[bowler].frames.count + 1)",
            hint: "enter what \(name) bowled out of turn with: "
                + "scorectl score \(name) frame.\(states[other].frames.count + 1)=…"
        )
    }

    /// Whether all present players who take part have bowled all frames, and at least one player
    /// has.
    var isOver: Bool { hasEnded && participants.allSatisfy { states[$0].isOver } }

    private var hasEnded: Bool { states.contains(where: \.isOver) }

    /// The seats that are present and take part: no player can start after another has finished.
    private var participants: [Int] {
        let hasEnded = hasEnded
        return players.indices.filter {
            players[$0].isPresent && !(hasEnded && states[$0].frames.isEmpty)
        }
    }

    /// The seat that bowls next; nil after the end.
    var bowler: Int? {
        let open = participants.filter { !states[$0].isOver }
        // `min` returns the first of equal elements.
        return open.min { states[$0].frames.count < states[$1].frames.count }
    }

    var nextTurn: Int? {
        bowler.flatMap { turn(of: BowlingGame.cell(players[$0].id, states[$0].frames.count + 1)) }
    }

    /// Returns the number of a frame among those of all players, who bowl in the order of seats.
    func turn(of cell: Cell) -> Int? {
        guard cell.row == BowlingRules.row, let round = cell.round, round > 0,
            let seat = seats[cell.player]
        else { return nil }
        return (Int(round) - 1) * players.count + seat + 1
    }

    /// The seats that are ranked: the present ones that have bowled, and after the end all that
    /// have bowled all frames, so that no player wins only because the leader left.
    private var ranked: [Int] {
        isOver
            ? players.indices.filter { states[$0].isOver }
            : players.indices.filter { players[$0].isPresent && !states[$0].frames.isEmpty }
    }

    private func score(of seat: Int) -> StandingLines.Score {
        let total = total(of: seat)
        return (total, [total])
    }

    /// Returns the pins of a player with the handicap.
    private func total(of seat: Int) -> Int64 {
        let range = BowlingRules.handicaps
        let start = min(
            max(players[seat].start?.roundedDown ?? 0, range.lowerBound),
            range.upperBound
        )
        return Int64(states[seat].total) + start
    }

    func lines(of book: Book) -> StandingLines {
        StandingLines(
            book,
            isOver: isOver,
            mover: bowler.map { players[$0].id },
            ranked: Set(ranked),
            by: score
        )
    }

    /// The game once it has ended, with all players who have bowled all frames.
    var endings: Standings.Endings {
        guard isOver else { return .outcomes([]) }
        let bowled = ranked.map { seat in
            (players[seat], score(of: seat), BowlingRules.tally(states[seat].frames))
        }
        let shares = ranked.map { seat in
            Dictionary(grouping: zip(bowlers[seat], states[seat].frames)) { $0.0 }
                .mapValues { BowlingRules.tally($0.map(\.1)) }
        }
        let stamp = ranked.compactMap { latest[$0] }.max()
        let outcome = Outcome(
            at: stamp,
            countsAlone: false,
            of: bowled,
            shares: hasPartners ? shares : []
        )
        return .outcomes([outcome])
    }

    func notes(isFinished: Bool) -> [Note] {
        if isOver {
            let best = ranked.sorted { (total(of: $1), $0) < (total(of: $0), $1) }
            let list = best.map { "\(players[$0].name) \(total(of: $0))" }
            return [Note("final scores: " + list.joined(separator: ", "))]
        }
        guard !isFinished, let bowler else { return [] }
        let frame = states[bowler].frames.count + 1
        return [Note("\(players[bowler].name) to bowl, frame \(frame)")]
    }

    private func reply(to frame: BowlingFrame, by seat: Int) -> Note {
        let running = states[seat].runningScores
        let known = running.lastIndex { $0 != nil }.flatMap { index in
            running[index].map { ", \($0) after frame \(index + 1)" }
        }
        let name = players[seat].name
        return Note("\(name): \(frame.spelling) in frame \(running.count)" + (known ?? ""))
    }

    var moveInput: MoveInput { MoveInput(kind: .pins, title: "Frame", help: "As X, 7/, 72 or 9-") }

    /// The seats of those who play or have played.
    private var shown: [Int] {
        players.indices.filter { players[$0].isPresent || !states[$0].frames.isEmpty }
    }

    var hasPanels: Bool { !shown.isEmpty }

    /// The frames of all players, with the running scores below where they are known.
    var panels: [Panel] {
        let shown = shown
        guard !shown.isEmpty else { return [] }
        let frames = 0..<BowlingFrame.count
        func padded(_ texts: [String]) -> [String] {
            texts + frames.dropFirst(texts.count).map { _ in "" }
        }
        let rows = shown.flatMap { seat in
            let state = states[seat]
            let scores = state.runningScores.map { $0.map { "\($0)" } ?? "" }
            return [
                Panel.GridRow(
                    (seat == bowler ? "> " : "  ") + players[seat].name,
                    padded(state.frames.map(\.spelling)) + ["\(state.highest)"]
                ),
                Panel.GridRow("", padded(scores) + [""]),
            ]
        }
        return [.table("Frames", columns: frames.map { "\($0 + 1)" } + ["Highest"], rows)]
    }
}
