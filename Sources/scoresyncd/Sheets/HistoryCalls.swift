import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The call that looks at what was written before.
@EventLoop
struct HistoryCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.history, with: history)
    }

    private func history(_ request: HistoryParameters) async throws(ControlError) -> HistoryReply {
        let session = try sessions.session(request.session)
        let limit = request.limit ?? .max
        guard limit > 0 else { throw ControlError(.usage, "--limit takes a number from 1") }
        let filter = HistoryFilter(try subject(request, session.board))
        let records = try await storage.run { [id = session.id] store throws(StoreError) in
            try store.history(of: id, filter, limit: limit)
        }
        let board = session.board
        let gameWords = board.game?.words(in: board.book) ?? GameWords()
        let (phones, names) = (session.phoneCommits, session.deviceNames)
        return HistoryReply(
            records.compactMap {
                $0.line.historyEntry(on: board, by: gameWords, phones, names)
            }
        )
    }

    private func subject(
        _ request: HistoryParameters,
        _ board: Scoreboard
    ) throws(ControlError) -> HistoryFilter.Subject {
        var player: PlayerID?
        if let text = request.player { player = try Naming.player(text, among: board.players).id }
        guard let text = request.row else { return .cells(player: player) }
        let sheet = try board.playedSheet()
        let row: Row
        let round: UInt32?
        do throws(RuleViolation) {
            let reference = try RowReference(text)
            row = try ScoreParser(sheet).row(reference)
            round = reference.round
        } catch { throw ControlError(error) }
        guard let round else { return .cells(player: player, row: row.id) }
        guard let player else {
            throw ControlError(
                .usage,
                "a round needs a player",
                hint: "add --player NAME"
            )
        }
        return .key(.cell(Cell(player: player, row: row.id, round: round)))
    }
}

extension JournalLine {
    /// The line as people read it; nil for what is no score.
    fileprivate func historyEntry(
        on board: Scoreboard,
        by gameWords: GameWords,
        _ phones: Set<CommitID>,
        _ names: DeviceNames
    ) -> HistoryEntry? {
        guard case .cell(let cell) = key else { return nil }
        let player = board.player(cell.player)
        return HistoryEntry(
            player: player?.name ?? cell.player.description,
            row: cell.row.description,
            value: Scalar(gameWords.visibleValue(of: Score(cell, entry.value))),
            by: board.name(of: entry.author, among: names),
            at: Timestamp(milliseconds: entry.stamp.milliseconds)
        ).with {
            $0.round = cell.round.map(Int.init)
            $0.label = gameWords.cell(cell)
            $0.text = gameWords.value(Score(cell, entry.value))?.shown
            $0.replaced = replaced.map { Scalar(gameWords.visibleValue(of: Score(cell, $0.value))) }
            $0.replacedTexts = gameWords.texts(of: replaced.map(\.value), in: cell)
            $0.phone = phones.contains(CommitID(entry)) ? true : nil
            $0.winner = board[cell]?.winner.dot == entry.dot
        }
    }
}
