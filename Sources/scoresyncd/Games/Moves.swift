import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Moves of people and of computers: checks them by the rules of the moment and writes them.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Moves: @unchecked Sendable {
    private let options: GameOptions
    private let writer: SessionWriter
    private let device: DeviceID

    init(_ options: GameOptions, _ writer: SessionWriter, of device: DeviceID) {
        self.options = options
        self.writer = writer
        self.device = device
    }

    /// Plays a move of a player, of a person or of a computer.
    func play(
        _ move: Move,
        at desk: WritingDesk,
        then answer: @escaping Answer<PlayReply>
    ) throws(ControlError) {
        write(try played(move, at: desk), of: move, at: desk, then: answer)
    }

    /// What a move writes, as the rules of the moment say.
    func played(_ move: Move, at desk: WritingDesk) throws(ControlError) -> Played {
        guard !desk.board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        do throws(RuleViolation) {
            var aids = options.aids
            return try desk.game.play(move, in: desk.book, with: &aids)
        } catch { throw ControlError(error) }
    }

    /// Writes what a move writes, in one commit, and answers with how the game stands after it.
    func write(
        _ played: Played,
        of move: Move,
        at desk: WritingDesk,
        then answer: @escaping Answer<PlayReply>
    ) {
        let cells = played.writes.map { desk.written($0, of: nil) }
        let mutations = Mutation.scores(played.writes, recording: played.options)
        let consequences = desk.consequences(of: mutations)
        writer.write(mutations, to: desk.session) { [session = desk.session, device] result in
            answer(
                result.map {
                    var reply = session.board.reply(move, played, cells, by: device)
                    reply.notes += consequences
                    return reply
                }
            )
        }
    }
}

extension Scoreboard {
    /// How the game stands after a move.
    fileprivate func reply(
        _ move: Move,
        _ played: Played,
        _ cells: [WrittenCell],
        by device: DeviceID
    ) -> PlayReply {
        let standings = standings
        func name(_ id: PlayerID) -> String? { player(id)?.name }
        let touched = Set(played.writes.map(\.cell.player))
        let kept = players.filter { touched.contains($0.id) && $0.wasKeptIn }.map {
            "\($0.name) was removed by somebody meanwhile and stays in"
        }
        let totals = (standings?.players ?? []).filter(\.player.isPresent).map {
            PlayerTotal(player: $0.player.name, total: $0.total, rank: $0.rank)
        }
        let losses = losses(of: device, telling: played.writes.map(\.cell), standings)
        return PlayReply(
            player: played.player.flatMap(name),
            move: move.words.joined(separator: " "),
            cells: cells,
            notes: played.notes + kept + losses,
            turn: standings?.turn.flatMap(name),
            finished: standings?.isFinished ?? false,
            winners: standings?.winners.compactMap(name) ?? [],
            totalLabel: standings?.totalLabel ?? "",
            totals: totals
        )
    }
}
