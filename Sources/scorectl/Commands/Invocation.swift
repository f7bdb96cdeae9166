import ControlSocket
import SyncProtocol
import TerminalText

/// Actions that consist of one call of the daemon.
extension Command.Action {
    typealias Parameters<Value> = @Sendable (Invocation) throws(ControlError) -> Value
    typealias Page<Reply> = @Sendable (Reply, Invocation) -> [Line]

    static func print<Value, Reply: Encodable>(
        _ method: Method<Value, Reply>,
        _ parameters: @escaping Parameters<Value>,
        _ page: @escaping Page<Reply>
    ) -> Command.Action {
        .run { call throws(ControlError) in
            let reply = try call.call(method, parameters(call))
            try call.print(reply, page(reply, call))
        }
    }

    static func print<Reply: Encodable>(
        _ method: Method<NoParameters, Reply>,
        _ page: @escaping Page<Reply>
    ) -> Command.Action {
        print(method, { _ in NoParameters() }, page)
    }

    static func print<Reply: Encodable>(
        _ method: Method<SessionParameters, Reply>,
        _ page: @escaping Page<Reply>
    ) -> Command.Action {
        print(method, namedSession, page)
    }

    /// Calls a method that changes something, and prints a confirmation.
    static func confirm<Value, Reply: Encodable>(
        _ method: Method<Value, Reply>,
        _ parameters: @escaping Parameters<Value>,
        _ page: @escaping Page<Reply>
    ) -> Command.Action {
        .run { call throws(ControlError) in
            let reply = try call.call(method, parameters(call))
            try call.confirm(reply, page(reply, call))
        }
    }

    /// Calls a method that may ask before something is lost, and prints a confirmation of the
    /// change.
    static func confirm<Value: Confirmable, Reply: ConfirmationReply>(
        asking method: Method<Value, Reply>,
        _ parameters: @escaping Parameters<Value>,
        _ page: @escaping Page<Reply>
    ) -> Command.Action {
        .run { call throws(ControlError) in
            let reply = try call.callConfirmed(method, parameters(call))
            try call.confirm(reply, page(reply, call))
        }
    }

    static func confirm<Reply: ConfirmationReply>(
        asking method: Method<SessionParameters, Reply>,
        _ page: @escaping Page<Reply>
    ) -> Command.Action {
        confirm(asking: method, namedSession, page)
    }

    private static let namedSession: Parameters<SessionParameters> = { call throws(ControlError) in
        SessionParameters(session: try call.namedSession())
    }
}

/// Names with commas between them, as people list them.
enum TypedNames {
    static func names(_ text: String) -> [String] {
        let names = text.split(separator: ",").map { name in
            String(name.drop { $0 == " " })
        }
        // An empty name is refused by name, not dropped.
        return names.isEmpty ? [text] : names
    }
}

/// One run of a command: its arguments, and the console to print on.
struct Invocation {
    let arguments: ParsedArguments
    let console: Console
    let skewNotice = SkewNotice()

    var words: [String] { arguments.words }
    var isJSON: Bool { has("json") }
    /// The session of `--session`; nil for the current one.
    var session: String? { value("session") }
    var maySpawn: Bool { !has("no-spawn") }
    var isQuiet: Bool { has("quiet") }
    /// The width of the output: that of the terminal, else `COLUMNS`, else 120 for files and pipes.
    var columns: Int {
        console.terminal.columns(usual: 120)
    }
    /// Whether escape sequences belong on standard output.
    var usesColor: Bool { console.terminal.usesColor(value("color")) }

    func value(_ name: String) -> String? { arguments.options[name]?.last }

    func has(_ name: String) -> Bool { arguments.options[name] != nil }

    func namedSession() throws(ControlError) -> String? {
        guard let word = words.first else { return session }
        guard session == nil else {
            throw .usage("the session is named twice: '\(word)' and --session")
        }
        return word
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw .usage("--\(name) needs a whole number \(bounds), not '\(text)'")
        }
        return number
    }

    /// Returns the time that an option has; `usual` is the unit of a number without one.
    func time(
        _ name: String,
        in limits: ClosedRange<TypedTime>,
        usual: TypedTime.Unit? = nil
    ) throws(ControlError) -> TypedTime? {
        guard let text = value(name) else { return nil }
        return try TypedTime(text, of: name, in: limits, usual: usual)
    }

    /// The width of help, which is hard to read in long lines.
    var helpColumns: Int { console.terminal.helpColumns }

    var form: PageFormat { PageFormat(columns: columns, isUnicode: console.terminal.isUnicode) }

    func page(of show: ShowReply) -> SheetPage {
        SheetPage(show: show, form: form, now: console.now())
    }

    /// Prints the document as JSON, or lines for people.
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

    /// Prints the confirmation of a change, as `print` does, unless `--quiet` is given.
    func confirm(
        _ document: some Encodable,
        _ lines: @autoclosure () -> [Line]
    ) throws(ControlError) {
        if isJSON || !isQuiet { try print(document, lines()) }
    }

    func printJSON(_ document: some Encodable) throws(ControlError) {
        console.write(HarmlessJSON.escaped(try ControlJSON.encode(document)) + [0x0A])
    }

    func printLines(_ lines: [Line]) {
        let lines = console.terminal.fitted(lines)
        let text = Array(rendered(lines).map { $0 + "\n" }.joined().utf8)
        // The prompt of the shell takes the last row.
        let isLong = lines.count >= console.size().rows
        if isLong, isPaged, let pager = console.pager, console.showInPager(pager, text) { return }
        if !text.isEmpty { console.write(text) }
    }

    private var isPaged: Bool {
        let isPage = arguments.command.map { $0.resolved.isPage || arguments.asksForHelp } ?? true
        return isPage && !has("no-pager")
    }

    /// Prints the lines of a file, in which every character counts.
    func printFile(_ lines: [String]) {
        console.write(Array(lines.map { Line($0).text + "\n" }.joined().utf8))
    }

    func rendered(_ lines: [Line]) -> [String] {
        console.terminal.rendered(lines, inColor: usesColor)
    }

    func inform(_ text: String) {
        guard !isQuiet else { return }
        console.inform(text)
    }

    /// Prints the notes of a reply on standard error; JSON contains them already.
    func inform(_ notes: [String]?) {
        guard !isJSON else { return }
        for note in notes ?? [] { inform(note) }
    }

    /// The maximum number of questions in one call; it is asked again if the state has changed.
    private static let maxQuestions = 5

    /// Makes a call that may ask a question before something is lost; `--yes` answers it.
    ///
    /// - Throws: if the answer is no or cannot be asked for; nothing is changed then.
    func callConfirmed<Parameters: Confirmable, Reply: ConfirmationReply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) throws(ControlError) -> Reply {
        let client = try connect()
        var parameters = parameters
        for _ in 0..<Invocation.maxQuestions {
            let reply = try client.call(method, parameters)
            guard let question = reply.question else { return reply }
            try ask(question.text)
            parameters.token = question.token
        }
        throw .failed("the session changes too fast to confirm; try again")
    }

    /// Whether the user can be asked: on a terminal, and without `--json`.
    var mayAsk: Bool { console.isInputTerminal && !isJSON }

    /// Whether the user is also there to be asked what a command can do without.
    var isAttended: Bool { mayAsk && console.isOutputTerminal && !isQuiet && !has("yes") }

    /// Asks a question, and throws unless the answer is yes; `--yes` answers it.
    func ask(_ question: String) throws(ControlError) {
        if has("yes") { return }
        guard mayAsk else {
            throw .usage("\(question) Confirm with --yes.")
        }
        guard isConfirmed(question) else { throw .failed("nothing was changed") }
    }

    /// Returns whether somebody at the terminal answers a question with yes.
    func isConfirmed(_ question: String) -> Bool {
        ["y", "yes"].contains(console.answer(to: question + " [y/N]"))
    }
}
