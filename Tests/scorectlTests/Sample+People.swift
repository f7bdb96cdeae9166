import SessionCRDT
import SyncProtocol

/// Documents about people and finished games.
extension Sample {
    static let people = PeopleReply([
        PersonSummary(name: "Cem", seat: 1), PersonSummary(name: "Ann", seat: 2),
        PersonSummary(name: "Bob"),
    ])

    static let results = ResultsReply([
        result("Friday", 2, [line("Ann", 4, nil), line("Robo", 9, 1, computer: true)]),
        result("Friday", 1, [line("Ann", 12, 1), line("Bob", 12, 1)]),
    ])

    static let leaders = LeadersReply([
        GameLeaders(
            game: "darts",
            name: "Darts",
            unit: "leg",
            leaders: [
                Leader(place: 1, name: "Ann", wins: 3, played: 5),
                Leader(place: 2, name: "Robo", wins: 2, played: 4).with { $0.computer = true },
            ]
        ),
        GameLeaders(game: "ghost", name: "Ghost", unit: "game", leaders: []),
    ])

    static let statistics = StatsReply([
        GameStatistics(
            game: "darts",
            name: "Darts",
            people: [person("Ann", "75.15", "3"), person("Bob", nil, "0")]
        ).with { $0.since = time() }
    ])

    private static func person(
        _ name: String,
        _ average: String?,
        _ wins: String
    ) -> PersonStatistics {
        PersonStatistics(
            name: name,
            computer: false,
            statistics: [
                ShownStatistic(id: "average", label: "Three-dart average", value: average),
                ShownStatistic(id: "wins", label: "Legs won", value: wins),
            ]
        )
    }

    private static func result(
        _ title: String,
        _ number: Int,
        _ players: [ResultLine]
    ) -> ResultSummary {
        ResultSummary(
            session: session.id,
            title: title,
            game: "darts",
            name: "Darts",
            number: number
        ).with {
            $0.at = time()
            $0.players = players
        }
    }

    private static func line(
        _ name: String,
        _ total: Points,
        _ rank: Int?,
        computer: Bool = false
    ) -> ResultLine {
        ResultLine(id: "id-" + name, name: name, total: total).with {
            $0.computer = computer
            $0.rank = rank
            $0.winner = rank == 1
        }
    }
}
