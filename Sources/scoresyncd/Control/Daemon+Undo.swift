import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Taking back what this device wrote, command by command.
extension Daemon {
    /// How many lines of the journal are looked at for something to undo.
    private static let depth = 1000
    /// How many commands are remembered as undone.
    private static let mostUndone = 200

    /// Takes back the last command of this device that was not undone yet.
    func undo(
        _ session: SessionID,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) {
        let filter = HistoryFilter(.cells(), author: device.id)
        store.perform(
            { store throws(StoreError) in
                try store.history(of: session, filter, limit: Daemon.depth)
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                switch result {
                case .failure(let error):
                    answer(.failure(ControlError(.failed, "\(error)")))
                case .success(let records):
                    do throws(ControlError) {
                        try undo(records.map(\.line), in: session, then: answer)
                    } catch { answer(.failure(error)) }
                }
            }
        )
    }

    private func undo(
        _ lines: [JournalLine],
        in session: SessionID,
        then answer: @escaping @Sendable (Result<WrittenReply, ControlError>) -> Void
    ) throws(ControlError) {
        let desk = try WritingDesk(self, session: session)
        let undone = held[session]?.undone ?? []
        guard let last = lines.first(where: { !undone.contains($0.entry.stamp) }),
            case .cell(let first) = last.key
        else {
            throw ControlError(.notFound, "nothing that this laptop wrote is left to undo")
        }
        // All cells of one command have one stamp.
        let command = lines.filter { $0.entry.stamp == last.entry.stamp }.reversed()
        var mutations: [Mutation] = []
        var cells: [WrittenCell] = []
        for line in command {
            guard case .cell(let cell) = line.key else { continue }
            let score = Score(cell, try desk.valueBefore(line, in: cell, by: device.id))
            do throws(RuleViolation) { try desk.sheet.rules.check(score, in: desk.book) } catch {
                throw ControlError(error)
            }
            mutations.append(Mutation(line.key, score.value))
            cells.append(desk.written(score))
        }
        let key = last.key
        let stamp = last.entry.stamp
        write(mutations, to: session) { [self, cells] result in
            if case .success = result { self.noteUndone(stamp, key, in: session) }
            answer(result.map { self.reply(cells, of: first.player, in: session) })
        }
    }

    /// Remembers that a command was undone, and which one undid it, over restarts.
    private func noteUndone(_ stamp: Stamp, _ key: Key, in session: SessionID) {
        guard let undoing = engine.replicas[session]?.committed[key]?.winner.stamp else { return }
        let marks = (held[session]?.undone ?? []).union([stamp, undoing])
        let kept = marks.sorted().suffix(Daemon.mostUndone)
        held[session]?.undone = Set(kept)
        let words = kept.map { String($0.bits) }.joined(separator: " ")
        note("what was undone could not be noted") { store throws(StoreError) in
            try store.set(Setting.undone, of: session, to: words)
        }
    }
}

extension WritingDesk {
    /// What a cell said before a line of the journal, or what others say in it beside the line.
    ///
    /// Refused when the cell no longer shows what the line wrote: then it is not this device's
    /// command that would be taken back.
    fileprivate func valueBefore(
        _ line: JournalLine,
        in cell: Cell,
        by device: DeviceID
    ) throws(ControlError) -> Value {
        let name = document.players.first { $0.id == cell.player }?.name ?? "a player"
        let live = document.cells[cell]
        let isShown = live?.winner.value == line.entry.value && live?.winner.author == device
        guard let live, isShown else {
            let wrote = written(Score(cell, line.entry.value))
            let changer = live.map { document.name(of: $0.winner.author) } ?? "somebody"
            throw ControlError(
                .refused,
                "the last score of this laptop (\(name): \(wrote.label) = \(wrote.value)) was "
                    + "changed since by \(changer); nothing was undone"
            )
        }
        // Somebody else's value beside it must not go with it.
        return live.losers.first?.value ?? line.replaced.first?.value ?? .null
    }
}
