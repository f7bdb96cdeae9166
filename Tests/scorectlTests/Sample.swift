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
        status: "open",
        current: true,
        players: 3,
        synced: true,
        peersOnline: 2,
        me: "Bob"
    )

    static let peers = [
        PeerSummary(
            device: "d1",
            name: "ann-laptop",
            address: "192.168.0.7:47615",
            online: true,
            synced: true,
            clockSkewMs: 12,
            lastSeen: time()
        ),
        PeerSummary(
            device: "d2",
            name: "bob-laptop",
            address: "192.168.0.8:47615",
            online: false,
            synced: false,
            clockSkewMs: -90_000,
            lastSeen: time(minutesAgo: 3)
        ),
        PeerSummary(
            name: "10.0.0.9:47615",
            address: "10.0.0.9:47615",
            online: false,
            synced: false
        ),
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
            count: value,
            points: value,
            by: "ann-laptop",
            at: time(minutesAgo: 9),
            conflict: conflict.map {
                AttributedValue(value: .integer($0), by: "bob-laptop", at: time(minutesAgo: 9))
            }
        )
    }

    static func player(
        _ name: String,
        seat: Int,
        _ cells: [ShownCell],
        rank: Int?,
        removed: Bool = false
    ) -> ShownPlayer {
        let total = cells.reduce(0) { $0 + ($1.points ?? 0) }
        return ShownPlayer(
            id: "id-" + name,
            name: name,
            seat: seat,
            total: total,
            rank: rank,
            winner: false,
            removed: removed,
            cells: cells
        )
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
                players: players,
                finished: false,
                winners: []
            ),
            context: ShowContext(
                gameName: "Rounds",
                rows: (1...rounds).map { ShownRow(row: "round", round: $0, label: "Round \($0)") },
                lowestWins: false,
                me: "id-Bob",
                leaders: players.filter { $0.rank == 1 }.map(\.id),
                peers: peers,
                offline: false,
                unsynced: 3,
                notes: []
            )
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
