import SessionCRDT

struct GhostGame: TurnGame {
    let rules: GhostRules
    var record: TurnRecord<GhostState>
    var cached: CachedStandings

    var losses: Chunks<GhostRound> { record.parts }
    var totalLabel: String { "Lives" }

    /// Throws unless the score is one of the conflicting letters in its cell, with its recorded
    /// verdict.
    ///
    /// Other letters cannot be judged here, and a typed verdict would be accepted as true.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let cell = score.cell
        guard cell.row == GhostSetup.row else {
            throw .unknownRow(cell.row.description, candidates: [GhostSetup.row])
        }
        guard book[cell]?.entries.contains(where: { $0.value == score.value }) == true else {
            throw GhostLetter.unjudged
        }
        try checkTurn(score, in: book)
    }

    /// Returns the names for letters: the letter, and the beginning of a word that it completed.
    func words(in book: Book) -> GameWords {
        GameWords(value: { score in
            score.cell.row == GhostSetup.row ? GhostLetter(score.value)?.words : nil
        })
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !GhostSetup.recorded.contains(option) else {
            throw RuleViolation(
                "\(option) is recorded by the first letter; choose a word list with language or "
                    + "list"
            )
        }
        guard turns.isEmpty else { throw GhostSetup.begun(option: option) }
    }

    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        try move.checkDetails(GhostSetup.words)
        let beginning = state.beginning + (try letter(of: move.words))
        let mover = try mover(in: book, asked: move.player)
        guard record.openTurn <= Cell.lastRound else {
            throw .noRoundLeft(row: GhostSetup.row)
        }
        let wordList = try wordList(context)
        let verdict = GhostVerdict(beginning, by: wordList, minimum: setup.stakes.minimum)
        let letter = GhostLetter(beginning: beginning, verdict: verdict)
        let after = try playing(letter, by: mover).game
        let cell = setup.cell(mover, turns.count + 1)
        let isRecorded = !turns.isEmpty && setup.recordedList != nil
        return Played(
            by: cell.player,
            writes: [Score(cell, letter.value)],
            options: isRecorded ? [:] : setup.record(wordList),
            notes: verdict == .open ? [] : after.lossNotes
        )
    }

    /// Returns the seat to move; throws if another one was asked for.
    private func mover(in book: Book, asked: PlayerID?) throws(RuleViolation) -> Int {
        let count = book.players.count(where: \.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: count) { throw violation }
        guard let mover = state.mover else {
            throw .playerCount(1, allowed: Bounds(within: 2...Int64.max))
        }
        guard let asked, asked != setup.players[mover].id else { return mover }
        guard let other = book.player(asked) else { throw .unknownPlayer(asked) }
        throw setup.seats[asked] == nil
            ? setup.violation(byStranger: other, at: record.openTurn)
            : setup.otherTurn(record.openTurn, of: mover)
    }

    /// Returns the typed letter in lower case and without accent.
    private func letter(of words: [String]) throws(RuleViolation) -> String {
        let typed = words.joined(separator: " ")
        let lower = typed.lowercased()
        guard let character = lower.first, lower.count == 1,
            let letter = Alphabet.letter(character)
        else { throw RuleViolation("a turn is one letter from a to z, not \(typed.quoted)") }
        return String(UnicodeScalar(letter))
    }

    /// Returns this device's word list; throws if it differs from the one of the game.
    private func wordList(_ context: MoveContext) throws(RuleViolation) -> WordList {
        // The list of an earlier game, or of a first letter that was undone, is not binding.
        guard !turns.isEmpty, let recorded = setup.recordedList else {
            return try context.wordList(setup.chosenList)
        }
        let wordList = try context.wordList(recorded.name)
        guard wordList.fingerprint == recorded.fingerprint else {
            throw RuleViolation(
                "this game is played with a word list \(recorded.name.quoted) that differs from "
                    + "the one here (SHA-256 \(recorded.fingerprint.prefix(12)) there, "
                    + "\(wordList.fingerprint.prefix(12)) here): install the same version of it, "
                    + "or let another device enter the letter"
            )
        }
        return wordList
    }

    /// Returns a reset of the current round; after the end, of the last round.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        let letters = state.beginning.uppercased()
        let shown = letters.isEmpty ? "" : " (\(letters))"
        return try reset(of: book, from: state.roundStart + 1) { _ in
            "Begin this round\(shown) again?"
        }
    }

    /// Returns the lines: more lives first, then players who were out later.
    ///
    /// No player has a rank before the first lost round; players who leave before the end have
    /// none, players who leave after it keep theirs.
    func lines(of book: Book) -> StandingLines {
        var outs: [Int: Int] = [:]
        for (index, loss) in losses.enumerated() where loss.livesLeft == 0 {
            outs[loss.seat] = index
        }
        return StandingLines(
            book,
            isOver: state.isOver,
            mover: mover,
            canBeBrokenOff: false,
            showsAbsent: true
        ) { index in
            let player = book.players[index]
            guard let seat = setup.seats[player.id] else { return (0, nil) }
            let lives = Int64(state.lives[seat])
            let isRanked = !losses.isEmpty && (player.isPresent || state.isOver)
            return (lives, isRanked ? [lives, Int64(outs[seat] ?? 0)] : nil)
        }
    }

    var endings: Standings.Endings {
        guard cached.lines.isFinished, !losses.isEmpty else { return .outcomes([]) }
        let lost = Dictionary(grouping: losses, by: \.seat)
        let players = cached.lines.lines.compactMap { line in
            line.rank.flatMap { rank in
                setup.seats[line.player.id].map { seat in
                    let tally = GhostRules.tally(lost[seat] ?? [], letters: state.counts[seat])
                    return (line.player, (line.total, [0 - Int64(rank)]), tally)
                }
            }
        }
        return .outcomes([Outcome(at: state.latest, of: players)])
    }

    private static let ghost = "GHOST"

    func notes(isFinished: Bool) -> [Note] {
        guard !turns.isEmpty, state.mover == nil, !isFinished else { return lossNotes }
        let tooFew = "fewer than two players are left: restore one to go on, or finish the session"
        return lossNotes + [Note(tooFew)]
    }

    private var lossNotes: [Note] {
        guard let loss = losses.last else { return [] }
        guard setup.hasRounds else { return [Note(words(of: loss))] }
        let isOut = loss.livesLeft == 0
        let letters = GhostGame.letters(left: loss.livesLeft) + (isOut ? ", and out" : "")
        return [Note(words(of: loss) + ": " + (setup.stakes.isTable ? letters : "out"))]
    }

    private func words(of loss: GhostRound) -> String {
        let (made, name) = (loss.letter.beginning, name(loss.seat))
        guard loss.letter.verdict != .complete else {
            return "\(name) completed \(made.uppercased())"
        }
        let minimum = setup.stakes.minimum
        let word = made.utf8.count < minimum ? "no word of \(minimum) letters or more" : "no word"
        return "\(word) begins with \(made.uppercased()), which \(name) made"
    }

    /// Returns the letters of G-H-O-S-T of a player with a number of lives left.
    private static func letters(left: Int) -> String {
        String(ghost.prefix(max(0, ghost.utf8.count - left)))
    }

    var moveInput: MoveInput { MoveInput(kind: .letters, title: "Add a letter") }

    var panels: [Panel] {
        let beginning = state.beginning.uppercased()
        let text = Panel.text(
            title: setup.hasRounds ? "Round \(losses.count + (state.isOver ? 0 : 1))" : "Beginning",
            lines: [beginning.isEmpty ? "no letter yet" : beginning]
        )
        guard setup.hasRounds else { return [text] }
        let letters = setup.players.indices.map { seat in
            Panel.GridRow(name(seat), [GhostGame.letters(left: state.lives[seat])])
        }
        let rounds = zip(1..., losses).map { Panel.GridRow("\($0)", [words(of: $1)]) }
        return [text] + (setup.stakes.isTable ? [.table("Letters", letters)] : [])
            + (losses.isEmpty ? [] : [.table("Rounds", rounds)])
    }
}

extension GhostRules {
    private static let lost = Symbol(known: "lost")
    private static let completed = Symbol(known: "completed")
    private static let impossible = Symbol(known: "impossible")
    private static let letters = Symbol(known: "letters")

    static func tally(_ losses: [GhostRound], letters count: Int) -> [Symbol: Int64] {
        let words = losses.count { $0.letter.verdict == .complete }
        return [
            letters: Int64(count), lost: Int64(losses.count), completed: Int64(words),
            impossible: Int64(losses.count - words),
        ]
    }

    package func statistics(of games: [PlayerOutcome]) -> [Statistic] {
        [
            .count("games", "Games", games),
            .wins("wins", "Wins", games),
            .sum(Self.lost, "Rounds lost", games),
            .sum(Self.completed, "Words completed", games),
            .sum(Self.impossible, "Impossible beginnings", games),
            .sum(Self.letters, "Letters entered", games),
        ]
    }
}
