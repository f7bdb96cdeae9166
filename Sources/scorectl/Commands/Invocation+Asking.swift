import ControlSocket
import SyncProtocol

extension Invocation {
    /// How often it is asked, because something else would be done by then.
    private static let mostQuestions = 5

    /// Makes a call that may ask before something is lost; `--yes` answers for scripts.
    ///
    /// Throws where nobody can be asked, and where the answer is no: then nothing is done.
    func confirmed<Request: Confirmable>(
        _ request: Request
    ) throws(ControlError) -> Request.Reply {
        let client = try connect()
        var request = request
        for _ in 0..<Invocation.mostQuestions {
            let reply = try client.call(request)
            guard let question = reply.question else { return reply }
            try confirm(question.text)
            request.token = question.token
        }
        throw ControlError(.failed, "what would be done changes all the time; try again")
    }

    /// Asks, and throws where the answer is no or nobody can be asked; `--yes` answers.
    func confirm(_ question: String) throws(ControlError) {
        if has("yes") { return }
        guard console.isInputTerminal, !isJSON else {
            throw ControlError(.usage, "\(question) Nobody can be asked here: say it with --yes")
        }
        console.writeError(Array((Line(question).text + " [y/N] ").utf8))
        let answer = (console.readLine() ?? "").lowercased()
        guard ["y", "yes"].contains(answer.filter { !$0.isWhitespace }) else {
            throw ControlError(.failed, "nothing was changed")
        }
    }

    /// Tells the sentences of an answer, on standard error.
    func tell(_ notes: [String]?) {
        guard !isJSON else { return }
        for note in notes ?? [] { tell(note) }
    }
}
