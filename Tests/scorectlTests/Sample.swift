import SessionCRDT
import SyncProtocol

/// Documents as a daemon would send them.
enum Sample {
    /// 2026-11-20T19:04:05.123Z.
    static let now: Int64 = 1_795_201_445_123

    /// The date far in the east, where it is already tomorrow at the moment of the sample.
    static func date(_ milliseconds: Int64) -> String {
        let ahead = UInt64(milliseconds + 14 * 3_600_000)
        return String(Timestamp(milliseconds: ahead).description.prefix(10))
    }

    static func time(minutesAgo: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: UInt64(now - minutesAgo * 60_000))
    }

    static let session = SessionSummary(
        id: "f00dfeed00000000f00dfeed00000000",
        title: "Friday",
        game: "rounds",
        status: "open"
    ).with {
        $0.current = true
        $0.players = 3
        $0.synced = true
        $0.peersOnline = 2
        $0.me = "Bob"
    }

    static let peers = [
        PeerSummary(device: "d1", name: "ann-laptop", address: "192.168.0.7:47615").with {
            $0.online = true
            $0.synced = true
            $0.clockSkewMs = 12
            $0.lastSeen = time()
        },
        PeerSummary(device: "d2", name: "bob-laptop", address: "192.168.0.8:47615").with {
            $0.clockSkewMs = -90_000
            $0.lastSeen = time(minutesAgo: 3)
        },
        PeerSummary(name: "10.0.0.9:47615", address: "10.0.0.9:47615"),
    ]

    static func cell(
        _ round: Int,
        _ value: Int64,
        conflict: [Int64] = []
    ) -> ShownCell {
        ShownCell(
            row: "round",
            round: round,
            value: .integer(value),
            by: "ann-laptop",
            at: time(minutesAgo: 9)
        ).with {
            $0.count = Points(value)
            $0.points = Points(value)
            $0.conflict = conflict.map {
                AttributedValue(value: .integer($0), by: "bob-laptop", at: time(minutesAgo: 9))
            }
        }
    }

    static func player(
        _ name: String,
        seat: Int,
        _ cells: [ShownCell],
        rank: Int?,
        removed: Bool = false
    ) -> ShownPlayer {
        let total = cells.reduce(0) { $0 + ($1.points ?? 0) }
        return ShownPlayer(id: "id-" + name, name: name, seat: seat).with {
            $0.total = total
            $0.rank = rank
            $0.removed = removed
            $0.cells = cells
        }
    }

    static func show(_ players: [ShownPlayer], rounds: Int = 3) -> ShowReply {
        ShowReply(
            document: ShowDocument(
                session: ShownSession(
                    id: session.id,
                    title: "Friday",
                    game: "rounds",
                    status: "open"
                ),
                players: players
            ),
            context: ShowContext(gameName: "Rounds").with {
                $0.rows = (1...rounds).map {
                    ShownRow(row: "round", round: $0, label: "Round \($0)")
                }
                $0.me = "id-Bob"
                $0.leaders = players.filter { $0.rank == 1 }.map(\.id)
                $0.peers = peers
                $0.unsynced = 3
            }
        )
    }

    /// Three players, one conflict, one who was removed.
    static let friday = show([
        player("Ann", seat: 1, [cell(1, 15), cell(2, 30), cell(3, 101)], rank: 1),
        player("Bob", seat: 2, [cell(1, 20), cell(2, -5)], rank: 3),
        player("张伟", seat: 3, [cell(1, 12, conflict: [14]), cell(2, 40)], rank: 2),
        player("Dan", seat: 4, [cell(1, 1)], rank: nil, removed: true),
    ])
}

/// Laptops that knock.
extension Sample {
    private static let symbols = KnockSymbol.symbols(of: [0, 16, 131])

    static let nearby = NearbyGame(
        session: session.id,
        title: "Friday",
        game: "Points",
        laptop: "ann-laptop",
        address: "10.0.0.1:47615"
    )

    static let knock = KnockReply(
        knock: "00000000000000010000000000000009",
        laptop: "ann-laptop",
        title: "Friday"
    ).with { $0.symbols = symbols }

    static let knocks = ["bob-laptop", "cem-laptop"].enumerated().map { number, laptop in
        KnockSummary(
            Knock(
                id: KnockID(high: 1, low: UInt64(number)),
                laptop: laptop,
                symbols: symbols,
                lastPlayed: nil
            ),
            in: NamedSession(id: session.id, title: "Friday")
        )
    }
}
