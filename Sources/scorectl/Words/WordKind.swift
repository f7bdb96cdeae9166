/// What a word of a command line stands for: what can be completed there, and what `help --json`
/// says of it.
enum WordKind: String, Hashable, Sendable, CaseIterable, Encodable {
    /// A session that is held here: its title, or a beginning of its id.
    case session
    /// A player of the session.
    case player
    /// A player who was removed from the session.
    case removedPlayer = "removed-player"
    /// Somebody who plays on this laptop.
    case person
    /// A team of the session.
    case team
    /// A row of the sheet, with its round where it has rounds.
    case row
    /// A place of the sheet in which something is written.
    case cell
    /// A row and what to write there, `ROW=VALUE`.
    case score = "entry"
    /// What is played in a turn.
    case move
    /// A game, by its id.
    case game
    /// An option of a game and its value, `NAME=VALUE`.
    case gameOption = "game-option"
    /// The address of another laptop.
    case address
    /// A file.
    case file
    /// A directory.
    case directory
    /// A command of `scorectl`.
    case command
    /// An option of `scoresyncd`.
    case daemonOption = "daemon-option"
    /// One of some words.
    case choice
    /// A join code.
    case code
    /// A number.
    case number
    /// A stretch of time.
    case time
    /// Anything.
    case text

    /// What stands for it in the lines of help, where a command does not say otherwise.
    private static let placeholders: [String: WordKind] = [
        "SESSION": .session, "S": .session, "PLAYER": .player, "TEAM": .team,
        "ROW[.ROUND]": .cell, "ROW[.ROUND]=VALUE": .score, "MOVE": .move, "GAME": .game,
        "NAME=VALUE": .gameOption, "K=V": .gameOption, "HOST[:PORT]": .address, "FILE": .file,
        "DIR": .directory, "DIRECTORY": .directory, "COMMAND": .command,
        "SCORESYNCD-OPTION": .daemonOption, "CODE": .code, "N": .number, "TIME": .time,
        "SECONDS": .time, "NAME": .text, "TITLE": .text, "T": .text, "VALUE": .text,
        "NEW-NAME": .text, "DEVICE": .text, "WORD": .text,
    ]

    /// What a word in capitals stands for; nil where nobody has said it.
    init?(placeholder: String) {
        guard let kind = Self.placeholders[placeholder] else { return nil }
        self = kind
    }
}
