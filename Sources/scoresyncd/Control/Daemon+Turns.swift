import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Whose turn it is, for those who wait for it.
extension Daemon {
    /// Who is to move; nil in games without turns and at the end.
    func playerToMove(in session: SessionID) -> Player? {
        let derived = derived(session)
        guard let sheet = try? sheet(of: derived.document) else { return nil }
        return standings(session, by: sheet).turn.flatMap(derived.book.player)
    }

    /// A condition with the player that it names as an id, so that it is found once.
    func settled(
        _ condition: WaitCondition,
        in session: SessionID
    ) throws(ControlError) -> WaitCondition {
        guard case .turn(let name) = condition else { return condition }
        let players = document(session).players.filter(\.isPresent)
        if let name { return .turn(player: try player(name, among: players).id.description) }
        guard let me = held[session]?.me, players.contains(where: { $0.id == me }) else {
            throw ControlError(
                .usage,
                "say whose turn with --player NAME, or once who you are with: "
                    + "scorectl player me NAME",
                candidates: players.map(\.name)
            )
        }
        return .turn(player: me.description)
    }

    /// Why a condition can never be so; nil while it can.
    func hindrance(to condition: WaitCondition, in session: SessionID) -> ControlError? {
        guard case .turn = condition, playerToMove(in: session) == nil else { return nil }
        let derived = derived(session)
        let sheet: Sheet
        do throws(ControlError) { sheet = try self.sheet(of: derived.document) } catch {
            // One that has not come yet will come; one that cannot be read will stay so.
            return derived.document.sheet == nil ? nil : error
        }
        if standings(session, by: sheet).isFinished {
            return ControlError(.refused, "the game is over")
        }
        return sheet.engine == .rows
            ? ControlError(RuleViolation.noMoves(game: sheet.name)) : nil
    }
}
