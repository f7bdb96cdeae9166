import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The calls of what players' phones enter, by the ways of the command line: for one player, once
/// for each id, and with the id written beside it in the same commit.
@EventLoop
struct PhoneCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.phoneScore, with: score)
        router.answer(.phonePlay, with: play)
        router.answer(.phoneUndo, with: undo)
    }

    private func score(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<WrittenReply> {
        guard let (submission, input) = try begin(request) else { return PhoneReply(nil) }
        let player = try submission.player(at: input)
        let words = request.words ?? []
        try input.checkSpaces(in: words)
        guard !words.isEmpty else { throw ControlError(.usage, "nothing was entered") }
        // A word that is no score could only be a name, and only this player's scores are written.
        let parser = ScoreParser(input.sheet)
        if let word = words.first(where: { !parser.isScore($0) }) {
            throw ControlError(
                .refused,
                "“\(word)” is no value: only \(player.name) is scored here"
            )
        }
        return PhoneReply(
            try await ScoreCalls(daemon: daemon).score(
                words,
                of: player,
                at: input,
                marked: [submission.mark]
            )
        )
    }

    private func play(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<PlayReply> {
        let words = request.words ?? []
        return PhoneReply(
            try await PlayCalls(daemon: daemon).play(words, request.details ?? [:]) {
                () throws(ControlError) in
                guard let (submission, input) = try begin(request) else { return nil }
                guard !words.isEmpty else {
                    throw ControlError(.usage, "nothing was played")
                }
                return (input, try submission.player(at: input), submission.mark)
            }
        )
    }

    private func undo(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<WrittenReply> {
        guard let (submission, input) = try begin(request, isUndo: true) else {
            return PhoneReply(nil)
        }
        let scope = UndoScope.ofPhone(try submission.player(at: input).id, mark: submission.mark)
        return PhoneReply(try await UndoCalls(daemon: daemon).undo(scope, in: input.session))
    }

    /// The identity of a request and its session's input; nil if it was done already.
    private func begin(
        _ request: PhoneParameters,
        isUndo: Bool = false
    ) throws(ControlError) -> (submission: Submission, input: ScoreInput)? {
        let session = try sessions.session(request.session)
        let submission = try Submission(request.player, request.id, isUndo: isUndo)
        guard try !submission.isKnown(in: session) else { return nil }
        return (submission, try ScoreInput(session))
    }
}

extension PhoneCalls {
    /// The identity of a submission: its player, and the mark that its commit leaves.
    @EventLoop
    private struct Submission {
        let player: PlayerID
        let mark: Mutation

        init(_ player: String, _ id: SubmissionID, isUndo: Bool) throws(ControlError) {
            guard let player = PlayerID(player), let field = Field.phone(id.text) else {
                throw ControlError(.usage, "“\(player)” is not the id of a player")
            }
            self.player = player
            mark = Mutation(.player(player, field), .boolean(!isUndo))
        }

        /// Whether it is on disk already.
        ///
        /// - Throws: that it is on its way there, so that nobody takes it for saved yet.
        func isKnown(in session: Session) throws(ControlError) -> Bool {
            if session.committed(mark.key) != nil { return true }
            guard session.head(mark.key) == nil else {
                throw ControlError(.failed, "this is being saved: ask again")
            }
            return false
        }

        /// The player, who must take part.
        func player(at input: ScoreInput) throws(ControlError) -> Player {
            guard let player = input.board.player(player) else {
                throw ControlError(.notFound, "no player with id \(player) in this session")
            }
            guard player.isPresent else {
                throw ControlError(RuleViolation.removedPlayer(name: player.name))
            }
            return player
        }
    }
}
