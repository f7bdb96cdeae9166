import ControlSocket
import SyncProtocol

/// One call of a command: what was typed, and where to print.
struct Invocation {
    let line: TypedLine
    let console: Console
    /// What was said of the daemon's version.
    let notice = SkewNotice()

    /// The words after the command.
    var words: [String] { line.words }
    /// Whether to print JSON.
    var isJSON: Bool { line.options["json"] != nil }
    /// Which session is meant; nil is the current one.
    var session: String? { value("session") }
    /// Whether a daemon may be started.
    var maySpawn: Bool { line.options["no-spawn"] == nil }
    /// Whether only what was asked for is printed, and errors.
    var isQuiet: Bool { line.options["quiet"] != nil }
    /// Whether to tell what the daemon is asked.
    var isVerbose: Bool { line.options["verbose"] != nil }
    /// The columns to print in: those of the terminal, else what `COLUMNS` says, else enough for
    /// any file.
    var columns: Int {
        console.isOutputTerminal ? console.size().columns : console.toldColumns ?? 120
    }
    /// Whether escape sequences belong on standard output.
    var usesColor: Bool { console.usesColor(value("color")) }

    /// The value of an option.
    func value(_ name: String) -> String? { line.options[name]?.last }

    /// Whether an option without value is there.
    func has(_ name: String) -> Bool { line.options[name] != nil }

    /// The session that a command names by its first word or by `--session`.
    func namedSession() throws(ControlError) -> String? {
        guard let word = words.first else { return session }
        guard session == nil else {
            throw ControlError(.usage, "the session is named twice: '\(word)' and --session")
        }
        return word
    }

    /// The whole number that an option has.
    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw ControlError(.usage, "--\(name) is a whole number \(bounds), not '\(text)'")
        }
        return number
    }

    // MARK: Output

    /// The form of the pages that are printed.
    var form: PageForm { PageForm(columns: columns, isUnicode: console.isUnicode) }

    /// The page of a score sheet for standard output.
    func page(of show: ShowReply) -> SheetPage {
        SheetPage(show, columns: columns, isUnicode: console.isUnicode, now: console.now())
    }

    /// Prints an answer: the document as JSON, or lines for people.
    func print(
        _ document: some Encodable,
        _ lines: @autoclosure () -> [Line]
    ) throws(ControlError) {
        if isJSON {
            try printJSON(document)
        } else {
            printLines(lines())
        }
    }

    /// Prints what became of something that was to be done: the document as JSON, or lines for
    /// people, unless they want to hear nothing that they know.
    func report(
        _ document: some Encodable,
        _ lines: @autoclosure () -> [Line]
    ) throws(ControlError) {
        if isJSON || !isQuiet { try print(document, lines()) }
    }

    /// Prints a document as one line of JSON.
    func printJSON(_ document: some Encodable) throws(ControlError) {
        console.write(HarmlessJSON.of(try ControlJSON.encode(document)) + [0x0A])
    }

    /// Prints lines for people.
    func printLines(_ lines: [Line]) {
        let text = lines.map { rendered($0) + "\n" }.joined()
        if !text.isEmpty { console.write(Array(text.utf8)) }
    }

    /// A line as standard output shows it.
    func rendered(_ line: Line) -> String {
        let isIsolated = console.isOutputTerminal && console.isUnicode
        return line.rendered(inColor: usesColor, isolated: isIsolated)
    }

    /// Tells something that is no data, on standard error.
    func tell(_ text: String) {
        guard !isQuiet else { return }
        console.writeError(Array((Line(text).text + "\n").utf8))
    }
}

extension Invocation {
    /// How often it is asked, because something else would be done by then.
    private static let mostQuestions = 5

    /// Makes a call that may ask before something is lost; `--yes` answers for scripts.
    ///
    /// Throws where nobody can be asked, and where the answer is no: then nothing is done.
    func confirmed<Parameters: Confirmable, Reply: Asking>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) throws(ControlError) -> Reply {
        let client = try connect()
        var parameters = parameters
        for _ in 0..<Invocation.mostQuestions {
            let reply = try client.call(method, parameters)
            guard let question = reply.question else { return reply }
            try confirm(question.text)
            parameters.token = question.token
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
