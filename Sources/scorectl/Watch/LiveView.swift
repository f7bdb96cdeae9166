import SessionCRDT
import SyncProtocol
import TerminalText

/// The state of the live view: the page and its position, and the line that is being typed.
struct LiveView {
    /// An effect of a key.
    enum Request: Hashable {
        case run([String])
        case watch(String)
        case end
        /// The view has handled the key itself.
        case handled
    }

    /// The scroll position and range of the page, as it was drawn last.
    struct ScrollRange: Hashable {
        var top = 0
        var below = 0
        var column = 0
        var maxColumn = 0
        var rows = 0
    }

    private(set) var page = LivePage.table
    private(set) var line = InputLine()
    /// The output of the last command, or an error.
    private(set) var message: [Line] = []
    /// The first visible line of the page, if the user has scrolled.
    private(set) var top: Int?
    /// The sideways position, if the user has scrolled.
    private(set) var column: Int?
    var range = ScrollRange()

    /// The letter that opened a page, and the page before it; if typing goes on, the letter began a
    /// word and the page is closed again.
    private var letter: (character: Character, before: LivePage)?
    /// Whether the key `u` has already run an undo, so that the rest of a typed `undo` must not run
    /// another.
    private var isUndone = false
    private var isResolving = false

    /// Handles a key; returns its effect, or nil if it only concerns the view.
    mutating func handle(_ key: Key, on show: ShowReply) -> Request? {
        let request = effect(of: key, on: show)
        return request == .handled ? nil : request
    }

    private mutating func effect(of key: Key, on show: ShowReply) -> Request? {
        let before = letter
        letter = nil
        switch key {
        case .pageUp: scroll(by: 1 - max(2, range.rows))
        case .pageDown: scroll(by: max(2, range.rows) - 1)
        case .control("c"): return .end
        case .enter: return entered(on: show)
        case .tab where !line.isEmpty: complete(on: show)
        case .escape where !line.isEmpty: line.clear()
        default:
            if case .character(let next) = key, let before, line.isEmpty,
                Self.isSpelled(before.character, next)
            {
                open(before.before)
                _ = line.handle(.character(before.character))
                isUndone = before.character == "u"
            } else if line.isEmpty, let request = shortcut(key, on: show) {
                return request
            }
            if line.isEmpty { (message, isUndone) = ([], false) }
            _ = line.handle(key)
        }
        return nil
    }

    /// Shows the output of a command; after a failure the typed line stays, to be corrected.
    mutating func showOutput(_ lines: [String], isDone: Bool) {
        if isDone { line.finish() } else { isResolving = false }
        guard lines.count > LiveView.maxMessageLines else {
            message = lines.map { Line($0, isDone ? .plain : .bad) }
            return
        }
        open(.answer(lines))
    }

    /// Switches to another session, and announces a next game that the user did not choose.
    ///
    /// The typed line belonged to the previous session, and can be recalled.
    mutating func start(announcing next: ShowReply?) {
        line.finish()
        (isUndone, isResolving) = (false, false)
        open(.table)
        message = next.map { [Line("“\($0.document.session.title)” has started.", .good)] } ?? []
    }

    /// The maximum number of output lines above the typed line; longer output is shown as a page.
    static let maxMessageLines = 3

    /// Handles a change of the sheet.
    ///
    /// - Parameter wasLost: whether the connection to the daemon was lost, so that messages are
    ///   outdated.
    mutating func didUpdate(wasLost: Bool) {
        isResolving = false
        if wasLost { message = [] }
    }

    private mutating func show(error text: String) { message = [Line(text, .bad)] }

    mutating func open(_ page: LivePage) {
        self.page = page
        (top, column) = (nil, nil)
        message = []
    }

    /// Whether a letter and the one after it begin a command.
    private static func isSpelled(_ letter: Character, _ next: Character) -> Bool {
        CommandTree.commands.contains { $0.name.hasPrefix(String([letter, next])) }
    }

    // MARK: Keys on an empty line

    /// Returns the effect of a key that does not edit the line; nil if it has none.
    private mutating func shortcut(_ key: Key, on show: ShowReply) -> Request? {
        switch key {
        case .tab: open(page.next)
        case .backTab: open(page.previous)
        case .escape: open(.table)
        case .control("d"): return .end
        case .up where firstLine > 0: scroll(by: -1)
        case .down where firstLine < lastFirstLine: scroll(by: 1)
        case .left: column = max(0, (column ?? range.column) - 1)
        case .right: column = min(range.maxColumn, (column ?? range.column) + 1)
        case .home: top = 0
        case .end: top = .max
        case .character(let character): return shortcut(character, on: show)
        default: return nil
        }
        return .handled
    }

    private mutating func shortcut(_ character: Character, on show: ShowReply) -> Request? {
        if page == .conflicts, let number = character.wholeNumberValue,
            let words = ConflictPage(conflicts: show.conflicts).resolution(number)
        {
            // A repeated digit must not resolve the next conflict unseen.
            guard !isResolving else { return .handled }
            isResolving = true
            return .run(LiveCommands.arguments(words, on: show))
        }
        guard character == "?" || !LiveCommands.isBeginning(character, on: show) else { return nil }
        switch character {
        case "?": toggle(.help, by: character)
        case "c": toggle(.conflicts, by: character)
        case "g": toggle(.chart, by: character)
        case "u", "q", "n":
            if character == "u" { letter = (character, page) }
            return command(character, on: show)
        default: return nil
        }
        return .handled
    }

    /// Opens a page, or the table if it is open.
    private mutating func toggle(_ wanted: LivePage, by character: Character) {
        letter = (character, page)
        open(page == wanted ? .table : wanted)
    }

    private func command(_ letter: Character, on show: ShowReply) -> Request? {
        switch letter {
        case "u": .run(LiveCommands.arguments(["undo"], on: show))
        case "q": .end
        case "n": LiveCommands.nextSession(show).map { .watch($0.id) }
        default: nil
        }
    }

    // MARK: The line

    private mutating func entered(on show: ShowReply) -> Request? {
        let typed = ShellWords(line.text)
        guard typed.openQuote == nil else {
            self.show(error: "missing closing quote")
            return nil
        }
        defer { isUndone = false }
        if isUndone, typed.all == ["undo"] {
            line.finish()
            return nil
        }
        // Messages name commands as they are typed in a shell.
        let words = typed.all.first == "scorectl" ? Array(typed.all.dropFirst()) : typed.all
        guard let first = words.first else {
            if case .answer = page { open(.table) }
            return nil
        }
        if words.count == 1, let request = shortcut(word: first, on: show) { return request }
        guard LiveCommands.isAvailable(first) else {
            self.show(error: "'\(first)' needs a terminal of its own")
            return nil
        }
        return .run(LiveCommands.arguments(words, on: show))
    }

    /// Returns the effect of a single word that is not a score: the name of a page, or a shortcut
    /// letter.
    private mutating func shortcut(word: String, on show: ShowReply) -> Request? {
        let pages: [String: LivePage] = [
            "?": .help, "help": .help, "show": .table, "chart": .chart, "history": .history,
            "peer": .peers, "conflicts": .conflicts,
        ]
        let letters: [String: LivePage] = ["c": .conflicts, "g": .chart]
        let isLetter = word.count == 1 && !LiveCommands.hasLetterMoves(show)
        if let page = pages[word] ?? (isLetter ? letters[word] : nil) {
            line.finish()
            open(page)
            return .handled
        }
        if word == "quit" || word == "exit" { return .end }
        guard isLetter, let letter = word.first else { return nil }
        return command(letter, on: show)
    }

    private mutating func complete(on show: ShowReply) {
        let completion = LineCompletion(of: line.head, on: show, among: CommandTree.commands)
        line.replaceHead(by: completion.head)
        message =
            completion.choices.isEmpty
            ? [] : [Line(completion.choices.joined(separator: "  "), .faint)]
    }

    /// The first visible line, and the last possible one: several keys may be handled before the
    /// page is drawn again.
    private var firstLine: Int { min(top ?? range.top, lastFirstLine) }
    private var lastFirstLine: Int { range.top + range.below }

    private mutating func scroll(by lines: Int) {
        top = min(max(0, firstLine + lines), lastFirstLine)
    }
}

/// The page of conflicts: one cell after the other, each resolved with a digit.
struct ConflictPage {
    let conflicts: [(player: ShownPlayer, cell: ShownCell)]

    private var first: (player: ShownPlayer, cell: ShownCell)? { conflicts.first }

    private var values: [AttributedValue] {
        first.map { ([$0.cell.shown] + $0.cell.conflict).prefix(9) }.map { Array($0) } ?? []
    }

    func resolution(_ number: Int) -> [String]? {
        guard let first, values.indices.contains(number - 1) else { return nil }
        let address = CellAddress.text(first.cell.row, first.cell.round)
        return ConflictList.words(first.player.name, address, values[number - 1])
    }

    func lines(now: Int64) -> [Line] {
        guard let first else { return [Line("  No conflicts.")] }
        let address = first.cell.label ?? CellAddress.text(first.cell.row, first.cell.round)
        let rows = values.enumerated().map { index, value in
            [
                Line("  \(index + 1)", .strong), Line(ConflictList.read(value)),
                ConflictList.author(of: value, isShown: index == 0, now: now),
            ]
        }
        let others = conflicts.count - 1
        let more = others > 0 ? [Line(), Line("  \(others) more after this one.", .faint)] : []
        return [Line("  ") + Line(first.player.name, .strong) + Line(" " + address), Line()]
            + Table.aligned(rows, [.left, .left, .left], gap: 2)
            + [Line(), Line("  Press the number of the right value.", .faint)] + more
    }
}

/// The commands of the live terminal, where a score or a move needs no command before it.
enum LiveCommands {
    static let writes: Set<String> = ["score", "clear", "undo", "resolve", "play", "reset"]
    /// The commands that need a terminal of their own, or would block this one.
    private static let unavailable: Set<String> = [
        "watch", "board", "demo", "wait", "daemon", "completions", "doctor", "backup", "restore",
        "export", "import",
    ]

    static func isAvailable(_ name: String) -> Bool { !unavailable.contains(name) }

    /// Returns the arguments of `scorectl` for typed words: a command, or else a score or a move.
    ///
    /// It applies to the shown session, even if another one is current, unless it names one.
    static func arguments(_ words: [String], on show: ShowReply) -> [String] {
        guard let first = words.first else { return [] }
        let isCommand = CommandTree.commands.contains { $0.name == first }
        let whole = isCommand ? words : [isPlayed(show) ? "play" : "score"] + words
        guard let typed = try? ParsedArguments(whole, in: CommandTree.commands),
            let command = typed.command?.resolved, command.takesSession,
            typed.options["session"] == nil,
            typed.words.isEmpty || !command.words.contains("[SESSION]")
        else { return whole }
        return ["--session", show.document.session.id] + whole
    }

    static func command(of arguments: [String]) -> String? {
        (arguments.first == "--session" ? arguments.dropFirst(2) : arguments[...]).first
    }

    static func isPlayed(_ show: ShowReply) -> Bool { show.context.moves != nil }

    static func hasLetterMoves(_ show: ShowReply) -> Bool { show.context.moves?.input == .letters }

    /// Whether a player, a row or a move begins with a letter, so that the letter is no command.
    static func isBeginning(_ letter: Character, on show: ShowReply) -> Bool {
        if hasLetterMoves(show) { return true }
        let words =
            show.activePlayers.map(\.name) + SheetCandidates(show: show).rows(for: nil)
            + show.legalMoves
        return words.contains { $0.lowercased().hasPrefix(String(letter).lowercased()) }
    }

    /// Returns the session to which the players have moved on, if it is not the shown one.
    static func nextSession(_ show: ShowReply) -> NamedSession? {
        show.context.inUse ?? show.context.next
    }

    /// Runs a command below a live sheet: captures its output, and lets it ask no questions.
    static func run(_ words: [String], _ call: Invocation) -> (lines: [String], isDone: Bool) {
        var output: [UInt8] = []
        var console = call.console
        console.write = { output += $0 }
        console.writeError = { output += $0 }
        console.isInputTerminal = false
        // The view wraps messages, and is a pager itself.
        console.isErrorTerminal = false
        console.showInPager = { _, _ in false }
        // A long answer is shown indented.
        let size = console.size()
        console.size = { (size.columns - 2, size.rows) }
        console.readLine = { nil }
        // The view handles signals, and lets a command finish.
        console.removeOnSignal = { _ in }
        let home = call.value("home").map { ["--home", $0] } ?? []
        let status = Program.run(["--no-spawn", "--color", "never"] + home + words, console)
        // The view isolates what it shows.
        let lines = Bidirectional.withoutIsolates(String(decoding: output, as: UTF8.self))
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("scorectl: ") ? String($0.dropFirst(10)) : String($0) }
        let isWrite = command(of: words).map(writes.contains) ?? false
        // The lines after an empty one repeat the board, which is already visible.
        let shown = isWrite ? lines.prefix { !$0.isEmpty } : lines.dropLast()
        return (Array(shown), status == 0)
    }
}
