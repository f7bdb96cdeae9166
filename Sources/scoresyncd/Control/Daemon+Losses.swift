import ScoreSheets
import SessionCRDT
import SyncEngine

/// What an answer says of entries that do not count, so that nobody has to look for it.
extension Daemon {
    /// What this device entered and what does not count, in sentences: somebody else's entry is
    /// shown in its place, or the rules do not allow it.
    ///
    /// Of the cells that the command wrote each is told with the reason, of the others their
    /// number.
    func lossNotes(of session: SessionID, telling cells: [Cell]) -> [String] {
        let derived = derived(session)
        let lost = derived.document.cells.values.count { set in
            set.isConflicting
                && set.losers.contains { $0.author == device.id && $0.value != set.winner.value }
        }
        let vain = uncounted(in: session).subtracting(cells).count { cell in
            derived.document.cells[cell]?.winner.author == device.id
        }
        let reasons = reasons(why: Set(cells), in: session)
        return reasons
            + [
                Daemon.sentence(
                    lost,
                    "of this laptop lost to another laptop's: scorectl conflicts"
                ),
                Daemon.sentence(vain, "of this laptop cannot count: scorectl show"),
            ].compactMap(\.self)
    }

    /// Why these cells do not count, those of them that do not.
    private func reasons(why cells: Set<Cell>, in session: SessionID) -> [String] {
        guard let sheet = try? sheet(of: document(session)) else { return [] }
        let book = derived(session).book
        let words = sheet.rules.words(in: book)
        return standings(session, by: sheet).flags.compactMap { flag in
            guard case .cell(let cell) = flag.subject, cells.contains(cell) else { return nil }
            return "does not count: \(flag.words(in: book, by: words))"
        }
    }

    /// What an undo has left without ground: entries of others that counted and no longer do.
    func vainNotes(of session: SessionID, since before: Set<Cell>) -> [String] {
        let cells = derived(session).document.cells
        let vain = uncounted(in: session).subtracting(before).count { cell in
            cells[cell]?.winner.author != device.id
        }
        return [Daemon.sentence(vain, "of others that followed cannot count now: scorectl show")]
            .compactMap(\.self)
    }

    /// The cells that do not count.
    func uncounted(in session: SessionID) -> Set<Cell> {
        guard let sheet = try? sheet(of: document(session)) else { return [] }
        let cells = standings(session, by: sheet).flags.compactMap { flag in
            if case .cell(let cell) = flag.subject { cell } else { nil }
        }
        return Set(cells)
    }

    private static func sentence(_ count: Int, _ what: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? "entry" : "entries") \(what)"
    }
}
