import SessionCRDT

@testable import SessionStore

/// A store filled with two sessions of several devices, people, games and settings; small enough to
/// damage each page in turn.
struct FilledStore {
    /// The sessions as stored, and as replicas.
    private(set) var sessions: [(record: SessionRecord, map: CausalMap)] = []
    let people = [Person("Ann", isSelected: true), Person("Bob")]
    let sheet = StoredSheet(id: Symbol(known: "mine"), text: "{\"rows\": []}")
    let address = StoredAddress(
        address: "10.0.0.2:47615",
        device: DeviceID(high: 3, low: 2),
        lastAuthenticated: 5,
        isTyped: true
    )

    /// Results that have everything that a result may have.
    let results = (1...2).map { number in
        ResultRecord(
            session: SessionID(high: 9, low: 7),
            number: number,
            game: "rounds",
            title: "Friday",
            beganAt: 3,
            endedAt: 4,
            verdict: .allWon,
            isOfSides: true,
            players: [
                ResultPlayer(
                    player: PlayerID(high: 9, low: 1),
                    name: "Ann",
                    isWinner: true,
                    rank: 1,
                    total: Points(halves: 25),
                    team: "Reds",
                    tally: [Symbol(known: "darts"): 9]
                )
            ]
        )
    }

    /// Fills a store; with `withCompleteLog` its log then has every page of the database.
    init(_ store: SessionStore, rounds: UInt32 = 60, withCompleteLog: Bool = false) throws {
        for number in 1...2 as ClosedRange<UInt64> {
            let record = SessionRecord(
                id: SessionID(high: number, low: 7),
                key: [UInt8](repeating: UInt8(number), count: SessionStore.keyBytes),
                joinedAt: number
            )
            try store.add(record)
            try store.set("me", of: record.id, to: "ann")
            try store.record(address, for: record.id)
            let map = try FilledStore.play(record.id, rounds, store)
            sessions.append((record, map))
        }
        try store.set("device.name", to: "laptop")
        _ = try store.changePeople { [people] in $0 = people }
        try store.save(sheet)
        try store.save(results, of: SessionID(high: 9, low: 7))
        if withCompleteLog { try store.connection.run("VACUUM") }
    }

    /// Three devices enter each round of four players, and correct every fifth.
    private static func play(
        _ session: SessionID,
        _ rounds: UInt32,
        _ store: SessionStore
    ) throws -> CausalMap {
        var map = StagedMap(CausalMap())
        var sequences: [UInt64: UInt64] = [:]
        for round in 1...rounds {
            for player in 0..<4 as Range<UInt64> {
                let cell = Cell(
                    player: PlayerID(high: session.high, low: player + 1),
                    row: Symbol(known: "round"),
                    round: round % 5 == 0 ? max(round / 5, 1) : round
                )
                let writer = (player + UInt64(round / 20)) % 3
                for mutation in Mutation.score(cell, .integer(Int64(round) * 10 + Int64(player))) {
                    sequences[writer, default: 0] += 1
                    let entry = Entry(
                        dot: Dot(
                            actor: ActorID(high: session.high + 100, low: writer + 1),
                            sequence: sequences[writer, default: 0]
                        ),
                        stamp: Stamp(bits: UInt64(round) << 16 + player),
                        author: DeviceID(high: 3, low: writer + 1),
                        value: mutation.value
                    )
                    map.write(entry, under: mutation.key)
                }
            }
            if let batch = map.seal() { try store.commit([(session, batch)], at: UInt64(round)) }
            map.settle()
        }
        return map.committed
    }

    /// The winning value of each key.
    static func shown(_ map: CausalMap) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: map.live.map { ($0.key, $0.value.winner.value) })
    }

    /// Merges two replicas by deltas, as links do, and returns both.
    static func merge(_ one: CausalMap, _ other: CausalMap) -> (CausalMap, CausalMap)? {
        var maps = (StagedMap(one), StagedMap(other))
        for _ in 0..<2 {
            guard merge(maps.1.committed, into: &maps.0), merge(maps.0.committed, into: &maps.1)
            else { return nil }
        }
        return (maps.0.committed, maps.1.committed)
    }

    private static func merge(_ sender: CausalMap, into receiver: inout StagedMap) -> Bool {
        guard let delta = sender.delta(since: receiver.committed.vector) else { return true }
        guard receiver.merge(delta) else { return false }
        _ = receiver.seal()
        receiver.settle()
        return true
    }
}
