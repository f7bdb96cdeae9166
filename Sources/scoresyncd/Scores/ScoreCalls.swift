import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls that write scores.
@EventLoop
struct ScoreCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.score, with: score)
        router.answer(.clear, with: clear)
        router.answer(.resolve, with: resolve)
    }

    private func score(_ request: WordsParameters) async throws(ControlError) -> WrittenReply {
        let input = try ScoreInput(try sessions.session(request.session))
        try input.checkSpaces(in: request.words)
        try input.checkRows(of: request.words)
        let parser = ScoreParser(input.sheet)
        let (player, texts) = try input.subject(of: request.words) { parser.isScore($0) }
        guard !texts.isEmpty else {
            throw ControlError(.usage, "no score given", hint: "for example: scorectl score Ann 42")
        }
        return try await score(texts, of: player, at: input)
    }

    /// Writes what the texts say of a player, and of nobody else, with marks beside it.
    func score(
        _ texts: [String],
        of player: Player,
        at input: ScoreInput,
        marked marks: [Mutation] = []
    ) async throws(ControlError) -> WrittenReply {
        try input.checkForm(of: texts, for: player)
        try computers.refuseHand(for: player, in: input.session, of: input.sheet)
        let scores: [Score]
        do throws(RuleViolation) {
            scores = try ScoreParser(input.sheet).scores(texts, for: player.id, in: input.book)
            try input.game.check(scores, in: input.book)
        } catch { throw ControlError(error) }
        // Who said the round knows where it goes.
        let isSaid = texts.contains { $0.prefix { $0 != "=" }.contains(".") }
        let whole = isSaid ? nil : input.sheet.wholeRound(of: scores.map(\.cell), in: input.book)
        let remarks = whole.map { label, next in
            ["\(label) was whole already; what is of the next one is entered as \(next)=…"]
        }
        return try await write(scores, of: player, at: input, marked: marks, remarks: remarks ?? [])
    }

    private func clear(_ request: WordsParameters) async throws(ControlError) -> WrittenReply {
        let input = try ScoreInput(try sessions.session(request.session))
        let (player, places) = try input.subject(of: request.words) { input.isPlace($0) }
        guard !places.isEmpty else {
            throw ControlError(
                .usage,
                "nothing to clear given",
                hint: "for example: scorectl clear Ann round.3"
            )
        }
        return try await write(try input.clearings(places, of: player), of: player, at: input)
    }

    private func resolve(_ request: WordsParameters) async throws(ControlError) -> WrittenReply {
        guard request.words.count == 3 else {
            throw ControlError(
                .usage,
                "a player, a row and a value are needed",
                hint: "write: scorectl resolve PLAYER ROW[.ROUND] VALUE, as `conflicts` lists it"
            )
        }
        let input = try ScoreInput(try sessions.session(request.session))
        let player = try Naming.player(request.words[0], among: input.board.players)
        let score = try input.choice(request.words[1], request.words[2], of: player)
        do throws(RuleViolation) { try input.game.check([score], in: input.book) } catch {
            throw ControlError(error)
        }
        return try await write([score], of: player, at: input)
    }

    /// Writes scores that have been checked, in one commit, and answers with what they replaced.
    private func write(
        _ scores: [Score],
        of player: Player,
        at input: ScoreInput,
        marked marks: [Mutation] = [],
        remarks: [String] = []
    ) async throws(ControlError) -> WrittenReply {
        let mutations = Mutation.scores(scores)
        let written = WrittenScores(
            player: player.id,
            places: scores.map(\.cell),
            cells: scores.map { input.written($0, of: player.id) },
            wasOver: input.session.board.isOver,
            sideEffects: input.sheet.hasMoves ? input.sideEffects(of: mutations) : .none,
            remarks: remarks
        )
        try await writer.write(mutations + marks, to: input.session)
        return written.reply(on: input.session.board, by: device.id)
    }
}

/// The writes of a command, from which its reply is made.
@EventLoop
struct WrittenScores {
    let player: PlayerID
    let places: [Cell]
    let cells: [WrittenCell]
    /// Whether the game was over before.
    let wasOver: Bool
    let sideEffects: SideEffects
    var remarks: [String] = []

    /// The reply, with the player's total now.
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
        notes += remarks + sideEffects.notes
        notes += board.losses(of: device, telling: places, besides: sideEffects, standings)
        return WrittenReply(
            player: now?.name ?? "",
            cells: cells,
            // A count of discs or legs is no total of what was written.
            total: standings.flatMap { $0.panels.isEmpty ? $0[player]?.total : nil },
            notes: notes
        )
    }

    /// Names the winners if a command ended the game or changed one that was over.
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
            row: cell.row.description,
            label: gameWords.label(of: cell, on: sheet),
            round: cell.round.map(Int.init),
            value: Scalar(gameWords.visibleValue(of: score))
        )
        self.player = player
        self.text = gameWords.value(score)?.shown
        self.count = row.flatMap { $0.isNumeric ? $0.count(of: score.value) : nil }
        self.replaced = before.map { Scalar(gameWords.visibleValue(of: Score(cell, $0))) }
        self.replacedTexts = gameWords.texts(of: before, in: cell)
    }
}
