import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The calls of what players' phones enter, by the ways of the command line: for one player, once
/// for each id, and with the id written beside it in the same commit.
struct PhoneCalls {
    let sessions: SessionCatalog
    let scores: ScoreCalls
    let plays: PlayCalls
    let undos: UndoCalls
    let options: GameOptions

    func register(on router: inout ControlRouter) {
        router.answerLater(.phoneScore, with: score)
        router.answerLater(.phonePlay) { request, answer throws(ControlError) in
            try options.withWordLists(then: answer) { () throws(ControlError) in
                try play(request, then: answer)
            }
        }
        router.answerLater(.phoneUndo, with: undo)
    }

    private func score(
        _ request: PhoneScoreParameters,
        then answer: @escaping Answer<PhoneReply<WrittenReply>>
    ) throws(ControlError) {
        guard let (submission, desk) = try begin(request) else {
            return answer(.success(PhoneReply(nil)))
        }
        let player = try submission.player(at: desk)
        try desk.checkSpaces(in: request.words)
        guard !request.words.isEmpty else { throw ControlError(.usage, "nothing was entered") }
        // A word that is no score could only be a name, and nobody else is written for.
        let parser = ScoreParser(desk.sheet)
        if let word = request.words.first(where: { !parser.isScore($0) }) {
            throw ControlError(
                .refused,
                "“\(word)” is no value: only \(player.name) is scored here"
            )
        }
        try scores.score(
            request.words,
            of: player,
            at: desk,
            marked: [submission.mark],
            then: PhoneCalls.wrapping(answer)
        )
    }

    private func play(
        _ request: PhonePlayParameters,
        then answer: @escaping Answer<PhoneReply<PlayReply>>
    ) throws(ControlError) {
        guard let (submission, desk) = try begin(request) else {
            return answer(.success(PhoneReply(nil)))
        }
        guard !request.words.isEmpty else { throw ControlError(.usage, "nothing was played") }
        try plays.play(
            request.words,
            request.details,
            of: try submission.player(at: desk),
            at: desk,
            marked: [submission.mark],
            then: PhoneCalls.wrapping(answer)
        )
    }

    private func undo(
        _ request: PhoneUndoParameters,
        then answer: @escaping Answer<PhoneReply<WrittenReply>>
    ) throws(ControlError) {
        guard let (submission, desk) = try begin(request, isUndo: true) else {
            return answer(.success(PhoneReply(nil)))
        }
        undos.undo(
            .ofPhone(try submission.player(at: desk).id, mark: submission.mark),
            in: desk.session,
            then: PhoneCalls.wrapping(answer)
        )
    }

    /// What a request is known by, and where it is done; nil where that was done already.
    private func begin(
        _ request: some PhoneParameters,
        isUndo: Bool = false
    ) throws(ControlError) -> (submission: Submission, desk: WritingDesk)? {
        let session = try sessions.session(request.session)
        let submission = try Submission(request.player, request.id, isUndo: isUndo)
        guard try !submission.isKnown(in: session) else { return nil }
        return (submission, try WritingDesk(session))
    }

    private static func wrapping<Reply>(
        _ answer: @escaping Answer<PhoneReply<Reply>>
    ) -> Answer<Reply> {
        { result in answer(result.map { PhoneReply($0) }) }
    }
}

extension PhoneCalls {
    /// What one submission is known by: its player, and the mark that its commit leaves.
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
        func player(at desk: WritingDesk) throws(ControlError) -> Player {
            guard let player = desk.board.player(player) else {
                throw ControlError(.notFound, "nobody here has the id \(player)")
            }
            guard player.isPresent else {
                throw ControlError(RuleViolation.removedPlayer(name: player.name))
            }
            return player
        }
    }
}
