import ControlSocket
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The call about the options of a session's game.
struct OptionCalls {
    let sessions: SessionCatalog
    let options: GameOptions
    let notes: DeviceNotes
    let writer: SessionWriter

    func register(on router: inout ControlRouter) {
        router.answerLater(SessionOptionRequest.self, with: choose)
    }

    private func choose(
        _ request: SessionOptionRequest,
        then answer: @escaping Answer<SessionOptionReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        guard !request.words.isEmpty else {
            let summaries = try session.board.optionSummaries()
            return answer(.success(SessionOptionReply(options: summaries)))
        }
        let desk = try WritingDesk(session)
        let chosen = try options.options(request.words, of: desk.sheet)
        // What is so already stays so, and may be said also when nothing can be changed.
        let new = chosen.filter { desk.book.options[$0.name] ?? .null != $0.value }
        for option in new {
            do throws(RuleViolation) {
                try desk.game.check(option: option.name, in: desk.book)
            } catch { throw ControlError(error) }
        }
        guard !new.isEmpty else { return remember(chosen, at: desk, then: answer) }
        writer.write(Mutation.options(new), to: session) { result in
            if case .failure(let error) = result { return answer(.failure(error)) }
            remember(chosen, at: desk, then: answer)
        }
    }

    /// Answers with the options of a session once some were chosen, and what is wrong with them.
    private func remember(
        _ chosen: [GameOption],
        at desk: WritingDesk,
        then answer: @escaping Answer<SessionOptionReply>
    ) {
        let present = desk.sheet.options.map(\.name).map { name in
            (name: name, value: desk.book.options[name] ?? .null)
        }
        notes.remember(chosen, of: desk.sheet, in: present)
        options.listNotes(of: desk.session, chosen: chosen) { [session = desk.session] notes in
            do throws(ControlError) {
                let summaries = try session.board.optionSummaries()
                let told = notes.isEmpty ? nil : notes
                answer(.success(SessionOptionReply(options: summaries, notes: told)))
            } catch { answer(.failure(error)) }
        }
    }
}

extension Scoreboard {
    /// The options of a session that somebody can choose, in the order of its sheet; what moves
    /// have recorded is no choice.
    fileprivate func optionSummaries() throws(ControlError) -> [OptionSummary] {
        let sheet = try playedSheet()
        let rules = sheet.rules
        let choices = sheet.settings(of: book).filter { rules.isChoice($0.option.name) }
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
    var chosenOptions: [String: Scalar]? {
        guard let options = try? optionSummaries() else { return nil }
        let chosen = options.filter { $0.value != $0.default }
        return Dictionary(chosen.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
