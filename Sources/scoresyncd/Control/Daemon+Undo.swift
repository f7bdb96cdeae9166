import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Taking back what this device wrote.
extension Daemon {
    /// How many lines of the journal are looked at for something to undo.
    private static let depth = 1000

    /// Takes back the last command of this device whose scores are still shown, also several times
    /// in a row.
    func undo(
        _ session: SessionID,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) {
        let filter = HistoryFilter(
            .cells(),
            author: device.id,
            before: held[session]?.undone?.line
        )
        store.perform(
            { store throws(StoreError) in
                try store.history(of: session, filter, limit: Daemon.depth)
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                switch result {
                case .failure(let error):
                    answer(.failure(ControlError(.failed, "\(error)")))
                case .success(let records): undo(records, in: session, then: answer)
                }
            }
        )
    }

    private func undo(
        _ records: [JournalRecord],
        in session: SessionID,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) {
        let document = draft(session).document
        guard !document.isFinished else {
            return answer(.failure(ControlError(RuleViolation.finished)))
        }
        guard let last = records.first(where: { isShown($0.line, in: document) }) else {
            let text = "nothing that this device wrote is left to undo"
            return answer(.failure(ControlError(.notFound, text)))
        }
        // All cells of one command have one stamp.
        let command = records.filter {
            $0.line.entry.stamp == last.line.entry.stamp && isShown($0.line, in: document)
        }
        guard let oldest = command.last, let player = oldest.line.player else { return }
        var mutations: [Mutation] = []
        var cells: [WrittenCell] = []
        for line in command.reversed().map(\.line) {
            guard case .cell(let cell) = line.key else { continue }
            let before = line.replaced.first?.value ?? .null
            mutations.append(Mutation(line.key, before))
            if let desk = try? WritingDesk(self, session: session) {
                cells.append(desk.written(Score(cell, before)))
            }
        }
        write(mutations, to: session) { [self, cells] result in
            if case .success = result {
                self.held[session]?.undone = UndoMark(line: oldest.number)
            }
            answer(result.map { self.reply(cells, of: player, in: session) })
        }
    }

    /// Whether the cell still shows what the line wrote, or what an undo brought back to it.
    private func isShown(_ line: JournalLine, in document: SessionDocument) -> Bool {
        guard case .cell(let cell) = line.key, let live = document.cells[cell] else {
            return false
        }
        return live.winner.author == device.id && live.winner.value == line.entry.value
    }
}

extension JournalLine {
    /// Whose score it is; nil for what is no score.
    fileprivate var player: PlayerID? {
        guard case .cell(let cell) = key else { return nil }
        return cell.player
    }
}
