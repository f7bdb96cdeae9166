/// What the exit statuses of `scorectl` mean: scripts may rely on them.
enum ExitStatus {
    /// All of them, by number.
    static let all: [(code: Int32, meaning: String)] = [
        (0, "done"),
        (1, "it could not be done"),
        (2, "what was typed makes no sense, or nobody could be asked"),
        (3, "no daemon runs, and none could or was to be started"),
        (4, "there is no such session, player, game, ..., or nobody answers"),
        (5, "the rules of the game, or the session, forbid it"),
        (6, "the join code was rejected"),
        (7, "it was not so in time"),
        (8, "this program and the daemon are of versions that do not fit"),
        (10, "'scorectl doctor' found a problem"),
    ]
}
