import CPlatform
import ControlSocket
import ScoreSheets
import SyncProtocol

/// `scorectl games …`: the games that this laptop can begin.
enum GamesCommands {
    static let group = Command(
        name: "games",
        summary: "the games that can be played, and games of your own",
        details: [
            "Alone it lists them by what they are played with. A game of rows is a JSON file;"
                + " 'games export' of another game is a good start. A session carries the"
                + " sheet of its game, so the other laptops need not add it."
        ],
        alone: "list",
        action: .group([list, search, show, add, remove, export, check])
    )

    private static var list: Command {
        Command(name: "list", summary: "all games of this laptop", action: .run(list))
    }

    private static func list(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(.games)
        try call.print(reply, GameList.lines(reply.games, columns: call.columns))
    }

    private static let search = Command(
        name: "search",
        summary: "the games in which a word stands",
        words: "WORD...",
        arity: 1...16,
        details: [
            "Names, summaries, groups, rows and help texts are searched; case does not count."
                + " Of several words a game has all. It exits 4 where no game has them."
        ],
        examples: [
            ("games search dice", "what is played with dice, and whatever mentions them"),
            ("games search cards lowest", "both words"),
        ],
        action: .run { call throws(ControlError) in
            guard call.words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
                throw ControlError(.usage, "'games search' needs a WORD")
            }
            let reply = try call.call(.searchGames, .init(words: call.words))
            guard !reply.games.isEmpty else {
                let words = call.words.map { "“\($0)”" }.joined(separator: " and ")
                throw ControlError(
                    .notFound,
                    "no game mentions \(words); all are listed by: scorectl games",
                    candidates: try names(like: call.words, call)
                )
            }
            try call.print(reply, GameList.found(reply.games, columns: call.columns))
        }
    )

    /// The ids of the games that are called nearly so; nil of none.
    private static func names(
        like words: [String],
        _ call: Invocation
    ) throws(ControlError) -> [String]? {
        let games = try call.call(.games).games
        let near = games.filter { game in
            let names = [game.id, game.name.lowercased()]
            return words.contains { !Spelling.near($0.lowercased(), among: names).isEmpty }
        }
        return near.isEmpty ? nil : near.map(\.id)
    }

    // MARK: One game

    private static let show = Command(
        name: "show",
        summary: "one game: its rows, its options and its rules in short",
        words: "[GAME]",
        details: ["Without GAME it is that of the session, by the sheet that it carries."],
        examples: [
            ("games show rounds", "a game of this laptop"),
            ("games show --session Friday", "what is played on Friday"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.game, try request(call))
            let sheet = try sheet(of: reply)
            let page = GamePage(reply.game, sheet, columns: call.columns)
            try call.print(GameDocument(game: reply.game, sheet: sheet), page.lines)
        }
    )

    private static let export = Command(
        name: "export",
        summary: "print the JSON of a game",
        words: "[GAME]",
        details: [
            "Without GAME it is that of the session. Give the copy another id before you add"
                + " it, or of a game of your own a higher version."
        ],
        examples: [("games export points > mine.json", "a file to start from")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.game, try request(call))
            if call.isJSON {
                let document = GameDocument(game: reply.game, sheet: try sheet(of: reply))
                return try call.printJSON(document)
            }
            // What users wrote stays as they laid it out.
            let isOwn = reply.game.own && reply.sheet.utf8.contains(0x0A)
            let lines =
                isOwn
                ? reply.sheet.split(whereSeparator: \.isNewline).map(String.init)
                : JSONLayout.lines(of: reply.sheet)
            call.printLines(lines.map { Line($0) })
        }
    )

    private static func request(_ call: Invocation) throws(ControlError) -> GameShowParameters {
        guard let game = call.words.first else { return GameShowParameters(session: call.session) }
        guard call.session == nil else {
            throw ControlError(.usage, "GAME and --session exclude each other")
        }
        return GameShowParameters(game: game)
    }

    private static func sheet(of reply: GameReply) throws(ControlError) -> Sheet {
        do throws(SheetError) {
            return try Sheet(json: reply.sheet)
        } catch { throw ControlError(.failed, "\(error)") }
    }

    /// A game as `--json` prints it.
    private struct GameDocument: Encodable {
        let schema = 1
        let game: GameSummary
        let sheet: Sheet
    }

    // MARK: Games of one's own

    private static let add = Command(
        name: "add",
        summary: "add a game of your own, or a newer version of one",
        words: "FILE",
        details: [
            "- reads standard input. Sessions that have begun go on with the version that they"
                + " began with."
        ],
        examples: [("games add tichu.json", "then: scorectl session new tichu")],
        action: .run(add)
    )

    private static func add(_ call: Invocation) throws(ControlError) {
        let file = try SheetFile(call.words[0], call.console)
        let problems = SheetCheck.problems(in: file.text)
        if let first = file.lines(problems).first {
            let more = problems.count - 1
            let rest = more > 0 ? "; and \(more) more: scorectl games check \(file.word)" : ""
            throw ControlError(.failed, first.text + rest)
        }
        let reply = try call.call(.addGame, .init(sheet: file.text))
        let game = reply.game
        let title = Line("“\(game.name)”", .strong) + Line(" (\(game.id), version \(game.version))")
        let line =
            switch reply.before {
            case .none: Line("Added ") + title + Line(".")
            case .some(game.version): title + Line(" was here already.")
            case .some(let before):
                Line("Added ") + title + Line(" in place of version \(before).")
            }
        try call.confirm(
            reply,
            [line, Line("Begin with: scorectl session new \(game.id)", .faint)]
        )
    }

    private static let remove = Command(
        name: "remove",
        summary: "remove a game of your own; sessions of it go on",
        words: "GAME",
        details: ["You are asked first: this laptop keeps no copy of it."],
        options: [.yes],
        action: .run { call throws(ControlError) in
            let reply = try call.callConfirmed(.removeGame, .init(game: call.words[0]))
            let line = Line("Removed ") + Line("“\(reply.game.name)”", .strong) + Line(".")
            try call.confirm(reply, [line])
        }
    )

    private static let check = Command(
        name: "check",
        summary: "say what is wrong with the file of a game, line by line",
        words: "FILE",
        details: ["It needs no daemon, and exits 1 when something is wrong."],
        action: .run { call throws(ControlError) in
            let file = try SheetFile(call.words[0], call.console)
            let problems = SheetCheck.problems(in: file.text)
            let verdict = CheckDocument(problems: problems.map(CheckDocument.Problem.init))
            guard problems.isEmpty else {
                try call.print(verdict, file.lines(problems))
                let count = problems.count == 1 ? "one thing" : "\(problems.count) things"
                let advice = "then check again: more may come to light"
                throw ControlError(.failed, "mend \(count) in \(file.name), \(advice)")
            }
            try call.print(verdict, [Line("\(file.name): all is well")])
            if let sheet = try? Sheet(json: file.text), SheetLibrary.builtIn(sheet.id) != nil {
                call.inform("“\(sheet.id)” comes with ScoreSync; to add yours, give it another id")
            }
        }
    )

    /// What `games check --json` prints.
    private struct CheckDocument: Encodable {
        let schema = 1
        let problems: [Problem]

        struct Problem: Encodable {
            let line: Int
            let column: Int
            let path: String
            let reason: String

            init(_ problem: SheetProblem) {
                line = problem.line
                column = problem.column
                path = problem.path
                reason = problem.reason
            }
        }
    }
}

/// A file with a sheet, or standard input, which is called `-`.
struct SheetFile {
    /// The word that names it, as a shell takes it.
    let word: String
    /// What messages call it.
    let name: String
    /// What it says.
    let text: String

    /// Reads what a word of the command line names.
    init(_ word: String, _ console: Console) throws(ControlError) {
        self.word = ShellWord.quoted(word)
        name = word == "-" ? "standard input" : word
        let bytes = try word == "-" ? SheetFile.input(console) : SheetFile.content(of: word)
        guard bytes.count <= Sheet.longest else {
            let most = Sheet.longest / 1024
            throw ControlError(.failed, "\(name) is longer than a sheet may be (\(most) KiB)")
        }
        // Editors begin texts with a mark that is no JSON, and that must not travel.
        let content = bytes.trimmingPrefix(SheetFile.mark)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ControlError(.failed, "\(name) is not a text in UTF-8")
        }
        self.text = text
    }

    /// What is wrong with the sheet, a line each as compilers write it.
    func lines(_ problems: [SheetProblem]) -> [Line] {
        problems.map { problem in
            let place = Line("\(name):\(problem.line):\(problem.column): ", .strong)
            let field = problem.path.isEmpty ? "" : problem.path + ": "
            return place + Line(field + problem.reason)
        }
    }

    // MARK: Reading

    /// The byte order mark in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// One byte more than a sheet may have says that it is too long.
    private static let enough = Sheet.longest + 1

    private static func input(_ console: Console) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < enough, let line = console.readLine() {
            bytes += Array((line + "\n").utf8)
        }
        return bytes
    }

    private static func content(of path: String) throws(ControlError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: enough)
        while bytes.count < enough {
            let read = platform_read_file(path, Int64(bytes.count), &piece, piece.count)
            guard read >= 0 else {
                let error = ControlSocketError.system("read \(path)", code: Int32(-read))
                let other = path + ".json"
                let isThere = platform_read_file(other, 0, &piece, 1) >= 0
                let hint = isThere ? "; did you mean \(other)?" : ""
                throw ControlError(.failed, "\(error)" + hint)
            }
            guard read > 0 else { break }
            bytes += piece.prefix(read)
        }
        return bytes
    }
}
