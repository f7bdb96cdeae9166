import CPlatform
import ControlSocket
import SyncProtocol

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
    private lazy var show: ShowReply? = asked(ShowRequest(session: session))

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
            (asked(GameListRequest())?.games ?? [])
                .map { OfferedWord(text: $0.id, summary: $0.name) }
        case .person:
            (asked(PeopleListRequest())?.people ?? []).map { OfferedWord(text: $0.name) }
        case .address:
            (asked(PeerListRequest(session: session))?.peers ?? []).compactMap { peer in
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
        let all = asked(SessionListRequest())?.sessions ?? []
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
            let reply = asked(SessionOptionRequest(session: session))
            return (reply?.options ?? []).map {
                OfferedWord(text: $0.name + "=", summary: $0.takes)
            }
        }
        guard let sheet = asked(GameShowRequest(game: game))?.sheet,
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

    private func asked<Request: ControlRequest>(_ request: Request) -> Request.Reply? {
        guard let client, platform_steady_milliseconds() < end else { return nil }
        return try? client.call(request, timeoutMilliseconds: left)
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
