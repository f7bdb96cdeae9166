import ControlSocket
import ScoreSheets
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
    let peers: PeerList
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
            write(.finished(request.finished), to: session) { result in
                answer(
                    result.map { reply in
                        var reply = reply
                        let missing = session.board.standings?.missing ?? []
                        if request.finished, !missing.isEmpty { reply.notes = missing }
                        return reply
                    }
                )
            }
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
        guard session.facts.hasKey else {
            let text = "the key of this session was lost: join it again before you let others in"
            throw ControlError(.refused, text)
        }
        let allowed = InviteLife.allowed
        if let minutes = request.minutes, !allowed.contains(minutes) {
            let bounds = "from \(allowed.lowerBound) to \(allowed.upperBound) minutes"
            throw ControlError(.usage, "an invite lasts \(bounds), not \(minutes)")
        }
        invites.open(session.id, minutes: request.minutes, then: answer)
    }

    private func leave(
        _ request: SessionLeaveRequest,
        then answer: @escaping Answer<SessionLeaveReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.subject)
        let question = Question.aboutLeaving(
            session.title,
            session.id,
            scores: session.scoreCount,
            others: peers.devices(of: session),
            loop.engine
        )
        if let question = request.unanswered(question) {
            return answer(.success(SessionLeaveReply(question: question)))
        }
        intake.leave(session) { result in answer(result.map { _ in SessionLeaveReply() }) }
    }
}
