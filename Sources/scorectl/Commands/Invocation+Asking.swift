import SyncProtocol

extension Invocation {
    /// Asks before something is lost; `--yes` answers for scripts.
    ///
    /// Throws where nobody can be asked, and where the answer is no: then nothing is done.
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
