import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Moves of people and of computers: checks them by the rules of the moment and writes them.
struct Moves: Sendable {
    let options: GameOptions
    let writer: SessionWriter

    /// What a move writes, as the rules of the moment say.
    func played(_ move: Move, at desk: WritingDesk) throws(ControlError) -> Played {
        guard !desk.board.header.isFinished else { throw ControlError(RuleViolation.finished) }
        do throws(RuleViolation) {
            var aids = options.aids
            return try desk.game.play(move, in: desk.book, with: &aids)
        } catch { throw ControlError(error) }
    }

    /// Writes what a move writes, in one commit.
    func write(_ played: Played, in session: Session, then answer: @escaping Answer<Void>) {
        let mutations = Mutation.scores(played.writes, recording: played.options)
        writer.write(mutations, to: session, then: answer)
    }
}
