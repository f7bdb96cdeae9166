import CPlatform
import ControlSocket
import ScoreSheets
import SyncProtocol

/// `scorectl games …`: the games of this laptop.
enum GamesCommands {
    static let group = Command(
        name: "games",
        summary: "list and explain the games, and add your own",
        details: "Without a subcommand it lists them by kind. You can write a game as a JSON file,"
            + " for example from 'games export' of another one. A session contains the sheet of its"
            + " game, so the other laptops do not need to add it.",
        defaultSubcommand: "list",
        action: .group([list, search, show, add, remove, export, check])
    )

    private static var list: Command {
        Command(name: "list", summary: "all games of this laptop", action: .run(list))
    }

    private static func list(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(.games)
        try call.print(reply, GameList.lines(reply.items, columns: call.columns))
    }

    private static let search = Command(
        name: "search",
        summary: "search the games for words",
        words: "WORD...",
        arity: 1...16,
        details: "Searches names, summaries, groups, rows and help texts for all words, in any"
            + " case. Exits 4 if no game matches.",
        examples: [
            ("games search dice", "games that mention dice"),
            ("games search cards lowest", "games that mention both"),
        ],
        action: .run { call throws(ControlError) in
            guard call.words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
                throw ControlError(.usage, "'games search' needs a WORD")
            }
            let reply = try call.call(.searchGames, .init(words: call.words))
            guard !reply.items.isEmpty else {
                let words = call.words.map { "“\($0)”" }.joined(separator: " and ")
                throw ControlError(
                    .notFound,
                    "no game mentions \(words)",
                    hint: "to list all games: scorectl games",
                    candidates: try names(like: call.words, call)
                )
            }
            try call.print(reply, GameList.found(reply.items, columns: call.columns))
        }
    )

    /// The ids of games with a similar name; nil if there are none.
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
        name: "show",
        summary: "explain a game: its rows, options and rules in short",
        words: "[GAME]",
        details: "Without GAME it explains the game of the session.",
        examples: [
            ("games show rounds", "a game of this laptop"),
            ("games show --session Friday", "the game of the session “Friday”"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.game, try request(call))
            let sheet = try sheet(of: reply)
            let page = GamePage(game: reply.game, sheet: sheet, columns: call.columns)
            try call.print(GameDocument(game: reply.game, sheet: sheet), page.lines)
        }
    )

    private static let export = Command(
        name: "export",
        summary: "print the JSON of a game",
        words: "[GAME]",
        details: "Without GAME it prints the game of the session. Before you add the copy, give it"
            + " another id, or a higher version if it is your own game.",
        examples: [("games export points > mine.json", "a file to start from")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.game, try request(call))
            if call.isJSON {
                let document = GameDocument(game: reply.game, sheet: try sheet(of: reply))
                return try call.printJSON(document)
            }
            // Users' sheets keep their own layout.
            let isOwn = reply.game.own && reply.sheet.utf8.contains(0x0A)
            let lines =
                isOwn
                ? reply.sheet.split(whereSeparator: \.isNewline).map(String.init)
                : JSONLayout.lines(of: reply.sheet)
            call.printLines(lines.map { Line($0) })
        }
    )

    private static func request(_ call: Invocation) throws(ControlError) -> GameParameters {
        guard let game = call.words.first else { return GameParameters(session: call.session) }
        guard call.session == nil else {
            throw ControlError(.usage, "GAME and --session exclude each other")
        }
        return GameParameters(game: game)
    }

    private static func sheet(of reply: GameReply) throws(ControlError) -> Sheet {
        do throws(SheetError) {
            return try Sheet(json: reply.sheet)
        } catch { throw ControlError(.failed, "\(error)") }
    }

    private struct GameDocument: Encodable {
        let schema = 1
        let game: GameSummary
        let sheet: Sheet
    }

    // MARK: User games

    private static let add = Command(
        name: "add",
        summary: "add a game of your own, or a newer version of one",
        words: "FILE",
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
            throw ControlError(.failed, first.text, hint: hint)
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
        name: "remove",
        summary: "remove your own game; its sessions are kept",
        words: "GAME",
        details: "You are asked first, since no copy is kept.",
        options: [.yes],
        action: .run { call throws(ControlError) in
            let reply = try call.callConfirmed(.removeGame, .init(game: call.words[0]))
            let line = Line("Removed ") + Line("“\(reply.game.name)”", .strong) + Line(".")
            try call.confirm(reply, [line])
        }
    )

    private static let check = Command(
        name: "check",
        summary: "check the file of a game, and list its errors by line",
        words: "FILE",
        details: "Needs no daemon. Exits 1 if there are errors.",
        action: .run { call throws(ControlError) in
            let file = try SheetFile(call.words[0], call.console)
            let problems = SheetCheck.problems(in: file.text)
            let document = CheckDocument(problems: problems.map(CheckDocument.Problem.init))
            guard problems.isEmpty else {
                try call.print(document, file.lines(problems))
                let count = problems.count == 1 ? "1 error" : "\(problems.count) errors"
                let hint = "check again after fixing, since more may appear"
                throw ControlError(.failed, "\(count) in \(file.name)", hint: hint)
            }
            try call.print(document, [Line("\(file.name): no errors")])
            if let sheet = try? Sheet(json: file.text), SheetLibrary.builtIn(sheet.id) != nil {
                call.inform("“\(sheet.id)” is a built-in game; to add yours, give it another id")
            }
        }
    )

    private struct CheckDocument: Encodable {
        let schema = 1
        let problems: [Problem]

        struct Problem: Encodable {
            let line: Int
            let column: Int
            let path: String
            let reason: String

            init(_ problem: SheetProblem) {
                (line, column) = (problem.line, problem.column)
                (path, reason) = (problem.path, problem.reason)
            }
        }
    }
}

/// The file of a sheet, or standard input for `-`.
struct SheetFile {
    /// The argument that names it, quoted for a shell.
    let word: String
    /// The name for messages.
    let name: String
    let text: String

    init(_ word: String, _ console: Console) throws(ControlError) {
        self.word = ShellWord.quoted(word)
        name = word == "-" ? "standard input" : word
        let bytes = try word == "-" ? SheetFile.input(console) : SheetFile.content(of: word)
        guard bytes.count <= Sheet.maxBytes else {
            let limit = Sheet.maxBytes / 1024
            throw ControlError(.failed, "\(name) is too long (at most \(limit) KiB)")
        }
        // The byte order mark of some editors is not JSON.
        let content = bytes.trimmingPrefix([0xEF, 0xBB, 0xBF])
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ControlError(.failed, "\(name) is not valid UTF-8")
        }
        self.text = text
    }

    /// The errors of the sheet, in the format of compilers.
    func lines(_ problems: [SheetProblem]) -> [Line] {
        problems.map { problem in
            let place = Line("\(name):\(problem.line):\(problem.column): ", .strong)
            let field = problem.path.isEmpty ? "" : problem.path + ": "
            return place + Line(field + problem.reason)
        }
    }

    /// One byte more than allowed, to recognize files that are too long.
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
        var piece = [UInt8](repeating: 0, count: maxRead)
        while bytes.count < maxRead {
            let read = platform_read_file(path, Int64(bytes.count), &piece, piece.count)
            guard read >= 0 else {
                let error = ControlSocketError.system("read \(path)", code: Int32(-read))
                let other = path + ".json"
                let exists = platform_read_file(other, 0, &piece, 1) >= 0
                throw ControlError(
                    .failed,
                    "\(error)",
                    hint: exists ? "did you mean \(other)?" : nil
                )
            }
            guard read > 0 else { break }
            bytes += piece.prefix(read)
        }
        return bytes
    }
}
