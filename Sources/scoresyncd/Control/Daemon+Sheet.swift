import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls that look at scores.
extension Daemon {
    func routeSheet(_ router: inout ControlRouter) {
        on(ShowRequest.self, &router) { daemon, request throws(ControlError) in
            try daemon.show(try daemon.session(request.session))
        }
        on(ConflictsRequest.self, &router) { daemon, request throws(ControlError) in
            try daemon.conflicts(in: try daemon.session(request.session))
        }
        onLater(HistoryRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.history(request, then: answer)
        }
        router.on(WatchRequest.self) { @Sendable [weak self] request, call in
            guard let self else { return }
            do throws(ControlError) {
                let session = DaemonSession(id: try session(request.session), daemon: self)
                _ = try session.sheet()
                call.respond(Done())
                watchers.add(call.connection, of: session)
            } catch { call.fail(error) }
        }
    }

    /// The score sheet, and what only this device knows about it.
    func show(_ session: SessionID) throws(ControlError) -> ShowReply {
        let watched = DaemonSession(id: session, daemon: self)
        return try SheetRendering(watched).show(watched)
    }

    private func conflicts(in session: SessionID) throws(ControlError) -> ConflictsReply {
        let shown = try show(session).document
        let conflicts = shown.players.flatMap { player in
            player.cells.filter { !$0.conflict.isEmpty }.map { cell in
                ConflictSummary(
                    player: player.name,
                    row: cell.row,
                    round: cell.round,
                    label: cell.label,
                    values: [cell.shown] + cell.conflict
                )
            }
        }
        return ConflictsReply(conflicts: conflicts)
    }

    // MARK: History

    private func history(
        _ request: HistoryRequest,
        then answer: @escaping @Sendable (Result<HistoryReply, ControlError>) -> Void
    ) throws(ControlError) {
        let session = try session(request.session)
        let document = document(session)
        let limit = request.limit ?? .max
        guard limit > 0 else { throw ControlError(.usage, "--limit takes a number from 1") }
        let filter = HistoryFilter(try subject(request, document))
        store.perform(
            { store throws(StoreError) in
                try store.history(of: session, filter, limit: limit)
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                let document = self.document(session)
                let rules = (try? sheet(of: document))?.rules
                let words = rules?.words(in: derived(session).book) ?? GameWords()
                answer(
                    result.mapError { ControlError(.failed, "\($0)") }.map { records in
                        HistoryReply(
                            entries: records.compactMap {
                                $0.line.historyEntry(in: document, by: words)
                            }
                        )
                    }
                )
            }
        )
    }

    private func subject(
        _ request: HistoryRequest,
        _ document: SessionDocument
    ) throws(ControlError) -> HistoryFilter.Subject {
        var player: PlayerID?
        if let text = request.player {
            player = try self.player(text, among: document.players).id
        }
        guard let text = request.row else { return .cells(player: player) }
        let sheet = try sheet(of: document)
        let row: Row
        let round: UInt32?
        do throws(RuleViolation) {
            let reference = try RowReference(text)
            row = try EntryParser(sheet).row(reference)
            round = reference.round
        } catch { throw ControlError(error) }
        guard let round else { return .cells(player: player, row: row.id) }
        guard let player else {
            throw ControlError(.usage, "with a round, say whose: --player NAME")
        }
        return .key(.cell(Cell(player: player, row: row.id, round: round)))
    }
}

extension JournalLine {
    /// The line as people read it; nil for what is no score.
    fileprivate func historyEntry(
        in document: SessionDocument,
        by words: GameWords
    ) -> HistoryEntry? {
        guard case .cell(let cell) = key else { return nil }
        let player = document.players.first { $0.id == cell.player }
        return HistoryEntry(
            player: player?.name ?? cell.player.description,
            row: cell.row.description,
            round: cell.round.map(Int.init),
            label: words.cell(cell),
            value: Scalar(entry.value),
            text: words.value(Score(cell, entry.value))?.shown,
            by: document.name(of: entry.author),
            at: Timestamp(milliseconds: entry.stamp.milliseconds),
            replaced: replaced.map { Scalar($0.value) },
            replacedTexts: words.texts(of: replaced.map(\.value), in: cell),
            winner: document.cells[cell]?.winner.dot == entry.dot
        )
    }
}
