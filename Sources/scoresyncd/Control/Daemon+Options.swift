import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The calls about the options of a session's game.
extension Daemon {
    func routeOptions(_ router: inout ControlRouter) {
        onLater(SessionOptionRequest.self, &router) {
            daemon,
            request,
            answer throws(ControlError) in
            let session = try daemon.session(request.session)
            guard !request.words.isEmpty else {
                return answer(.success(try daemon.optionsReply(session)))
            }
            let desk = try WritingDesk(daemon, session: session)
            let chosen = try daemon.options(request.words, of: desk.sheet)
            // What is so already stays so, and may be said also when nothing can be changed.
            let new = chosen.filter { desk.book.options[$0.name] ?? .null != $0.value }
            for option in new {
                do throws(RuleViolation) {
                    try desk.sheet.rules.check(option: option.name, in: desk.book)
                } catch { throw ControlError(error) }
            }
            guard !new.isEmpty else {
                daemon.remember(chosen, of: desk.sheet)
                return daemon.answerOptions(session, chosen, then: answer)
            }
            daemon.write(Daemon.mutations(new), to: session) { result in
                if case .failure(let error) = result { return answer(.failure(error)) }
                daemon.remember(chosen, of: desk.sheet)
                daemon.answerOptions(session, chosen, then: answer)
            }
        }
    }

    /// Answers with the options of a session once some were chosen, and what is wrong with them.
    private func answerOptions(
        _ session: SessionID,
        _ chosen: [(name: Symbol, value: Value)],
        then answer: @escaping @Sendable (Result<SessionOptionReply, ControlError>) -> Void
    ) {
        listNotes(of: session, chosen: chosen) { [self] notes in
            do throws(ControlError) {
                var reply = try optionsReply(session)
                reply.notes = notes.isEmpty ? nil : notes
                answer(.success(reply))
            } catch { answer(.failure(error)) }
        }
    }

    private func optionsReply(_ session: SessionID) throws(ControlError) -> SessionOptionReply {
        SessionOptionReply(options: try optionSummaries(session))
    }

    /// The options of a session that somebody can choose, in the order of its sheet; what moves
    /// have recorded is no choice.
    private func optionSummaries(_ session: SessionID) throws(ControlError) -> [OptionSummary] {
        let derived = derived(session)
        let sheet = try sheet(of: derived.document)
        let rules = sheet.rules
        let choices = sheet.settings(of: derived.book).filter { rules.isChoice($0.option.name) }
        return choices.map { option, value in
            OptionSummary(
                name: option.name.description,
                value: Scalar(value),
                default: Scalar(option.kind.defaultValue),
                takes: option.takes,
                help: option.help
            )
        }
    }

    /// The options of a session that differ from their defaults; nil where its sheet cannot be
    /// read.
    func chosenOptions(_ session: SessionID) -> [String: Scalar]? {
        guard let options = try? optionSummaries(session) else { return nil }
        let chosen = options.filter { $0.value != $0.default }
        return Dictionary(chosen.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
