import ControlSocket
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls about sessions that are held here, and about coming in and going.
struct SessionCalls {
    let sessions: SessionCatalog
    let summaries: SessionSummaries
    let intake: SessionIntake
    let invites: Invites
    let joining: Joining
    let writer: SessionWriter
    let loop: EngineLoop

    func register(on router: inout ControlRouter) {
        router.answer(SessionListRequest.self) { _ in
            SessionListReply(sessions: sessions.latestFirst.map(summaries.of))
        }
        router.answer(SessionShowRequest.self) { request throws(ControlError) in
            let session = try sessions.session(request.session)
            var summary = summaries.of(session)
            summary.options = session.board.chosenOptions
            return SessionReply(session: summary)
        }
        router.answerLater(SessionUseRequest.self) { request, answer throws(ControlError) in
            intake.use(try sessions.session(request.session)) { answer($0.map(summaries.reply)) }
        }
        router.answerLater(SessionRenameRequest.self) { request, answer throws(ControlError) in
            let session = try sessions.session(request.session)
            let title = try Naming.name(request.title, of: "a title")
            write(.title(title), to: session, then: answer)
        }
        router.answerLater(SessionFinishRequest.self) { request, answer throws(ControlError) in
            let session = try sessions.session(request.session)
            write(.finished(request.finished), to: session, then: answer)
        }
        router.answerLater(SessionInviteRequest.self, with: invite)
        router.answerLater(SessionLeaveRequest.self, with: leave)
        router.answerLater(JoinRequest.self) { request, answer in
            joining.join(request) { answer($0.map(summaries.reply)) }
        }
    }

    private func write(
        _ mutation: Mutation,
        to session: Session,
        then answer: @escaping Answer<SessionReply>
    ) {
        writer.write([mutation], to: session) { result in
            answer(result.map { summaries.reply(session) })
        }
    }

    private func invite(
        _ request: SessionInviteRequest,
        then answer: @escaping Answer<InviteReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        if request.close {
            invites.close(to: session.id)
            return answer(.success(InviteReply(code: nil, expires: nil)))
        }
        let minutes = try InviteLife.minutes(request.minutes)
        invites.open(session.id, minutes: minutes, then: answer)
    }

    private func leave(
        _ request: SessionLeaveRequest,
        then answer: @escaping Answer<Done>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        guard request.force || !loop.engine.hasUnsyncedWrites(session.id) else {
            let unsynced = loop.engine.unsyncedCells(session.id)
            throw ControlError(
                .refused,
                (unsynced == 0 ? "what you changed is" : "\(unsynced) of your scores are")
                    + " on no other laptop and would be lost; leave all the same with --force"
            )
        }
        intake.leave(session, then: answer)
    }
}
