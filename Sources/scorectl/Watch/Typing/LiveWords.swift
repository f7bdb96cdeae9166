import ScoreSheets
import SyncProtocol

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
