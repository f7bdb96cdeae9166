import SyncProtocol

/// The state of the live view between two keys: which page is shown and where, and what is typed.
struct LiveView {
    /// What a key asks of the world.
    enum Request: Hashable {
        /// A command with its words.
        case run([String])
        /// Another session is to be shown.
        case watch(String)
        /// The view ends.
        case end
    }

    /// How far the page can be scrolled, as it was drawn last.
    struct Reach: Hashable {
        var top = 0
        var above = 0
        var below = 0
        var across = 0
        var mostAcross = 0
        /// The lines of a page.
        var rows = 0
    }

    private(set) var page = LivePage.table
    private(set) var line = InputLine()
    /// What the last command said, or what is wrong.
    private(set) var message: [Line] = []
    /// The first line of the page that is shown, where somebody has scrolled.
    private(set) var top: Int?
    /// How far it is scrolled sideways, where somebody has done so.
    private(set) var across: Int?
    /// How far it can be scrolled.
    var reach = Reach()

    /// The letter that changed the page, and the page before: where typing goes on, it was the
    /// beginning of a word.
    private var letter: (character: Character, before: LivePage)?
    /// Whether the line is the rest of a word of which the first letter did it all: `undo`.
    private var isDone = false
    /// Whether a conflict was settled that the sheet still shows.
    private var isSettling = false

    /// Takes a key; what it asks of the world.
    mutating func take(_ key: Key, on show: ShowReply) -> Request? {
        let before = letter
        letter = nil
        switch key {
        case .pageUp: scroll(by: 1 - max(2, reach.rows))
        case .pageDown: scroll(by: max(2, reach.rows) - 1)
        case .control("c"): return .end
        case .enter: return entered(on: show)
        case .tab where !line.isEmpty: complete(on: show)
        case .escape where !line.isEmpty: line.clear()
        default:
            if case .character(let next) = key, let before, line.isEmpty,
                Self.isSpelled(before.character, next)
            {
                open(before.before)
                _ = line.take(.character(before.character))
                isDone = before.character == "u"
            } else if line.isEmpty, let answer = taken(key, on: show) {
                return answer.request
            }
            if line.isEmpty { (message, isDone) = ([], false) }
            _ = line.take(key)
        }
        return nil
    }

    /// A command has been carried out, or not: then what was typed stays to be mended.
    mutating func answered(_ lines: [String], isDone: Bool) {
        if isDone { line.finish() } else { isSettling = false }
        guard lines.count > LiveView.mostLines else {
            message = lines.map { Line($0, isDone ? .plain : .bad) }
            return
        }
        open(.answer(lines))
    }

    /// Another session is shown now; with a sheet it is the next game, which has come by itself.
    ///
    /// What was being typed was meant for the one before: it can be recalled.
    mutating func begin(with next: ShowReply?) {
        line.finish()
        (isDone, isSettling) = (false, false)
        open(.table)
        message = next.map { [Line("“\($0.document.session.title)” has begun.", .good)] } ?? []
    }

    /// The most lines of an answer that stand above what is typed; longer ones are a page.
    static let mostLines = 3

    /// The sheet is as told now: of two conflicts the next one stands first.
    ///
    /// Where the daemon `wasLost`, what was said of that is old.
    mutating func renew(wasLost: Bool) {
        isSettling = false
        if wasLost { message = [] }
    }

    /// Says that something is wrong.
    mutating func tell(_ text: String) { message = [Line(text, .bad)] }

    /// Shows the beginning of a page.
    mutating func open(_ page: LivePage) {
        self.page = page
        (top, across) = (nil, nil)
        message = []
    }

    /// Whether a letter and the one after it begin a command.
    private static func isSpelled(_ letter: Character, _ next: Character) -> Bool {
        CommandTree.commands.contains { $0.name.hasPrefix(String([letter, next])) }
    }

    // MARK: Keys on an empty line

    /// A key that is no part of a line, and what it asks for.
    private struct Answer {
        var request: Request?
    }

    private mutating func taken(_ key: Key, on show: ShowReply) -> Answer? {
        switch key {
        case .tab: open(page.next)
        case .backTab: open(page.previous)
        case .escape: open(.table)
        case .control("d"): return Answer(request: .end)
        case .up where place > 0: scroll(by: -1)
        case .down where place < lastPlace: scroll(by: 1)
        case .left: across = max(0, (across ?? reach.across) - 1)
        case .right: across = min(reach.mostAcross, (across ?? reach.across) + 1)
        case .home: top = 0
        case .end: top = .max
        case .character(let character): return taken(character, on: show)
        default: return nil
        }
        return Answer()
    }

    private mutating func taken(_ character: Character, on show: ShowReply) -> Answer? {
        if page == .conflicts, let number = character.wholeNumberValue,
            let words = Conflicts(show).settling(with: number)
        {
            // The same digit again is meant for what stands there then.
            guard !isSettling else { return Answer() }
            isSettling = true
            return Answer(request: .run(LiveWords.arguments(words, on: show)))
        }
        guard character == "?" || !LiveWords.isBegun(by: character, on: show) else { return nil }
        switch character {
        case "?": turn(to: .help, by: character)
        case "c": turn(to: .conflicts, by: character)
        case "g": turn(to: .chart, by: character)
        case "u", "q", "n":
            if character == "u" { letter = (character, page) }
            return command(character, on: show).map { Answer(request: $0) }
        default: return nil
        }
        return Answer()
    }

    /// A page and back again.
    private mutating func turn(to wanted: LivePage, by character: Character) {
        letter = (character, page)
        open(page == wanted ? .table : wanted)
    }

    /// What a letter alone means.
    private func command(_ letter: Character, on show: ShowReply) -> Request? {
        switch letter {
        case "u": .run(LiveWords.arguments(["undo"], on: show))
        case "q": .end
        case "n": LiveWords.elsewhere(show).map { .watch($0.id) }
        default: nil
        }
    }

    // MARK: The line

    private mutating func entered(on show: ShowReply) -> Request? {
        let typed = TypedWords(line.text)
        guard typed.openQuote == nil else {
            tell("a quote is open")
            return nil
        }
        defer { isDone = false }
        if isDone, typed.all == ["undo"] {
            line.finish()
            return nil
        }
        guard let first = typed.all.first else {
            if case .answer = page { open(.table) }
            return nil
        }
        if typed.all.count == 1, let request = alone(first, on: show) { return request.request }
        guard !LiveWords.isElsewhere(first) else {
            tell("'\(first)' needs a terminal of its own")
            return nil
        }
        return .run(LiveWords.arguments(typed.all, on: show))
    }

    /// What a word means that stands alone and is no score: a page, or the letter of a key.
    private mutating func alone(_ word: String, on show: ShowReply) -> Answer? {
        let pages: [String: LivePage] = [
            "?": .help, "help": .help, "show": .table, "chart": .chart, "history": .history,
            "peer": .peers, "conflicts": .conflicts,
        ]
        let letters: [String: LivePage] = ["c": .conflicts, "g": .chart]
        let isLetter = word.count == 1 && !LiveWords.isLetterPlayed(on: show)
        if let page = pages[word] ?? (isLetter ? letters[word] : nil) {
            line.finish()
            open(page)
            return Answer()
        }
        if word == "quit" || word == "exit" { return Answer(request: .end) }
        guard isLetter, let letter = word.first else { return nil }
        return command(letter, on: show).map { Answer(request: $0) }
    }

    private mutating func complete(on show: ShowReply) {
        let completion = Completion(of: line.head, on: show, among: CommandTree.commands)
        line.replaceHead(by: completion.head)
        message =
            completion.choices.isEmpty
            ? [] : [Line(completion.choices.joined(separator: "  "), .faint)]
    }

    /// The first line that will be shown, and the last one that can be: several keys may be taken
    /// before the page is drawn again.
    private var place: Int { min(top ?? reach.top, lastPlace) }
    private var lastPlace: Int { reach.top + reach.below }

    private mutating func scroll(by lines: Int) { top = min(max(0, place + lines), lastPlace) }
}

/// A command that is given below a live sheet: what it prints comes as lines, and it asks nobody.
struct CommandBelow {
    /// What became of a command.
    struct Answer: Hashable {
        /// What it printed.
        var lines: [String]
        /// Whether it was carried out.
        var isDone: Bool
    }

    private let call: Invocation

    /// Commands for the daemon of a call.
    init(_ call: Invocation) { self.call = call }

    /// Gives a command by its words.
    func run(_ words: [String]) -> Answer {
        let output = Output()
        var console = call.console
        console.write = { output.bytes += $0 }
        console.writeError = { output.bytes += $0 }
        console.isInputTerminal = false
        console.readLine = { nil }
        // The view hears of signals, and lets a command come to its end.
        console.removeOnSignal = { _ in }
        let home = call.value("home").map { ["--home", $0] } ?? []
        let status = Program.run(
            // Plain text, as wide as the screen.
            ["--no-spawn", "--color", "never"] + home + words,
            console
        )
        let lines = String(decoding: output.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(Self.mark) ? String($0.dropFirst(Self.mark.count)) : String($0) }
        let isWrite = LiveWords.command(of: words).map(LiveWords.writes.contains) ?? false
        // Behind an empty line stands the board, which is in sight.
        let told = isWrite ? lines.prefix { !$0.isEmpty } : lines.dropLast()
        return Answer(lines: Array(told), isDone: status == 0)
    }

    /// What stands before an error.
    private static let mark = "scorectl: "

    /// What a command has printed so far.
    private final class Output {
        var bytes: [UInt8] = []
    }
}

/// What was written differently on several laptops, one cell after the other, settled with a digit.
struct Conflicts {
    /// The player and the cell that come first; nil where there is no conflict.
    private let first: (player: ShownPlayer, cell: ShownCell)?
    private let count: Int

    /// The conflicts of a sheet.
    init(_ show: ShowReply) {
        let all = LiveWords.players(on: show).flatMap { player in
            player.cells.filter { !$0.conflict.isEmpty }.map { (player: player, cell: $0) }
        }
        first = all.first
        count = all.count
    }

    private var values: [AttributedValue] {
        first.map { ([$0.cell.shown] + $0.cell.conflict).prefix(9) }.map { Array($0) } ?? []
    }

    /// The words that let the value of a number stand, as on the command line; nil of no value.
    func settling(with number: Int) -> [String]? {
        guard let first, values.indices.contains(number - 1) else { return nil }
        let address = CellAddress.text(first.cell.row, first.cell.round)
        return ConflictList.words(first.player.name, address, values[number - 1])
    }

    /// The first conflict, with the digits that settle it.
    func lines(now: Int64) -> [Line] {
        guard let first else { return [Line("  No conflicts.")] }
        let address = first.cell.label ?? CellAddress.text(first.cell.row, first.cell.round)
        let rows = values.enumerated().map { index, value -> [Line] in
            let shown = index == 0 ? " (shown)" : ""
            return [
                Line("  \(index + 1)", .strong), Line(ConflictList.read(value)),
                Line("by \(value.by), \(Ago.text(value.at, now: now))\(shown)", .faint),
            ]
        }
        let more = count > 1 ? [Line(), Line("  \(count - 1) more after this one.", .faint)] : []
        return [
            Line("  ") + Line(first.player.name, .strong) + Line(" " + address), Line(),
        ]
            + Table.aligned(rows, [.left, .left, .left], gap: 2)
            + [Line(), Line("  Press the number of what is right.", .faint)] + more
    }
}
