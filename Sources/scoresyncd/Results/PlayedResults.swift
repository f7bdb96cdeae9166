import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The results of this device, for recognizing those of plays from another program.
struct PlayedResults {
    /// The facts that a game and its play in the other program have in common.
    private struct Course: Hashable {
        let game: String
        let totals: [String]

        /// Returns nil for a game without points, which has nothing to tell it from the next one.
        init?(_ result: ResultRecord) {
            guard result.players.contains(where: { $0.total != 0 }) else { return nil }
            game = result.game
            totals = result.players.map { "\($0.total) \($0.name.lowercased())" }.sorted()
        }
    }

    /// The time in milliseconds by which times may differ: the other program may have recorded the
    /// begin, or the time of another zone.
    private static let tolerance: UInt64 = 86_400_000

    private var sessions: Set<SessionID>
    private let moments: [Course: [UInt64]]

    init(_ board: ResultBoard) {
        sessions = Set(board.results.map(\.session))
        var moments: [Course: [UInt64]] = [:]
        for result in board.results where !result.isOfPlay {
            guard let course = Course(result), let end = result.endedAt else { continue }
            moments[course, default: []].append(end)
        }
        self.moments = moments
    }

    /// Adds a result, unless it is known by its id, or a game of this device has the same players
    /// and totals on the same day; returns whether it was added.
    mutating func insert(_ result: ResultRecord) -> Bool {
        guard sessions.insert(result.session).inserted else { return false }
        guard let course = Course(result), let end = result.endedAt else { return true }
        return !(moments[course] ?? []).contains { moment in
            max(moment, end) - min(moment, end) <= Self.tolerance
        }
    }
}

extension ResultRecord {
    /// The id of a player of a play: other programs have none that is known here.
    private static func player(at seat: Int, of play: SessionID) -> PlayerID {
        PlayerID(high: play.high, low: UInt64(seat))
    }

    /// Whether the result was read from a play.
    fileprivate var isOfPlay: Bool {
        players.enumerated().allSatisfy { $1.player == Self.player(at: $0, of: session) }
    }

    /// The result of a play, under the id of the play in place of a session's.
    ///
    /// Its game is that of the sheet with the same number at BoardGameGeek or the same name, or else
    /// the name itself.
    init(_ play: PlayedGame, _ sheets: [Sheet]) throws(ControlError) {
        guard let session = SessionID(play.id) else {
            throw .usage("“\(play.id)” is not 32 hexadecimal digits")
        }
        let name = PrintableText.cleaned(play.game, limit: Limits.nameBytes)
        guard !name.isEmpty, (1...PlayFile.players).contains(play.players.count) else {
            throw .usage("a play needs a game and 1 to \(PlayFile.players) players")
        }
        let sheet =
            sheets.first { $0.bggID != nil && $0.bggID == play.bggId }
            ?? sheets.first { $0.name.lowercased() == name.lowercased() }
        let end = UInt64(play.at.milliseconds)
        let length = UInt64(max(0, min(play.minutes ?? 0, 1440))) * 60_000
        let isOfSides = play.players.contains { $0.team != nil }
        let players = play.players.enumerated().map { seat, player in
            ResultPlayer(
                player: Self.player(at: seat, of: session),
                name: PrintableText.cleaned(player.name, limit: Limits.nameBytes),
                isWinner: player.winner,
                rank: player.rank,
                total: Points(clamping: Int128(player.total.halves)),
                team: player.team.map { PrintableText.cleaned($0, limit: Limits.nameBytes) }
            )
        }
        guard players.allSatisfy({ !$0.name.isEmpty }) else {
            throw .usage("a player without a name")
        }
        self.init(
            session: session,
            number: 1,
            game: sheet?.id.description ?? name,
            title: "BG Stats",
            beganAt: length > 0 && length < end ? end - length : nil,
            endedAt: end,
            isOfSides: isOfSides,
            players: players
        )
    }
}
