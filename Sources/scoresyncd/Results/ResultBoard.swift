import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The results of all games that ended on this device, with leaders and statistics.
///
/// People are matched by name, whatever its case: their ids differ from session to session. A
/// computer is never taken for a person of the same name.
struct ResultBoard {
    /// Everything that ended, the earliest first.
    let results: [ResultRecord]
    /// The sheets of the games, as far as they are known here.
    private let sheets: [String: Sheet]

    /// The board of these results, in any order.
    init(_ results: [ResultRecord], sheets: [String: Sheet]) {
        self.results = results.sorted { left, right in
            (left.endedAt ?? 0, left.session, left.number)
                < (right.endedAt ?? 0, right.session, right.number)
        }
        self.sheets = sheets
    }

    /// The games of which something ended, by name.
    var games: [String] {
        Set(results.map(\.game)).sorted { left, right in
            (name(of: left).lowercased(), left) < (name(of: right).lowercased(), right)
        }
    }

    func name(of game: String) -> String { sheets[game]?.name ?? game }

    /// The noun for one game: `game` or `match`.
    func unit(of game: String) -> String { sheets[game]?.rules.outcomeName ?? "game" }

    /// The noun for a part of one; nil for a game without parts.
    func partUnit(of game: String) -> String? { sheets[game]?.rules.partName }

    /// The results that statistics count: games, and of matches their parts.
    var parts: [ResultRecord] { results.filter { $0.number != Outcome.match } }

    /// Matches, and games that are not part of one.
    private var wholes: [ResultRecord] {
        let matches = matches
        return results.filter { result in
            result.number == Outcome.match
                ? result.players.contains(where: \.isWinner) : matches[result.session] == nil
        }
    }

    /// The matches by their sessions.
    private var matches: [SessionID: ResultRecord] {
        let matches = results.filter { $0.number == Outcome.match }
        return Dictionary(matches.map { ($0.session, $0) }) { _, last in last }
    }

    /// The board with the results of one game.
    func of(_ game: String) -> ResultBoard {
        ResultBoard(results.filter { $0.game == game }, sheets: sheets)
    }

    /// The board without what was forgotten: what ended until a moment in milliseconds since 1970.
    func since(_ reset: (String) -> UInt64?) -> ResultBoard {
        let kept = results.filter { result in
            reset(result.game).map { ($0) < result.endedAt ?? 0 } ?? true
        }
        return ResultBoard(kept, sheets: sheets)
    }

    // MARK: People

    private struct Who: Hashable, Comparable {
        let name: String
        let isComputer: Bool

        init(_ player: ResultPlayer) {
            name = player.name.lowercased()
            isComputer = player.isComputer
        }

        static func < (left: Who, right: Who) -> Bool {
            left.name != right.name ? left.name < right.name : !left.isComputer && right.isComputer
        }
    }

    /// The outcomes of a person, the earliest first, with the name as it was spelled last.
    private struct Record {
        var name = ""
        var outcomes: [PlayerOutcome] = []
        var wins: Int { outcomes.count(where: \.isWin) }
    }

    private func records(
        of game: String,
        in results: [ResultRecord]
    ) -> [(who: Who, record: Record)] {
        var records: [Who: Record] = [:]
        for result in results where result.game == game {
            for player in result.players {
                records[Who(player), default: Record()].name = player.name
                records[Who(player), default: Record()].outcomes
                    .append(player.outcome(amongOthers: result.players.count > 1))
            }
        }
        return records.sorted { $0.key < $1.key }.map { (who: $0.key, record: $0.value) }
    }

    /// The ranking by wins: the first three places, or with `all` everybody.
    ///
    /// Equal numbers of matches are ranked by legs.
    func leaders(of game: String, all: Bool) -> GameLeaders {
        let won = Dictionary(uniqueKeysWithValues: records(of: game, in: wholes))
        let part = partUnit(of: game)
        let standing = records(of: game, in: parts).map { who, parts in
            let record = won[who] ?? Record()
            let legs = PartCount(wins: parts.wins, played: parts.outcomes.count)
            let merit = (record.wins, part == nil ? 0 : parts.wins)
            return (who: who, name: parts.name, record: record, legs: legs, merit: merit)
        }.sorted { $0.merit > $1.merit }
        let leaders = standing.map { one in
            Leader(
                place: 1 + standing.count { $0.merit > one.merit },
                name: one.name,
                wins: one.record.wins,
                played: one.record.outcomes.count
            ).with {
                $0.computer = one.who.isComputer
                $0.parts = part == nil ? nil : one.legs
            }
        }
        return GameLeaders(
            game: game,
            name: name(of: game),
            unit: unit(of: game),
            leaders: all
                ? leaders
                : leaders.filter { $0.place <= 3 && ($0.wins > 0 || $0.parts?.wins ?? 0 > 0) }
        ).with { $0.part = part }
    }

    func statistics(of game: String, since: UInt64?) -> GameStatistics {
        let people = records(of: game, in: parts).map { who, record in
            let outcomes = record.outcomes
            let statistics =
                sheets[game]?.rules.statistics(of: outcomes) ?? Statistic.general(of: outcomes)
            return PersonStatistics(
                name: record.name,
                computer: who.isComputer,
                statistics: statistics.map {
                    ShownStatistic(id: $0.id.description, label: $0.label, value: $0.text)
                }
            )
        }
        return GameStatistics(game: game, name: name(of: game), people: people).with {
            $0.since = since.map { Timestamp(milliseconds: $0) }
        }
    }

    /// The results, the latest first; a match is one, with its legs in it.
    var summaries: [ResultSummary] {
        let matches = matches
        let legs = Dictionary(grouping: parts.filter { matches[$0.session] != nil }, by: \.session)
        return results.reversed().compactMap { result in
            let isMatch = result.number == Outcome.match
            guard isMatch || matches[result.session] == nil else { return nil }
            return ResultSummary(
                session: result.session.description,
                title: result.title,
                game: result.game,
                name: name(of: result.game),
                number: isMatch ? 1 : result.number
            ).with {
                $0.at = result.moment
                $0.players = result.lines
                $0.part = isMatch ? partUnit(of: result.game) : nil
                $0.parts =
                    !isMatch
                    ? []
                    : (legs[result.session] ?? []).map { leg in
                        ResultPart(number: leg.number, at: leg.moment, players: leg.lines)
                    }
                $0.teams = result.teams
            }
        }
    }
}

extension ResultRecord {
    fileprivate var moment: Timestamp? { endedAt.map { Timestamp(milliseconds: $0) } }

    fileprivate var lines: [ResultLine] {
        players.map { player in
            ResultLine(id: player.player.description, name: player.name, total: player.total).with {
                $0.computer = player.isComputer
                $0.rank = player.rank
                $0.winner = player.isWinner
            }
        }
    }

    /// The teams from the best, equals by name.
    fileprivate var teams: [ShownTeam] {
        let members = Dictionary(grouping: players.filter { $0.rank != nil }) { $0.team }
        let names = Set(players.compactMap(\.team)).sorted()
        return names.compactMap { name in
            guard let members = members[name], let first = members.first, let rank = first.rank
            else { return nil }
            return ShownTeam(
                name: name,
                total: Bounds.cut(members.reduce(Int128(0)) { $0 + Int128($1.total) }),
                rank: rank,
                winner: first.isWinner,
                players: members.map(\.player.description)
            )
        }
        .sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    }
}

extension ResultPlayer {
    /// The outcome that it was kept of.
    fileprivate func outcome(amongOthers hasOpponents: Bool) -> PlayerOutcome {
        PlayerOutcome(
            player: player,
            name: name,
            isWinner: isWinner,
            rank: rank,
            total: total,
            tally: tally,
            hasOpponents: hasOpponents
        )
    }

    init(_ outcome: PlayerOutcome, isComputer: Bool) {
        self.init(
            player: outcome.player,
            name: outcome.name,
            isWinner: outcome.isWinner,
            rank: outcome.rank,
            total: outcome.total,
            team: outcome.team,
            isComputer: isComputer,
            tally: outcome.tally
        )
    }
}

/// The results of a session, which are cached in place of its scoreboard.
struct EndedGames: Sendable {
    /// The sheet of the session; nil where its game is not known here.
    let sheet: Sheet?
    /// Nil if the game is unknown here.
    let results: [ResultRecord]?

    init(of session: SessionID, _ board: Scoreboard) {
        let sheet = try? board.sheet.get()
        let computers = Set(board.players.filter { $0.computer != nil }.map(\.id))
        self.sheet = sheet
        results = sheet.flatMap { sheet in
            board.standings.map { $0.outcomes + ($0.match.map { [$0] } ?? []) }?.compactMap {
                outcome in
                // A game in which nothing was entered was none.
                guard outcome.at != nil else { return nil }
                return ResultRecord(
                    session: session,
                    number: outcome.number,
                    game: sheet.id.description,
                    title: board.header.title,
                    endedAt: outcome.at?.milliseconds,
                    players: outcome.players.map {
                        ResultPlayer($0, isComputer: computers.contains($0.player))
                    }
                )
            }
        }
    }
}

/// The source of results: of all sessions, including those that were left.
@EventLoop
struct Results: DaemonPart {
    let daemon: Daemon

    /// Derives the results of the sessions that are held, and reads those of sessions that were left.
    ///
    /// Each session that has changed is derived in a turn of the queue of its own, so that no call
    /// waits for all of them.
    func board() async throws(ControlError) -> ResultBoard {
        for session in sessions.all where !session.hasKnownResults {
            _ = session.results
            await queue.nextTurn()
        }
        return board(try await storage.run { store throws(StoreError) in try store.results() })
    }

    private func board(_ kept: [ResultRecord]) -> ResultBoard {
        var sheets: [String: Sheet] = [:]
        var results: [ResultRecord] = []
        var derived: Set<SessionID> = []
        for session in sessions.all {
            guard let games = session.results, let ended = games.results else { continue }
            derived.insert(session.id)
            results += ended
            if let sheet = games.sheet { sheets[sheet.id.description] = sheet }
        }
        for sheet in userSheets.library.sheets { sheets[sheet.id.description] = sheet }
        return ResultBoard(kept.filter { !derived.contains($0.session) } + results, sheets: sheets)
    }
}
