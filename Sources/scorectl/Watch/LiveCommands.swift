import SyncProtocol

/// The commands of the live terminal, where a score or a move needs no command before it.
enum LiveCommands {
    /// The commands that write on the sheet.
    static let writes: Set<String> = ["score", "clear", "undo", "resolve", "play", "reset"]
    /// The commands that apply to the shown session, even if another one is current.
    private static let ofSession = writes.union(["player", "history", "peer"])
    /// The commands that need a terminal of their own, or would block this one.
    private static let unavailable: Set<String> = [
        "watch", "board", "demo", "wait", "daemon", "completions", "doctor", "backup", "restore",
        "export", "import",
    ]

    static func isAvailable(_ name: String) -> Bool { !unavailable.contains(name) }

    /// The arguments of `scorectl` for typed words: a command, or else a score or a move.
    static func arguments(_ words: [String], on show: ShowReply) -> [String] {
        guard let first = words.first else { return [] }
        let isCommand = CommandTree.commands.contains { $0.name == first }
        let whole = isCommand ? words : [isPlayed(show) ? "play" : "score"] + words
        let session = ["--session", show.document.session.id]
        return (ofSession.contains(whole[0]) ? session : []) + whole
    }

    /// The command of such arguments.
    static func command(of arguments: [String]) -> String? {
        (arguments.first == "--session" ? arguments.dropFirst(2) : arguments[...]).first
    }

    /// Whether the game is played move by move.
    static func isPlayed(_ show: ShowReply) -> Bool { show.context.moves != nil }

    /// Whether a letter alone is a move.
    static func hasLetterMoves(_ show: ShowReply) -> Bool {
        show.context.moves?.input == .letters
    }

    /// Whether a player, a row or a move begins with a letter, so that the letter is no command.
    static func isBeginning(_ letter: Character, on show: ShowReply) -> Bool {
        if hasLetterMoves(show) { return true }
        let words =
            show.activePlayers.map(\.name) + SheetCandidates(show).rows(for: nil) + show.legalMoves
        return words.contains { $0.lowercased().hasPrefix(String(letter).lowercased()) }
    }

    /// The session to which the players have moved on, if it is not the shown one.
    static func nextSession(_ show: ShowReply) -> NamedSession? {
        show.context.inUse ?? show.context.next
    }
}
