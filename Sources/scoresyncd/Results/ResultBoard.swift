import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The results of all games that ended on this device, and the leaders and statistics from them.
///
/// People are matched by name, ignoring case, because their ids differ from session to session. A
/// computer never counts as a person of the same name.
struct ResultBoard {
    /// The results, the earliest first.
    let results: [ResultRecord]
    /// The sheets of the games, by id, as far as they are known.
    private let sheets: [String: Sheet]
    /// The tables at which the results were played, as far as their sessions are on this device.
    private let tables: [SessionID: ResultTable]

    init(
        _ results: [ResultRecord],
        sheets: [String: Sheet],
        tables: [SessionID: ResultTable] = [:]
    ) {
        (self.sheets, self.tables) = (sheets, tables)
        self.results = results.sorted { left, right in
            (left.endedAt ?? 0, left.session, left.number)
                < (right.endedAt ?? 0, right.session, right.number)
        }
    }

    var games: [String] {
        Set(results.map(\.game)).sorted { left, right in
            (name(of: left).lowercased(), left) < (name(of: right).lowercased(), right)
        }
    }

    func name(of game: String) -> String { sheets[game]?.name ?? game }

    /// Returns the noun for one game: `game` or `match`.
    func unit(of game: String) -> String { sheets[game]?.rules.outcomeName ?? "game" }

    func partUnit(of game: String) -> String? { sheets[game]?.rules.partName }

    /// The results that statistics count: games or, in matches, their parts; but no games that
    /// count for nobody.
    var countedResults: [ResultRecord] {
        results.filter { $0.number != Outcome.match && $0.verdict != .noWinner }
    }

    /// The results of matches, and of games that are not part of a match.
    private var wholes: [ResultRecord] {
        let matches = matches
        return results.filter { result in
            result.number == Outcome.match
                ? result.players.contains(where: \.isWinner)
                : !matches.contains(result.session) && result.verdict != .noWinner
        }
    }

    private var matches: Set<SessionID> {
        Set(results.filter { $0.number == Outcome.match }.map(\.session))
    }

    func filtered(byGame game: String) -> ResultBoard {
        ResultBoard(results.filter { $0.game == game }, sheets: sheets, tables: tables)
    }

    /// Returns the board without the results before each game's reset, in milliseconds since 1970.
    func since(_ reset: (String) -> UInt64?) -> ResultBoard {
        let kept = results.filter { result in
            reset(result.game).map { $0 < result.endedAt ?? 0 } ?? true
        }
        return ResultBoard(kept, sheets: sheets, tables: tables)
    }

    private struct Person: Hashable {
        let name: String
        let isComputer: Bool
    }

    /// The outcomes of a person, the earliest first, with the latest spelling of the name.
    private struct Record {
        var name = ""
        var outcomes: [PlayerOutcome] = []
        /// The ends of the games of the outcomes.
        var moments: [Timestamp?] = []
        /// The lengths of these games; nil if unknown.
        var minutes: [Int64?] = []
        var wins: Int { outcomes.count(where: \.isWin) }
    }

    private func records(
        of game: String,
        in results: [ResultRecord]
    ) -> [(person: Person, record: Record)] {
        var records: [Person: Record] = [:]
        for result in results where result.game == game {
            for player in result.players {
                let person = Person(
                    name: player.name.lowercased(),
                    isComputer: player.isComputer
                )
                let outcome = PlayerOutcome(
                    player: player.player,
                    name: player.name,
                    isWinner: player.isWinner,
                    rank: player.rank,
                    total: player.total,
                    tally: player.tally,
                    hasOpponents: result.players.count > 1
                )
                records[person, default: Record()].name = player.name
                records[person, default: Record()].outcomes.append(outcome)
                records[person, default: Record()].moments.append(result.moment)
                records[person, default: Record()].minutes.append(result.minutes)
            }
        }
        return records.map { (person: $0.key, record: $0.value) }.sorted { left, right in
            (left.person.name, left.person.isComputer ? 1 : 0)
                < (right.person.name, right.person.isComputer ? 1 : 0)
        }
    }

    /// Returns the ranking by wins and, in matches, then by legs: the first three ranks, or all.
    func leaders(of game: String, all: Bool) -> GameLeaders {
        let won = Dictionary(uniqueKeysWithValues: records(of: game, in: wholes))
        let part = partUnit(of: game)
        let ranked = records(of: game, in: countedResults).map { person, parts in
            let whole = won[person] ?? Record()
            let leader = Leader(
                place: 0,
                name: parts.name,
                wins: whole.wins,
                played: whole.outcomes.count
            ).with {
                $0.computer = person.isComputer
                if part != nil {
                    $0.parts = PartCount(wins: parts.wins, played: parts.outcomes.count)
                }
            }
            return (merit: (whole.wins, leader.parts?.wins ?? 0), leader: leader)
        }.sorted { $0.merit > $1.merit }
        let leaders = ranked.map { merit, leader in
            leader.with { $0.place = 1 + ranked.count { $0.merit > merit } }
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

    /// The maximum number of games for which a person's statistics are listed one by one.
    private static let maxHistory = 200

    /// Returns the statistics of people over all games, and if wanted also of each single one.
    func statistics(of game: String, since: UInt64?, withHistory: Bool = false) -> GameStatistics {
        func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
            sheets[game]?.rules.statistics(of: outcomes) ?? Statistic.general(of: outcomes)
        }
        let records = records(of: game, in: countedResults)
        let knowsTimes = records.contains { $0.record.minutes.contains { $0 != nil } }
        // A column for all people, if the length of any game is known.
        func time(of minutes: some Collection<Int64?>) -> [ShownStatistic] {
            guard knowsTimes else { return [] }
            let known = minutes.compactMap(\.self)
            let mean = known.isEmpty ? nil : known.reduce(0, +) / Int64(known.count)
            let words = mean.map(ResultSummary.words)
            return [ShownStatistic(id: "time", label: "Average time", value: words)]
        }
        let people = records.map { person, record in
            PersonStatistics(
                name: record.name,
                computer: person.isComputer,
                statistics: statistics(of: record.outcomes).map {
                    ShownStatistic(id: $0.id.description, label: $0.label, value: $0.text)
                } + time(of: record.minutes)
            ).with {
                guard withHistory else { return }
                $0.history = record.outcomes.indices.suffix(Self.maxHistory).map { index in
                    let values = statistics(of: [record.outcomes[index]]).map(\.text)
                    let time = time(of: [record.minutes[index]]).map(\.value)
                    return SingleStatistics(at: record.moments[index], values: values + time)
                }
            }
        }
        return GameStatistics(game: game, name: name(of: game), people: people).with {
            $0.since = since.map { Timestamp(milliseconds: $0) }
        }
    }

    /// The results, the latest first; a match is one result, which contains its legs.
    var summaries: [ResultSummary] {
        let matches = matches
        let legs = Dictionary(
            grouping: results.filter {
                $0.number != Outcome.match && matches.contains($0.session)
            },
            by: \.session
        )
        return results.reversed().compactMap { result in
            let isMatch = result.number == Outcome.match
            guard isMatch || !matches.contains(result.session) else { return nil }
            let parts = isMatch ? legs[result.session] ?? [] : []
            return ResultSummary(
                session: result.session.description,
                title: result.title,
                game: result.game,
                name: name(of: result.game),
                number: isMatch ? 1 : result.number
            ).with {
                $0.at = result.moment
                $0.began = result.beginning
                $0.verdict = result.verdict?.kind
                $0.players = result.lines
                $0.part = isMatch ? partUnit(of: result.game) : nil
                $0.parts = parts.map { leg in
                    ResultPart(number: leg.number, at: leg.moment, players: leg.lines)
                }
                $0.teams = result.teams
                $0.seats = seats(of: result)
                $0.lowestWins = isLowestBest(in: result)
                $0.bggId = sheets[result.game]?.bggID
            }
        }
    }

    /// Returns whether the lowest total wins; nil in coded games, whose rules do not go by the
    /// sheet, and if it depends on an option that is gone with its session.
    private func isLowestBest(in result: ResultRecord) -> Bool? {
        if let table = tables[result.session] { return table.lowestWins }
        guard let sheet = sheets[result.game], !sheet.hasMoves, case .always(let rule) = sheet.wins
        else { return nil }
        return rule == .lowest
    }

    /// Returns everybody who sat at the table; nil if all of them are players of the result without
    /// a team, or if several games were played there, perhaps by different people.
    private func seats(of result: ResultRecord) -> [ResultSeat]? {
        guard let table = tables[result.session], table.games == 1 else { return nil }
        let players = Set(result.players.map(\.player))
        let seats = table.players.filter { $0.isPresent || players.contains($0.id) }
        guard seats.contains(where: { !players.contains($0.id) || $0.team != nil }) else {
            return nil
        }
        return seats.map { player in
            ResultSeat(id: player.id.description, name: player.name, team: player.team)
        }
    }
}

/// The table at which the games of a session were played.
struct ResultTable: Sendable {
    /// The players in seat order, also those who have left.
    let players: [Player]
    /// The number of games, where a match is one.
    let games: Int
    /// Whether the lowest total wins; nil in coded games.
    let lowestWins: Bool?
}

extension ResultRecord {
    fileprivate var beginning: Timestamp? { beganAt.map { Timestamp(milliseconds: $0) } }
    fileprivate var moment: Timestamp? { endedAt.map { Timestamp(milliseconds: $0) } }

    fileprivate var minutes: Int64? {
        ResultSummary.minutes(from: beginning?.milliseconds, to: moment?.milliseconds)
    }

    fileprivate var lines: [ResultLine] {
        players.map { player in
            ResultLine(id: player.player.description, name: player.name, total: player.total).with {
                $0.computer = player.isComputer
                $0.rank = player.rank
                $0.winner = player.isWinner
            }
        }
    }

    /// The teams from best to worst; ties are sorted by name.
    fileprivate var teams: [ShownTeam] {
        let members = Dictionary(grouping: players.filter { $0.rank != nil }) { $0.team }
        return members.compactMap { name, members in
            guard let name, let first = members.first, let rank = first.rank else { return nil }
            return ShownTeam(
                name: name,
                total: isOfSides ? first.total : members.reduce(0) { $0 + $1.total },
                rank: rank,
                winner: first.isWinner,
                players: members.map(\.player.description)
            ).with { $0.together = isOfSides ? true : nil }
        }
        .sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    }
}

/// The results of a session, cached even if its scoreboard is not.
struct SessionResults: Sendable {
    /// The sheet of the session; nil if this device does not know the game.
    let sheet: Sheet?
    /// The results; nil if this device does not know the game.
    let results: [ResultRecord]?
    /// The table of the results; nil if this device does not know the game.
    let table: ResultTable?

    init(of session: SessionID, _ board: Scoreboard) {
        sheet = try? board.sheet.get()
        guard let sheet, let standings = board.standings else {
            (results, table) = (nil, nil)
            return
        }
        table = ResultTable(
            players: board.players,
            games: standings.match == nil ? standings.outcomes.count : 1,
            lowestWins: sheet.hasMoves ? nil : sheet.winRule(of: board.book) == .lowest
        )
        let computers = Set(board.players.filter { $0.computer != nil }.map(\.id))
        let outcomes = standings.outcomes + (standings.match.map { [$0] } ?? [])
        let first = board.firstStamp
        var ends: [Stamp] = []
        // A game without entries does not count, unless the table says who has won.
        results = outcomes.filter { $0.at != nil && !$0.players.isEmpty }.map { outcome in
            // A part begins when the one before it has ended.
            let began = outcome.number == Outcome.match ? first : ends.last ?? first
            if let at = outcome.at { ends.append(at) }
            return ResultRecord(
                session: session,
                number: outcome.number,
                game: sheet.id.description,
                title: board.header.title,
                beganAt: began?.milliseconds,
                endedAt: outcome.at?.milliseconds,
                verdict: outcome.verdict,
                isOfSides: sheet.teams == .together,
                players: outcome.players.map { player in
                    ResultPlayer(
                        player: player.player,
                        name: player.name,
                        isWinner: player.isWinner,
                        rank: player.rank,
                        total: player.total,
                        team: player.team,
                        isComputer: computers.contains(player.player),
                        tally: player.tally
                    )
                }
            )
        }
    }
}

extension Scoreboard {
    /// The stamp of the first entry that is live.
    fileprivate var firstStamp: Stamp? {
        players.lazy.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
            .map(\.live.winner.stamp).min()
    }
}
