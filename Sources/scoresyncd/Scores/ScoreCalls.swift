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
        try await write(try scores(request))
    }

    private func scores(_ request: WordsParameters) throws(ControlError) -> ScoreWrite {
        let input = try ScoreInput(try sessions.session(request.session))
        let parser = ScoreParser(input.sheet)
        let words = input.joinedAtEquals(request.words)
        let (player, texts) = try input.subject(of: words) { parser.isScore($0) }
        guard !texts.isEmpty else {
            throw ControlError(.usage, "no score given", hint: "for example: scorectl score Ann 42")
        }
        return try scores(texts, of: player, at: input, expecting: request.expecting)
    }

    /// Returns the write of one player's scores, together with marks.
    func scores(
        _ texts: [String],
        of player: Player,
        at input: ScoreInput,
        expecting expected: Expectation?,
        marked marks: [Mutation] = []
    ) throws(ControlError) -> ScoreWrite {
        try computers.checkMovesByHand(for: player, in: input.session, of: input.sheet)
        let scores = try input.scores(texts, of: player)
        let check = ExpectationCheck(expected, of: player, at: input)
        let besides = try check?.check(scores) ?? []
        let kept = check?.remarks(on: scores.filter { besides.contains($0.cell) }) ?? []
        // A player who typed the round needs no note about it.
        let isRoundTyped = texts.contains { $0.prefix { $0 != "=" }.contains(".") }
        let complete =
            isRoundTyped ? nil : input.sheet.wholeRound(of: scores.map(\.cell), in: input.book)
        let remarks = complete.map { label, next in
            ["\(label) was complete already; enter the next one as \(next)=…"]
        }
        return ScoreWrite(
            scores,
            of: player,
            at: input,
            beside: besides,
            marked: marks,
            remarks: kept + (remarks ?? [])
        )
    }

    private func clear(_ request: WordsParameters) async throws(ControlError) -> WrittenReply {
        try await write(try clearing(request))
    }

    private func clearing(_ request: WordsParameters) throws(ControlError) -> ScoreWrite {
        let input = try ScoreInput(try sessions.session(request.session))
        let (player, places) = try input.subject(of: request.words, isOther: input.isPlace)
        guard !places.isEmpty else {
            throw ControlError(
                .usage,
                "nothing to clear given",
                hint: "for example: scorectl clear Ann round.3"
            )
        }
        return try clearing(places, of: player, at: input, expecting: request.expecting)
    }

    /// Returns the write that clears cells of one player, together with marks.
    func clearing(
        _ places: [String],
        of player: Player,
        at input: ScoreInput,
        expecting expected: Expectation?,
        marked marks: [Mutation] = []
    ) throws(ControlError) -> ScoreWrite {
        let check = ExpectationCheck(expected, of: player, at: input)
        // A cell that is expected to hold a value may be empty by now.
        if expected?.cells != nil { try check?.check([]) }
        let scores = try input.clearings(places, of: player)
        try check?.check(scores)
        return ScoreWrite(scores, of: player, at: input, marked: marks)
    }

    private func resolve(_ request: WordsParameters) async throws(ControlError) -> WrittenReply {
        try await write(try resolution(request))
    }

    private func resolution(_ request: WordsParameters) throws(ControlError) -> ScoreWrite {
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
        try byRules(input.game.check([score], in: input.book))
        return ScoreWrite([score], of: player, at: input)
    }

    /// Writes scores in one commit; replies with the replaced values and the total.
    func write(_ write: ScoreWrite) async throws(ControlError) -> WrittenReply {
        let session = write.session
        let wasOver = session.isOver
        try await writer.write(write.mutations, to: session)
        let (board, standings) = (session.board, session.standings)
        var notes = board.remainingPlayerNotes([write.player])
        if let standings { notes += standings.endNotes(wasOver: wasOver) }
        if let sheet = try? board.sheet.get() {
            let open = sheet.openRounds(
                of: write.places,
                in: board.book,
                sides: board.game?.sideBook
            )
            notes += open.map(\.description)
        }
        notes += write.places.compactMap { board.game?.remark(on: $0)?.description }
        notes += write.remarks + write.sideEffects.notes
        notes += board.losses(
            of: device.id,
            written: write.places,
            besides: write.sideEffects,
            standings
        )
        return WrittenReply(
            // A move of the whole table does not belong to one player.
            player: write.isOfTable ? "" : board.player(write.player)?.name ?? "",
            cells: write.cells,
            // In games with panels the total counts discs or legs and not the written scores.
            total: board.game?.hasPanels == true ? nil : standings?[write.player]?.total,
            notes: notes
        )
    }
}

/// Scores to write in one commit, with what the reply says about them.
///
/// It does not keep the scoreboard from which it was made: each of the writes that wait for the disk
/// would keep its own, and every change would have to copy what these share.
@EventLoop
struct ScoreWrite {
    let session: Session
    let mutations: [Mutation]
    let player: PlayerID
    let isOfTable: Bool
    let places: [Cell]
    /// The scores with the values that they replace.
    let cells: [WrittenCell]
    let sideEffects: SideEffects
    let remarks: [String]

    /// Creates a write of one player's scores, some of them beside others' entries, with marks.
    init(
        _ scores: [Score],
        of player: Player,
        at input: ScoreInput,
        beside besides: Set<Cell> = [],
        marked marks: [Mutation] = [],
        remarks: [String] = []
    ) {
        let mutations = Mutation.scores(scores, beside: besides)
        self.init(
            scores.filter { !besides.contains($0.cell) },
            by: mutations + marks,
            of: player.id,
            at: input,
            input.sheet.hasMoves ? input.sideEffects(of: mutations) : .none,
            remarks: remarks
        )
    }

    /// Creates a write of scores by their mutations.
    init(
        _ scores: [Score],
        by mutations: [Mutation],
        of player: PlayerID,
        isOfTable: Bool = false,
        at input: ScoreInput,
        _ sideEffects: SideEffects,
        remarks: [String] = []
    ) {
        session = input.session
        self.mutations = mutations
        self.player = player
        self.isOfTable = isOfTable
        places = scores.map(\.cell)
        cells = scores.map { input.written($0, of: isOfTable ? $0.cell.player : player) }
        self.sideEffects = sideEffects
        self.remarks = remarks
    }
}

extension Scoreboard {
    /// Returns notes about those players whom another laptop removed, but who stay because of a
    /// score.
    func remainingPlayerNotes(_ ids: Set<PlayerID>) -> [String] {
        players.filter { ids.contains($0.id) && $0.wasKeptIn }.map {
            "\($0.name) was removed on another laptop meanwhile, but stays in the game"
        }
    }
}

extension Standings {
    /// Returns notes on the winners after a command that ended a game or changed a finished one.
    fileprivate func endNotes(wasOver: Bool) -> [String] {
        guard isFinished else {
            // A note on the player to move already says so.
            return wasOver && turn == nil ? ["the game is not over any more"] : []
        }
        let names = winners.compactMap { self[$0]?.player.name }
        let verb = names.count == 1 ? " has won" : " have won"
        let won = names.isEmpty ? [] : [names.joined(separator: ", ") + verb]
        let parts = won + (wasOver ? ["this changes a game that is over"] : [])
        return parts.isEmpty ? [] : [parts.joined(separator: "; ")]
    }
}

extension WrittenCell {
    /// Creates the report on a score, with its player, if given, and the values that it replaces.
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
