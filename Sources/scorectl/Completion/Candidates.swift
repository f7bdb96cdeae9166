import CPlatform
import ControlSocket
import ScoreSheets
import SyncProtocol

/// A source of candidates for words of a command line.
protocol CandidateSource {
    /// The current candidates of a kind, after the other words of the command.
    func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate]
}

/// Candidates from the daemon, if one runs and answers at once: completion must not block a shell,
/// nor start anything.
final class DaemonCandidates: CandidateSource {
    /// The time limit of all requests of one completion.
    static let milliseconds: Int64 = 200
    /// The maximum number of candidates of a kind.
    private static let maxCandidates = 1_000

    private let paths: ControlPaths?
    private let session: String?
    private let end: Int64
    private lazy var client: ControlClient? = connected()
    private lazy var show: ShowReply? = answer(to: .show, .init(session: session))

    /// Candidates for a session, or the current one.
    init(_ paths: ControlPaths?, session: String?) {
        (self.paths, self.session) = (paths, session)
        end = platform_steady_milliseconds() + Self.milliseconds
    }

    func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
        Array(all(kind, after: words).prefix(Self.maxCandidates))
    }

    private func all(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
        switch kind {
        case .session: return sessions
        case .game:
            let games = answer(to: .games)?.items ?? []
            return games.map { Candidate(text: $0.id, summary: $0.name) }
        case .person:
            let people = answer(to: .people)?.items ?? []
            return people.map { Candidate(text: $0.name) }
        case .address:
            let peers = answer(to: .peers, .init(session: session))?.items ?? []
            return peers.compactMap { peer in
                peer.address.map { Candidate(text: $0, summary: peer.name) }
            }
        case .gameOption: return options(of: words.first { !$0.contains("=") })
        case .player, .removedPlayer, .team, .row, .cell, .score, .move:
            return show.map { SheetCandidates($0).candidates(kind, after: words) } ?? []
        case .file, .directory, .command, .daemonOption, .choice, .code, .number, .time, .text:
            return []
        }
    }

    /// The sessions by title, or by id if several have the same title.
    private var sessions: [Candidate] {
        let all = answer(to: .sessions)?.items ?? []
        return all.map { session in
            let isUnique = all.count { $0.title == session.title } == 1
            return Candidate(
                text: isUnique ? session.title : session.id,
                summary: (isUnique ? "" : session.title + ", ") + session.game
            )
        }
    }

    /// The options of a game, or of that of the session.
    private func options(of game: String?) -> [Candidate] {
        guard let game else {
            let options = answer(to: .options, .init(session: session))?.options ?? []
            return options.map { Candidate(text: $0.name + "=", summary: $0.takes) }
        }
        guard let sheet = answer(to: .game, .init(game: game))?.sheet,
            let known = try? ControlJSON.decode(Sheet.self, from: Array(sheet.utf8))
        else { return [] }
        return (known.options ?? []).map {
            Candidate(text: $0.name + "=", summary: $0.help ?? "")
        }
    }

    /// The part of a sheet that completion reads.
    private struct Sheet: Decodable {
        struct Option: Decodable {
            let name: String
            let help: String?
        }
        let options: [Option]?
    }

    private var left: Int { Int(max(1, end - platform_steady_milliseconds())) }

    private func answer<Parameters, Reply>(
        to method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) -> Reply? {
        guard let client, platform_steady_milliseconds() < end else { return nil }
        return try? client.call(method, parameters, timeoutMilliseconds: left)
    }

    private func answer<Reply>(to method: Method<NoParameters, Reply>) -> Reply? {
        answer(to: method, NoParameters())
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

/// Candidates from a sheet: its players, rows and moves.
struct SheetCandidates: CandidateSource {
    private let show: ShowReply

    init(_ show: ShowReply) { self.show = show }

    func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
        texts(kind, after: words).map { Candidate(text: $0) }
    }

    func texts(_ kind: ArgumentKind, after words: [String]) -> [String] {
        switch kind {
        case .player: show.activePlayers.map(\.name)
        case .removedPlayer: show.document.players.filter(\.removed).map(\.name)
        case .score: rows(for: player(words.first)).map { $0 + "=" }
        case .cell: player(words.first).map(filledCells) ?? rows(for: nil)
        case .row: rows(for: nil)
        case .move: show.legalMoves + show.activePlayers.map(\.name)
        case .team: show.document.teams.map(\.name)
        case .session, .person, .game, .gameOption, .address, .file, .directory, .command,
            .daemonOption, .choice, .code, .number, .time, .text:
            []
        }
    }

    /// The named player, or that of this laptop.
    private func player(_ word: String?) -> ShownPlayer? {
        let named = word.flatMap { word in
            show.document.players.first { $0.name.lowercased() == word.lowercased() }
        }
        return named ?? show.document.players.first { $0.id == show.context.me }
    }

    private func filledCells(of player: ShownPlayer) -> [String] {
        player.cells.map { CellAddress.text($0.row, $0.round) }
    }

    /// The rows that can be entered, as they are typed: of a row with rounds, the first round that
    /// is empty for the player.
    func rows(for player: ShownPlayer?) -> [String] {
        var seen: Set<String> = []
        let rows = show.context.rows.filter { !$0.computed && seen.insert($0.row).inserted }
        return rows.map { row in
            guard row.round != nil, let player else { return row.row }
            let filled = Set(player.cells.filter { $0.row == row.row }.compactMap(\.round))
            let free = (1...filled.count + 1).first { !filled.contains($0) }
            return CellAddress.text(row.row, free)
        }
    }
}

extension ShowReply {
    /// The players who were not removed.
    var activePlayers: [ShownPlayer] { document.players.filter { !$0.removed } }

    /// The legal moves on the boards of the game.
    var legalMoves: [String] {
        document.panels.flatMap { panel -> [String] in
            guard case .board(let board) = panel else { return [] }
            return board.legal
        }
    }
}
