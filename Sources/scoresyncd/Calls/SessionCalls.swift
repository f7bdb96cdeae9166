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
        then answer: @escaping Answer<SessionLeaveReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.subject)
        if loop.engine.hasUnsyncedWrites(session.id) {
            let unsynced = loop.engine.unsyncedCells(session.id)
            let what =
                switch unsynced {
                case 0: "What you changed is"
                case 1: "1 of your scores is"
                default: "\(unsynced) of your scores are"
                }
            let question = Question(
                asking: "\(what) on no other laptop and would be lost. Leave all the same?",
                about: session.id
            )
            if let question = request.unanswered(question) {
                return answer(.success(SessionLeaveReply(question: question)))
            }
        }
        intake.leave(session) { result in answer(result.map { _ in SessionLeaveReply() }) }
    }
}
