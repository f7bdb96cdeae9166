import ControlSocket
import SyncProtocol

extension Invocation {
    /// Makes a call that may ask before something is lost; `--yes` answers for scripts.
    ///
    /// Throws where nobody can be asked, and where the answer is no: then nothing is done.
    func confirmed<Request: Confirmable>(
        _ request: Request
    ) throws(ControlError) -> Request.Reply {
        let client = try connect()
        var request = request
        var reply = try client.call(request)
        while let question = reply.question {
            try confirm(question.text)
            request.token = question.token
            reply = try client.call(request)
        }
        return reply
    }

    private func confirm(_ question: String) throws(ControlError) {
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
