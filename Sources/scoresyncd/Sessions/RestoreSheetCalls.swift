import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The call that restores the sheet of a session after a member replaced it.
///
/// The earlier sheet is not live any more: it is searched in this laptop's journal, then in its
/// games.
@EventLoop
struct RestoreCalls: CallGroup {
    let daemon: Daemon
    /// The maximum number of journal lines about the sheet that are searched.
    nonisolated static let maxLines = 256

    /// A sheet, and its text as stored in the session.
    private struct Found {
        let sheet: Sheet
        let text: String
    }

    func register(on router: inout ControlRouter) {
        router.answer(.restoreSheet, with: restore)
    }

    private func restore(
        _ request: SessionParameters
    ) async throws(ControlError) -> SessionChangeReply {
        let session = try sessions.session(request.subject)
        let records = try await storage.run { [id = session.id] store throws(StoreError) in
            let filter = HistoryFilter(.key(.session(Field.sheet)))
            return try store.history(of: id, filter, limit: RestoreCalls.maxLines)
        }
        let found = try found(for: session, records.map(\.line))
        let question = Question(
            asking: "\(state(of: session)) Restore “\(found.sheet.name)”, for everyone?",
            about: session.id,
            of: [found.text]
        )
        if let question = request.unanswered(question) {
            return SessionChangeReply(question: question)
        }
        try await writer.write([.game(found.sheet.id), .sheet(found.text)], to: session)
        return SessionChangeReply(session: summaries.summary(of: session))
    }

    /// Returns the last readable sheet before the present one, else the one among this laptop's
    /// games.
    private func found(
        for session: Session,
        _ lines: [JournalLine]
    ) throws(ControlError) -> Found {
        let now = session.head(.session(Field.sheet))?.winner.value.string
        let texts = lines.flatMap { [$0.entry] + $0.replaced }.compactMap(\.value.string)
        var seen = Set([now])
        for text in texts where seen.insert(text).inserted {
            if let sheet = try? Sheet(json: text) { return Found(sheet: sheet, text: text) }
        }
        if let sheet = session.header.game.flatMap({ userSheets.sheet($0) }) {
            let text = try sheet.canonicalText()
            if text != now { return Found(sheet: sheet, text: text) }
        }
        throw .notFound(
            "this laptop has no earlier rules for “\(session.title)”",
            hint: "on one that has played the game, run: scorectl session restore"
        )
    }

    /// Returns a sentence about the present sheet.
    private func state(of session: Session) -> String {
        do throws(ControlError) {
            return "“\(session.title)” is played by “\(try session.nextBoard.playedSheet().name)”."
        } catch {
            guard error.kind == .versionMismatch else {
                return "The sheet of “\(session.title)” cannot be read."
            }
            return "The sheet of “\(session.title)” was written by a later ScoreSync, and laptops "
                + "that have it can read it."
        }
    }
}
