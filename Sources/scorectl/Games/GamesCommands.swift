import ScoreSheets
import SyncProtocol
import TerminalText

enum GamesCommands {
    static let group = Command(
        usage: "games",
        summary: "list and explain the games, and add your own",
        details: "Without a subcommand it lists them by kind. You can write a game as a JSON file,"
            + " for example from 'games export' of another one. A session contains the sheet of its"
            + " game, so the other laptops do not need to add it.",
        defaultSubcommand: "list",
        action: .group([list, search, show, add, remove, export, check])
    )

    private static let list = Command(
        usage: "list",
        summary: "all games of this laptop",
        isPage: true,
        action: .print(.games) { GameList.lines($0.items, columns: $1.columns) }
    )

    private static let search = Command(
        usage: "search WORD...",
        summary: "search the games for words",
        arity: 1...16,
        details: "Searches names, summaries, groups, rows and help texts for all words, in any"
            + " case. Exits 4 if no game matches.",
        examples: [
            ("games search dice", "games that mention dice"),
            ("games search cards lowest", "games that mention both"),
        ],
        isPage: true,
        action: .run { call throws(ControlError) in
            guard call.words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
                throw .usage("'games search' needs a WORD")
            }
            let reply = try call.call(.searchGames, .init(words: call.words))
            guard !reply.items.isEmpty else {
                let words = call.words.map { "“\($0)”" }.joined(separator: " and ")
                throw .notFound(
                    "no game mentions \(words)",
                    hint: "to list all games: scorectl games",
                    candidates: try names(like: call.words, call)
                )
            }
            try call.print(reply, GameList.searchResults(reply.items, columns: call.columns))
        }
    )

    /// Returns the ids of games with a similar name; nil if there are none.
    private static func names(
        like words: [String],
        _ call: Invocation
    ) throws(ControlError) -> [String]? {
        let games = try call.call(.games).items
        let near = games.filter { game in
            let names = [game.id, game.name.lowercased()]
            return words.contains { !Spelling.near($0.lowercased(), among: names).isEmpty }
        }
        return near.isEmpty ? nil : near.map(\.id)
    }

    // MARK: One game

    private static let show = Command(
        usage: "show [GAME]",
        summary: "explain a game: its rows, options and rules in short",
        details: "Without GAME it explains the game of the session.",
        examples: [
            ("games show rounds", "a game of this laptop"),
            ("games show --session Friday", "the game of the session “Friday”"),
        ],
        takesSession: true,
        isPage: true,
        action: .run { call throws(ControlError) in
            try explain(try request(call), call)
        }
    )

    static func explain(_ game: GameParameters, _ call: Invocation) throws(ControlError) {
        let reply = try call.call(.game, game)
        let sheet = try sheet(of: reply)
        let page = GamePage(game: reply.game, sheet: sheet, columns: call.columns)
        try call.print(document(reply.game, sheet), page.lines)
    }

    private static let export = Command(
        usage: "export [GAME]",
        summary: "print the JSON of a game",
        details:
            "Without GAME it prints the game of the session. A copy needs another id before you"
            + " add it (--as), or a higher version if it is your own game.",
        options: [CommandOption("as ID", "under another id, as a game of your own")],
        examples: [("games export rounds --as tarok > tarok.json", "a file to start from")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.game, try request(call))
            if call.isJSON, call.has("as") { throw .usage("--as and --json exclude each other") }
            if call.isJSON { return try call.printJSON(document(reply.game, try sheet(of: reply))) }
            if let id = call.value("as") {
                let names = ["id": id, "name": id.prefix(1).uppercased() + id.dropFirst()]
                let lines = JSONLayout.lines(of: reply.sheet, replacing: names)
                if let problem = SheetCheck.problems(in: lines.joined(separator: "\n")).first {
                    throw .usage("--as does not take '\(id)': \(problem.reason)")
                }
                return call.printFile(lines)
            }
            // User sheets keep their own formatting.
            let isOwn = reply.game.own && reply.sheet.utf8.contains(0x0A)
            let lines =
                isOwn
                ? reply.sheet.split(whereSeparator: \.isNewline).map(String.init)
                : JSONLayout.lines(of: reply.sheet)
            call.printFile(lines)
        }
    )

    private static func request(_ call: Invocation) throws(ControlError) -> GameParameters {
        guard let game = call.words.first else { return GameParameters(session: call.session) }
        guard call.session == nil else { throw .usage("GAME and --session exclude each other") }
        return GameParameters(game: game)
    }

    private static func sheet(of reply: GameReply) throws(ControlError) -> Sheet {
        do throws(SheetError) {
            return try Sheet(json: reply.sheet)
        } catch { throw .failed("\(error)") }
    }

    private static func document(_ game: GameSummary, _ sheet: Sheet) -> JSONDocument {
        ["schema": 1, "game": game, "sheet": sheet]
    }

    // MARK: User games

    private static let add = Command(
        usage: "add FILE",
        summary: "add a game of your own, or a newer version of one",
        details: "- reads standard input. Started sessions keep their version of the game.",
        examples: [("games add tichu.json", "then: scorectl session new tichu")],
        action: .run(add)
    )

    private static func add(_ call: Invocation) throws(ControlError) {
        let file = try SheetFile(call.words[0], call.console)
        let problems = SheetCheck.problems(in: file.text)
        if let first = file.lines(problems).first {
            let more = problems.count - 1
            let hint = more > 0 ? "for \(more) more: scorectl games check \(file.word)" : nil
            throw .failed(first.text, hint: hint)
        }
        let reply = try call.call(.addGame, .init(sheet: file.text))
        let game = reply.game
        let title = Line("“\(game.name)”", .strong) + Line(" (\(game.id), version \(game.version))")
        let line =
            switch reply.before {
            case .none: Line("Added ") + title + Line(".")
            case .some(game.version): title + Line(" already exists.")
            case .some(let before):
                Line("Added ") + title + Line(", replacing version \(before).")
            }
        let hint = Line("To start it: scorectl session new \(game.id)", .faint)
        try call.confirm(reply, [line, hint])
    }

    private static let remove = Command(
        usage: "remove GAME",
        summary: "remove your own game; its sessions are kept",
        details: "Asks for confirmation, since no backup is kept.",
        options: [.yes],
        action: .confirm(asking: .removeGame, { .init(game: $0.words[0]) }) { reply, _ in
            [Line("Removed ") + Line("“\(reply.game.name)”", .strong) + Line(".")]
        }
    )

    private static let check = Command(
        usage: "check FILE",
        summary: "check the file of a game, and list its errors by line",
        details: "Needs no daemon. Exits 1 if there are errors.",
        action: .runWithStatus { call throws(ControlError) in
            let file = try SheetFile(call.words[0], call.console)
            let problems = SheetCheck.problems(in: file.text)
            let objects = problems.map { problem -> JSONDocument in
                [
                    "line": problem.line, "column": problem.column, "path": problem.path,
                    "reason": problem.reason,
                ]
            }
            let document: JSONDocument = ["schema": 1, "problems": objects]
            guard problems.isEmpty else {
                try call.print(document, file.lines(problems))
                let count = Plural.text(problems.count, "error")
                let hint = "check again after fixing, since more may appear"
                let error = ControlError.failed("\(count) in \(file.name)", hint: hint)
                guard call.isJSON else { throw error }
                return error.exitCode
            }
            try call.print(document, [Line("\(file.name): no errors")])
            if let sheet = try? Sheet(json: file.text), SheetLibrary.builtIn(sheet.id) != nil {
                call.inform("“\(sheet.id)” is a built-in game; to add yours, give it another id")
            }
            return 0
        }
    )
}

/// The file of a sheet, or standard input for `-`.
struct SheetFile {
    /// The argument that names it, quoted for a shell.
    let word: String
    let name: String
    let text: String

    init(_ word: String, _ console: Console) throws(ControlError) {
        self.word = ShellWord.quoted(word)
        name = word == "-" ? "standard input" : word
        let bytes = try word == "-" ? SheetFile.input(console) : SheetFile.content(of: word)
        guard bytes.count <= Sheet.maxBytes else {
            let limit = Sheet.maxBytes / 1024
            throw .failed("\(name) is too long (at most \(limit) KiB)")
        }
        // The byte order mark of some editors is not JSON.
        let content = ByteOrderMark.dropped(from: bytes)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw .failed("\(name) is not valid UTF-8")
        }
        self.text = text
    }

    /// Returns the errors of the sheet, in the format of compilers.
    func lines(_ problems: [SheetProblem]) -> [Line] {
        problems.map { problem in
            let place = Line("\(name):\(problem.line):\(problem.column): ", .strong)
            let field = problem.path.isEmpty ? "" : problem.path + ": "
            return place + Line(field + problem.reason)
        }
    }

    /// The maximum number of bytes to read: one more than allowed, to detect files that are too
    /// long.
    private static let maxRead = Sheet.maxBytes + 1

    private static func input(_ console: Console) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < maxRead, let line = console.readLine() {
            bytes += Array((line + "\n").utf8)
        }
        return bytes
    }

    private static func content(of path: String) throws(ControlError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < maxRead {
            do throws(ControlError) {
                let piece = try Files.read(path, from: Int64(bytes.count), atMost: maxRead)
                guard !piece.isEmpty else { break }
                bytes += piece
            } catch {
                let other = path + ".json"
                let exists = (try? Files.read(other, atMost: 1)) != nil
                let hint = exists ? "did you mean \(other)?" : nil
                throw ControlError(error.kind, error.message, hint: hint)
            }
        }
        return bytes
    }
}

enum GameList {
    /// Lists all games under the headings of their groups; user games come last.
    static func lines(_ games: [GameSummary], columns: Int) -> [Line] {
        // One table, so that the columns of all groups are aligned.
        let blocks = zip(games, WrappedList.blocks(games.map { row($0) }, columns: columns))
        let groups = headings.compactMap { heading -> [Line]? in
            let lines = blocks.filter { Self.heading(of: $0.0) == heading }.flatMap(\.1)
            return lines.isEmpty ? nil : [Line(heading, .faint)] + lines
        }
        let hints = [
            Line("Find one:    scorectl games search WORD", .faint),
            Line("Explain one: scorectl games show GAME", .faint),
            Line("Start one:   scorectl session new GAME", .faint),
        ]
        return Array((groups + [hints]).joined(separator: [Line()]))
    }

    static func searchResults(_ games: [GameSummary], columns: Int) -> [Line] {
        WrappedList.blocks(games.map { row($0, reasons($0.found ?? [])) }, columns: columns)
            .flatMap(\.self)
    }

    private static let own = "Your games"
    private static let other = "Other games"
    private static let headings = GameGroup.allCases.map(\.heading) + [other, own]

    private static func heading(of game: GameSummary) -> String {
        // A newer daemon may send a group that this program does not know.
        game.own ? own : game.group.flatMap(GameGroup.init)?.heading ?? other
    }

    private static func row(_ game: GameSummary, _ reasons: [String] = []) -> WrappedList.Row {
        let players = Line(PlayerCountText.short(game.players))
        return ([Line("  \(game.id)", .strong), players], [text(of: game)] + reasons)
    }

    /// Returns the summary of a game, after its name if that differs from the id.
    private static func text(of game: GameSummary) -> String {
        let name = core(of: game.name) == core(of: game.id) ? [] : [game.name]
        let summary = game.summary.isEmpty ? [] : [game.summary]
        let version = game.version > 1 ? " · version \(game.version)" : ""
        return (name + summary).joined(separator: " – ") + version
    }

    private static func core(of text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func reasons(_ findings: [GameFinding]) -> [String] {
        findings.compactMap { finding in
            switch finding.place {
            case "name", "summary": nil
            case "group": "→ in the group “\(finding.text)”"
            case "row": "→ a row: \(finding.text)"
            case "help": "→ its help: \(finding.text)"
            case let place: "→ \(place): \(finding.text)"
            }
        }
    }
}

/// The output of `games show`: a summary of the sheet.
struct GamePage {
    let game: GameSummary
    let sheet: Sheet
    let columns: Int

    var lines: [Line] {
        var blocks = [heading]
        blocks.append(text(sheet.help))
        blocks.append(section("Commands", text(sheet.commands, by: 2)))
        blocks.append(section("Rows", rows))
        blocks.append(section("Options", options))
        blocks.append(section("Rules in short", sheet.ruleSummary.flatMap { text($0, by: 2) }))
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }

    private var heading: [Line] {
        let name = Line(sheet.name, .strong) + Line(" (\(game.id))", .faint)
        var facts = Line(PlayerCountText.sentence(game.players))
        if sheet.version > 1 { facts += Line(" · version \(sheet.version)", .faint) }
        if game.own { facts += Line(" · yours", .good) }
        let whole = name + Line(" · ") + facts
        return (whole.width <= columns ? [whole] : [name, facts]) + text(sheet.summary)
    }

    private var rows: [Line] {
        WrappedList.lines(
            sheet.rows.map { row in
                ([Line("  \(row.id)", .strong), Line(row.label)], sheet.explanation(of: row))
            },
            columns: columns
        )
    }

    private var options: [Line] {
        WrappedList.lines(
            // Options that the game records by itself are left out.
            sheet.options.filter { sheet.rules.isChoice($0.name) }.map { option in
                let usual = Line(OptionList.shown(Scalar(option.kind.defaultValue)), .faint)
                return (
                    [Line("  \(option.name)", .strong), usual],
                    OptionList.words(takes: option.acceptedValues, help: option.help)
                )
            },
            columns: columns
        )
    }

    private func section(_ title: String, _ content: [Line]) -> [Line] {
        content.isEmpty ? [] : [Line(title, .faint)] + content
    }

    private func text(_ text: String, by indent: Int = 0) -> [Line] {
        TextWidth.wrapped(text, to: max(20, columns - indent)).map { line in
            Line(String(repeating: " ", count: indent) + line)
        }
    }
}

/// The output of `session option`: values, defaults and choices.
enum OptionList {
    static func lines(_ options: [OptionSummary], columns: Int) -> [Line] {
        guard !options.isEmpty else { return [Line("This game has no options.")] }
        return WrappedList.lines(
            options.map { option in
                let isChosen = option.value != option.default
                let usual = isChosen ? "(default \(shown(option.default)))" : ""
                let value = Line(shown(option.value), isChosen ? .good : .plain)
                let cells = [Line(option.name, .strong), value, Line(usual, .faint)]
                return (cells, words(takes: option.takes, help: option.help))
            },
            columns: columns
        )
    }

    /// Lists the options that the arguments set, a line each; without arguments all options.
    static func lines(_ options: [OptionSummary], named words: [String], columns: Int) -> [Line] {
        let named = words.compactMap { word -> OptionSummary? in
            let name = word.prefix { $0 != "=" }
            guard case .one(let option) = Match(String(name), among: options, \.name) else {
                return nil
            }
            return option
        }
        guard !named.isEmpty, named.count == words.count else {
            return lines(options, columns: columns)
        }
        let texts = named.map { option in
            let isUsual = option.value == option.default
            return "\(option.name) = \(shown(option.value))" + (isUsual ? " (the default)" : "")
        }
        return [Line(texts.joined(separator: ", "))]
    }

    static func words(takes: String, help: String) -> String {
        (help.isEmpty ? "" : help + " ") + "Takes \(takes)."
    }

    /// Returns the text of an option's value; `off` for none.
    static func shown(_ value: Scalar) -> String {
        value == .null ? "off" : TextWidth.truncated("\(value)", to: 24)
    }
}

/// The number of players of a game, for people.
enum PlayerCountText {
    /// Returns a text for sentences: `2 to 4 players`, `1 player`, `any number of players`.
    static func sentence(_ count: PlayerCount) -> String {
        guard let maximum = count.to else {
            return count.from <= 1 ? "any number of players" : "\(count.from) players or more"
        }
        return count.from == maximum
            ? Plural.text(Int(maximum), "player") : "\(count.from) to \(maximum) players"
    }

    /// Returns a text for tables: `2–4`, `1`, `3+`.
    static func short(_ count: PlayerCount) -> String {
        guard let maximum = count.to else { return "\(count.from)+" }
        return count.from == maximum ? "\(maximum)" : "\(count.from)–\(maximum)"
    }
}
