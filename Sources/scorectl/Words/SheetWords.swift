import SyncProtocol

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
