import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The calls from players' phones.
///
/// They do what the calls of the command line do, but for one player and only once per id, which is
/// written in the same commit.
@EventLoop
struct PhoneCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.phoneScore, with: score)
        router.answer(.phoneClear, with: clear)
        router.answer(.phonePlay, with: play)
        router.answer(.phoneUndo, with: undo)
    }

    private func score(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<WrittenReply> {
        guard let scores = try scores(request) else { return PhoneReply(nil) }
        return PhoneReply(try await ScoreCalls(daemon: daemon).write(scores))
    }

    /// Returns the scores of a submission; nil if it was already executed.
    private func scores(_ request: PhoneParameters) throws(ControlError) -> ScoreWrite? {
        guard let (submission, session) = try identify(request) else { return nil }
        let input = try ScoreInput(session)
        let player = try submission.player(on: input.board)
        let words = request.words ?? []
        guard !words.isEmpty else { throw ControlError(.usage, "nothing was entered") }
        // Any other word could only be a name, but only this player's scores may be written.
        let parser = ScoreParser(input.sheet)
        if let word = words.first(where: { !parser.isScore($0) }) {
            throw ControlError(
                .refused,
                "“\(word)” is not a score. This phone enters scores for \(player.name) only"
            )
        }
        return try ScoreCalls(daemon: daemon).scores(
            words,
            of: player,
            at: input,
            expecting: request.expecting,
            marked: [submission.mark]
        )
    }

    private func clear(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<WrittenReply> {
        guard let clearing = try clearing(request) else { return PhoneReply(nil) }
        return PhoneReply(try await ScoreCalls(daemon: daemon).write(clearing))
    }

    /// Returns the write of a submission that clears cells; nil if it was already executed.
    private func clearing(_ request: PhoneParameters) throws(ControlError) -> ScoreWrite? {
        guard let (submission, session) = try identify(request) else { return nil }
        let input = try ScoreInput(session)
        let player = try submission.player(on: input.board)
        let places = request.words ?? []
        guard !places.isEmpty else { throw ControlError(.usage, "nothing to clear given") }
        try computers.checkMovesByHand(for: player, in: session, of: input.sheet)
        return try ScoreCalls(daemon: daemon).clearing(
            places,
            of: player,
            at: input,
            expecting: request.expecting,
            marked: [submission.mark]
        )
    }

    private func play(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<PlayReply> {
        let words = request.words ?? []
        return PhoneReply(
            try await PlayCalls(daemon: daemon).play(
                words,
                request.details ?? [:],
                expecting: request.expecting
            ) {
                () throws(ControlError) in
                guard let (submission, session) = try identify(request) else { return nil }
                guard !words.isEmpty else { throw ControlError(.usage, "nothing was played") }
                let input = try ScoreInput(session)
                return (input, try submission.player(on: input.board), submission.mark)
            }
        )
    }

    private func undo(
        _ request: PhoneParameters
    ) async throws(ControlError) -> PhoneReply<WrittenReply> {
        guard let (submission, session) = try identify(request, isUndo: true) else {
            return PhoneReply(nil)
        }
        _ = try submission.player(on: try ScoreInput(session).board)
        return PhoneReply(
            try await UndoCalls(daemon: daemon).undo(in: session, from: submission)
        )
    }

    /// Returns the submission and the session of a request; nil if it was already executed.
    private func identify(
        _ request: PhoneParameters,
        isUndo: Bool = false
    ) throws(ControlError) -> (submission: PhoneSubmission, session: Session)? {
        let session = try sessions.session(request.session)
        guard let player = PlayerID(request.player), let field = Field.phone(request.id.text) else {
            throw ControlError(.usage, "“\(request.player)” is not the id of a player")
        }
        let mark = Mutation(.player(player, field), .boolean(!isUndo))
        guard session.committed(mark.key) == nil else { return nil }
        guard session.head(mark.key) == nil else { throw PhoneSubmission.isBeingSaved }
        return (PhoneSubmission(player: player, mark: mark), session)
    }
}

/// A submission: its player, and the mark that its commit contains.
struct PhoneSubmission {
    /// The error while a submission is on its way to disk, so that a client does not take it for
    /// saved.
    static let isBeingSaved = ControlError(.failed, "this is being saved; try again")

    let player: PlayerID
    let mark: Mutation

    /// Returns the player; throws if there is none or the player does not take part.
    func player(on board: Scoreboard) throws(ControlError) -> Player {
        guard let player = board.player(player) else {
            throw ControlError(.notFound, "no player with id \(player) in this session")
        }
        guard player.isPresent else {
            throw ControlError(RuleViolation.removedPlayer(name: player.name))
        }
        return player
    }
}
