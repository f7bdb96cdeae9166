import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls that write scores.
struct ScoreCalls {
    let sessions: SessionCatalog
    let computers: ComputerPlayers
    let writer: SessionWriter
    let device: DeviceID

    func register(on router: inout ControlRouter) {
        router.answerLater(.score, with: score)
        router.answerLater(.clear, with: clear)
        router.answerLater(.resolve, with: resolve)
    }

    private func score(
        _ request: WordsParameters,
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        let desk = try WritingDesk(try sessions.session(request.session))
        try desk.checkSpaces(in: request.words)
        try desk.checkRows(of: request.words)
        let parser = ScoreParser(desk.sheet)
        let (player, texts) = try desk.subject(of: request.words) { parser.isScore($0) }
        guard !texts.isEmpty else {
            throw ControlError(.usage, "say what to score, as in: scorectl score Ann 42")
        }
        try score(texts, of: player, at: desk, then: answer)
    }

    /// Writes what the texts say of a player, and of nobody else, with marks beside it.
    func score(
        _ texts: [String],
        of player: Player,
        at desk: WritingDesk,
        marked marks: [Mutation] = [],
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        try desk.checkForm(of: texts, for: player)
        try computers.refuseHand(for: player, in: desk.session, of: desk.sheet)
        let scores: [Score]
        do throws(RuleViolation) {
            scores = try ScoreParser(desk.sheet).scores(texts, for: player.id, in: desk.book)
            for score in scores { try desk.game.check(score, in: desk.book) }
        } catch { throw ControlError(error) }
        try checkChoices(scores, at: desk)
        // Who said the round knows where it goes.
        let isSaid = texts.contains { $0.prefix { $0 != "=" }.contains(".") }
        let whole = isSaid ? nil : desk.sheet.wholeRound(of: scores.map(\.cell), in: desk.book)
        let remarks = whole.map { label, next in
            ["\(label) was whole already; what is of the next one is entered as \(next)=…"]
        }
        write(scores, of: player, at: desk, marked: marks, remarks: remarks ?? [], then: answer)
    }

    /// Refuses a choice that does not count beside all else that is entered, as of which colour of
    /// Container is dropped.
    private func checkChoices(_ scores: [Score], at desk: WritingDesk) throws(ControlError) {
        let choices = scores.filter { desk.sheet.decidesDrop($0.cell.row) }.map(\.cell)
        guard !choices.isEmpty else { return }
        let supposed = desk.session.supposing(Mutation.scores(scores), on: desk.board)
        for flag in supposed.standings?.flags ?? [] {
            guard case .cell(let cell) = flag.subject, choices.contains(cell),
                flag.reason.code == .notTheMost
            else { continue }
            throw ControlError(flag.reason)
        }
    }

    private func clear(
        _ request: WordsParameters,
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        let desk = try WritingDesk(try sessions.session(request.session))
        let (player, places) = try desk.subject(of: request.words) { desk.isPlace($0) }
        guard !places.isEmpty else {
            throw ControlError(.usage, "say what to clear, as in: scorectl clear Ann round.3")
        }
        let scores = try desk.clearings(places, of: player)
        write(scores, of: player, at: desk, then: answer)
    }

    private func resolve(
        _ request: WordsParameters,
        then answer: @escaping Answer<WrittenReply>
    ) throws(ControlError) {
        guard request.words.count == 3 else {
            throw ControlError(
                .usage,
                "write: scorectl resolve PLAYER ROW[.ROUND] VALUE, as `conflicts` lists it"
            )
        }
        let desk = try WritingDesk(try sessions.session(request.session))
        let player = try Naming.player(request.words[0], among: desk.board.players)
        let score = try desk.choice(request.words[1], request.words[2], of: player)
        do throws(RuleViolation) { try desk.game.check(score, in: desk.book) } catch {
            throw ControlError(error)
        }
        write([score], of: player, at: desk, then: answer)
    }

    /// Writes scores that have been checked, in one commit, and answers with what they replaced.
    private func write(
        _ scores: [Score],
        of player: Player,
        at desk: WritingDesk,
        marked marks: [Mutation] = [],
        remarks: [String] = [],
        then answer: @escaping Answer<WrittenReply>
    ) {
        let mutations = Mutation.scores(scores)
        let written = WrittenScores(
            player: player.id,
            places: scores.map(\.cell),
            cells: scores.map { desk.written($0, of: player.id) },
            wasOver: desk.session.board.isOver,
            consequences: desk.sheet.gameEngine == .rows
                ? .none : desk.consequences(of: mutations),
            remarks: remarks
        )
        writer.write(mutations + marks, to: desk.session) { [device] result in
            answer(result.map { written.reply(on: desk.session.board, by: device) })
        }
    }
}

/// What a command wrote, for the answer to it.
struct WrittenScores {
    /// Whom the answer is about.
    let player: PlayerID
    /// Where it wrote.
    let places: [Cell]
    /// What it wrote there, as clients see it.
    let cells: [WrittenCell]
    /// Whether the game was over before.
    let wasOver: Bool
    /// What it changed besides.
    let consequences: Consequences
    /// What else to know of it.
    var remarks: [String] = []

    /// What was written by a device, with the player's total now.
    func reply(on board: Scoreboard, by device: DeviceID) -> WrittenReply {
        let now = board.player(player)
        let standings = board.standings
        var notes: [String] = []
        if let now, now.wasKeptIn {
            notes.append("\(now.name) was removed by somebody meanwhile and stays in")
        }
        if let standings { notes += endNotes(standings) }
        if let sheet = try? board.sheet.get() {
            notes += sheet.openRounds(of: places, in: board.book).map(\.description)
        }
        notes += remarks + consequences.notes
        notes += board.losses(of: device, telling: places, besides: consequences, standings)
        return WrittenReply(
            player: now?.name ?? "",
            cells: cells,
            // A count of discs or legs is no total of what was written.
            total: standings.flatMap { $0.panels.isEmpty ? $0[player]?.total : nil },
            notes: notes
        )
    }

    /// Who has won, where a command ended the game or changed one that was over.
    private func endNotes(_ standings: Standings) -> [String] {
        guard standings.isFinished else {
            // Whose turn it is says the same.
            return wasOver && standings.turn == nil ? ["the game is not over any more"] : []
        }
        let names = standings.winners.compactMap { standings[$0]?.player.name }
        let verb = names.count == 1 ? " has won" : " have won"
        let won = names.isEmpty ? [] : [names.joined(separator: ", ") + verb]
        let change = wasOver ? ["this changes a game that is over"] : []
        let note = (won + change).joined(separator: "; ")
        return note.isEmpty ? [] : [note]
    }
}

extension Scoreboard {
    /// Whether the game is over by its rules.
    var isOver: Bool { standings?.isFinished ?? false }
}

extension WrittenCell {
    /// How a score is reported: whose it is, unless the answer says it, what it says and what was
    /// live in its cell.
    init(
        _ score: Score,
        of player: String?,
        replacing live: LiveSet?,
        on sheet: Sheet,
        in gameWords: GameWords
    ) {
        let cell = score.cell
        let row = sheet.row(cell.row)
        let before = (live.map { [$0.winner] + $0.losers } ?? []).map(\.value)
            .filter { $0 != .null }
        self.init(
            player: player,
            row: cell.row.description,
            label: gameWords.label(of: cell, on: sheet),
            round: cell.round.map(Int.init),
            value: Scalar(gameWords.visibleValue(of: score)),
            text: gameWords.value(score)?.shown,
            count: row.flatMap { $0.isNumeric ? $0.count(of: score.value) : nil },
            replaced: before.map { Scalar(gameWords.visibleValue(of: Score(cell, $0))) },
            replacedTexts: gameWords.texts(of: before, in: cell)
        )
    }
}
