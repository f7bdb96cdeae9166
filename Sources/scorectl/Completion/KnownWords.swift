import CPlatform
import ControlSocket
import ScoreSheets
import SyncProtocol

/// Who knows what a word of a kind can be at this moment.
protocol KnownWords {
    /// What it can be, behind the other words of its command.
    func words(_ kind: WordKind, after words: [String]) -> [OfferedWord]
}

/// What the daemon knows, if one runs and answers within a moment: completion must never keep a
/// shell waiting, nor start anything.
final class DaemonWords: KnownWords {
    /// How long all questions of one completion may take.
    static let milliseconds: Int64 = 200
    /// How many words of a kind are taken.
    private static let most = 1_000

    private let paths: ControlPaths?
    private let session: String?
    private let end: Int64
    private lazy var client: ControlClient? = connected()
    private lazy var show: ShowReply? = asked(.show, .init(session: session))

    /// What the daemon of a home knows, about a session or the current one.
    init(_ paths: ControlPaths?, session: String?) {
        self.paths = paths
        self.session = session
        end = platform_steady_milliseconds() + Self.milliseconds
    }

    func words(_ kind: WordKind, after words: [String]) -> [OfferedWord] {
        Array(all(kind, after: words).prefix(Self.most))
    }

    private func all(_ kind: WordKind, after words: [String]) -> [OfferedWord] {
        switch kind {
        case .session: sessions
        case .game:
            (asked(.games)?.games ?? [])
                .map { OfferedWord(text: $0.id, summary: $0.name) }
        case .person:
            (asked(.people)?.people ?? []).map { OfferedWord(text: $0.name) }
        case .address:
            (asked(.peers, .init(session: session))?.peers ?? []).compactMap { peer in
                peer.address.map { OfferedWord(text: $0, summary: peer.name) }
            }
        case .gameOption: options(of: words.first { !$0.contains("=") })
        case .player, .removedPlayer, .team, .row, .cell, .score, .move:
            show.map { SheetWords($0).words(kind, after: words) } ?? []
        case .file, .directory, .command, .daemonOption, .choice, .code, .number, .time, .text: []
        }
    }

    /// The sessions by their titles, and by their ids where two have the same.
    private var sessions: [OfferedWord] {
        let all = asked(.sessions)?.sessions ?? []
        return all.map { session in
            let isOnly = all.count { $0.title == session.title } == 1
            return OfferedWord(
                text: isOnly ? session.title : session.id,
                summary: (isOnly ? "" : session.title + ", ") + session.game
            )
        }
    }

    /// The options of a game, or of that of the session.
    private func options(of game: String?) -> [OfferedWord] {
        guard let game else {
            let reply = asked(.options, .init(session: session))
            return (reply?.options ?? []).map {
                OfferedWord(text: $0.name + "=", summary: $0.takes)
            }
        }
        guard let sheet = asked(.game, .init(game: game))?.sheet,
            let known = try? ControlJSON.decode(Sheet.self, from: Array(sheet.utf8))
        else { return [] }
        return (known.options ?? []).map {
            OfferedWord(text: $0.name + "=", summary: $0.help ?? "")
        }
    }

    /// What completion reads of a sheet.
    private struct Sheet: Decodable {
        struct Option: Decodable {
            let name: String
            let help: String?
        }
        let options: [Option]?
    }

    // MARK: The daemon

    private var left: Int { Int(max(1, end - platform_steady_milliseconds())) }

    private func asked<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) -> Reply? {
        guard let client, platform_steady_milliseconds() < end else { return nil }
        return try? client.call(method, parameters, timeoutMilliseconds: left)
    }

    private func asked<Reply>(_ method: Method<NoParameters, Reply>) -> Reply? {
        asked(method, NoParameters())
    }

    private func connected() -> ControlClient? {
        guard let paths else { return nil }
        for path in [paths.socket, ControlLock.socket(paths)] {
            guard let path,
                let client = try? ControlClient(
                    path: path,
                    client: "scorectl \(Versions.program)",
                    home: paths.home,
                    timeoutMilliseconds: left
                )
            else { continue }
            return client
        }
        return nil
    }
}

/// What a sheet knows: its players, rows and moves.
struct SheetWords: KnownWords {
    private let show: ShowReply

    /// What a sheet knows.
    init(_ show: ShowReply) { self.show = show }

    func words(_ kind: WordKind, after words: [String]) -> [OfferedWord] {
        texts(kind, after: words).map { OfferedWord(text: $0) }
    }

    /// The same without what they are.
    func texts(_ kind: WordKind, after words: [String]) -> [String] {
        switch kind {
        case .player: players
        case .removedPlayer: show.document.players.filter(\.removed).map(\.name)
        case .score: LiveWords.rows(on: show, for: player(words.first)).map { $0 + "=" }
        case .cell: LiveWords.rows(on: show, for: player(words.first), isCleared: true)
        case .row: LiveWords.rows(on: show)
        case .move: LiveWords.moves(on: show) + players
        case .team: show.document.teams.map(\.name)
        case .session, .person, .game, .gameOption, .address, .file, .directory, .command,
            .daemonOption, .choice, .code, .number, .time, .text:
            []
        }
    }

    /// Who can score.
    private var players: [String] { LiveWords.players(on: show).map(\.name) }

    /// Whoever is named, else who sits at this laptop.
    private func player(_ word: String?) -> ShownPlayer? {
        let named = word.flatMap { word in
            show.document.players.first { $0.name.lowercased() == word.lowercased() }
        }
        return named ?? show.document.players.first { $0.id == show.context.me }
    }
}

/// What the words mean that are typed below a sheet.
enum LiveWords {
    /// The commands that write on the sheet.
    static let writes: Set<String> = ["score", "clear", "undo", "resolve", "play", "reset"]
    /// The commands that are about the sheet that is shown, whichever is the current one.
    private static let ofSheet = writes.union(["player", "history", "peer"])
    /// The commands that need a terminal of their own, or would keep this one waiting.
    private static let unfit: Set<String> = [
        "watch", "board", "demo", "wait", "daemon", "completions", "doctor", "backup", "restore",
        "export", "import",
    ]

    /// Whether a command cannot be given below a sheet.
    static func isElsewhere(_ name: String) -> Bool { unfit.contains(name) }

    /// The command line that some words stand for: a command as it is, else a score, or a move
    /// where the game is played move by move.
    static func arguments(_ words: [String], on show: ShowReply) -> [String] {
        guard let first = words.first else { return [] }
        let isCommand = CommandTree.commands.contains { $0.name == first }
        let whole = isCommand ? words : [isPlayed(show) ? "play" : "score"] + words
        let session = ["--session", show.document.session.id]
        return (ofSheet.contains(whole[0]) ? session : []) + whole
    }

    /// The command of arguments as they are made here.
    static func command(of arguments: [String]) -> String? {
        (arguments.first == "--session" ? arguments.dropFirst(2) : arguments[...]).first
    }

    /// Whether the game of a sheet is played move by move.
    static func isPlayed(_ show: ShowReply) -> Bool { gameEngine(of: show) != .rows }

    /// What computes the game; rows where this program does not know it.
    private static func gameEngine(of show: ShowReply) -> GameEngine {
        GameEngine(rawValue: show.context.engine) ?? .rows
    }

    /// Whether something that can be typed first begins with a letter, so that the letter alone is
    /// no command: in Ghost every letter is a move.
    static func isBegun(by letter: Character, on show: ShowReply) -> Bool {
        if isLetterPlayed(on: show) { return true }
        let words = players(on: show).map(\.name) + rows(on: show) + moves(on: show)
        return words.contains { $0.lowercased().hasPrefix(String(letter).lowercased()) }
    }

    /// Whether a letter alone is a move.
    static func isLetterPlayed(on show: ShowReply) -> Bool { gameEngine(of: show) == .ghost }

    /// The session where the users have gone, if it is another one than is shown.
    static func elsewhere(_ show: ShowReply) -> NamedSession? {
        show.context.inUse ?? show.context.next
    }

    /// Those who can score.
    static func players(on show: ShowReply) -> [ShownPlayer] {
        show.document.players.filter { !$0.removed }
    }

    /// The squares that can be played.
    static func moves(on show: ShowReply) -> [String] {
        show.document.panels.flatMap { panel -> [String] in
            guard case .board(let board) = panel else { return [] }
            return board.legal
        }
    }

    /// The rows that can be entered, as they are typed: where a row has rounds, the first one in
    /// which a player has nothing, or, to clear, all in which there is something.
    static func rows(
        on show: ShowReply,
        for player: ShownPlayer? = nil,
        isCleared: Bool = false
    ) -> [String] {
        if isCleared, let player {
            return player.cells.map { CellAddress.text($0.row, $0.round) }
        }
        var seen: Set<String> = []
        let rows = show.context.rows.filter { !$0.computed && seen.insert($0.row).inserted }
        return rows.map { row in
            guard row.round != nil, let player else { return row.row }
            let taken = Set(player.cells.filter { $0.row == row.row }.compactMap(\.round))
            let free = (1...taken.count + 1).first { !taken.contains($0) }
            return CellAddress.text(row.row, free)
        }
    }
}
