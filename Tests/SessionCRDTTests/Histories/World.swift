import SessionCRDT
import SyncTestKit

/// A random history of a few devices: writes, deltas that come late, twice, out of order, to the
/// wrong device or never, and disks that fail, forget and are copied.
struct World {
    /// A delta on its way, with what the reference has to know of it.
    struct Message {
        let delta: Delta
        let to: Int
        let sender: NaiveReplica
    }

    /// What happened how often, so that a test can see that histories try what they should.
    struct Counts {
        var taken = 0
        var refused = 0
        var conflicting = 0
        var keptIn = 0
    }

    private(set) var twins: [Twin] = []
    private(set) var counts = Counts()
    private var mail: [Message] = []
    private var backups: [[Twin.Snapshot]] = []
    /// What a sender believes that a receiver has: its hello, and all that was sent since.
    private var believed: [[VersionVector]] = []
    private var log: [Dot: NaiveReplica.Write] = [:]
    private var actors: UInt64 = 0
    private var now: UInt64 = 1_795_000_000_000
    private(set) var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let count = Int.random(in: 3...6, using: &random)
        for device in 0..<count {
            twins.append(Twin(device: Samples.device(UInt64(device)), actor: freshActor()))
        }
        backups = twins.map { [$0.snapshot] }
        believed = twins.map { _ in Array(repeating: VersionVector(), count: count) }
    }

    /// Runs a number of random events, and compares after each.
    mutating func run(steps: Int) throws {
        for step in 0..<steps {
            let place = Int.random(in: 0..<twins.count, using: &random)
            do {
                let tables = twins.map(\.table)
                let changed = try event(at: place)
                try twins[changed].check()
                count(twins[changed].map.headLive)
                guard twins[changed].table != tables[changed] else { continue }
                let known = guess(of: Int.random(in: 0..<twins.count, using: &random), by: place)
                try twins[changed].checkDisk(knownToPeer: known, using: &random)
            } catch {
                throw Disagreement("step \(step), device \(place): \(error)")
            }
        }
    }

    private mutating func count(_ live: LiveSets) {
        counts.conflicting += live.contains { $1.isConflicting } ? 1 : 0
        counts.keptIn += SessionDocument(live).players.contains(where: \.wasKeptIn) ? 1 : 0
    }

    /// Everything reaches the disk and everybody, and then also what was still on its way.
    mutating func heal() throws {
        try exchangeAll()
        for message in mail.shuffled(using: &random) { try deliver(message, to: message.to) }
        try exchangeAll()
        for place in twins.indices { try twins[place].check() }
    }

    /// One device asks all others, and then all others ask that one.
    private mutating func exchangeAll() throws {
        for place in twins.indices { try settle(place) }
        let hub = Int.random(in: 0..<twins.count, using: &random)
        let others = twins.indices.filter { $0 != hub }.shuffled(using: &random)
        for other in others { try exchange(from: other, to: hub) }
        for other in others { try exchange(from: hub, to: other) }
    }

    private mutating func exchange(from: Int, to: Int) throws {
        let known = twins[to].map.committed.vector
        guard let delta = twins[from].map.committed.delta(since: known) else { return }
        try deliver(Message(delta: delta, to: to, sender: twins[from].committed), to: to)
        try settle(to)
    }

    private mutating func settle(_ place: Int) throws {
        for _ in 0..<2 {
            try twins[place].seal()
            try twins[place].settle()
        }
    }

    /// Lets something happen at a device, and tells at which device that changed anything.
    private mutating func event(at place: Int) throws -> Int {
        now += UInt64.random(in: 0...2, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<24: write(at: place)
        case 24..<38: try twins[place].seal()
        case 38..<52:
            try twins[place].settle()
            if Int.random(in: 0..<4, using: &random) == 0 {
                backups[place].append(twins[place].snapshot)
            }
        case 52..<70: send(from: place)
        case 70..<92:
            guard let any = mail.indices.randomElement(using: &random) else { return place }
            // Often the latest, so that it overtakes the one that it builds on.
            let chosen = Bool.random(using: &random) ? any : mail.count - 1
            let message = mail[chosen]
            if Bool.random(using: &random) { mail.remove(at: chosen) }
            let isStray = Int.random(in: 0..<5, using: &random) == 0
            let reached = isStray ? place : message.to
            try deliver(message, to: reached)
            return reached
        case 92..<95: mail.removeAll { _ in Bool.random(using: &random) }
        case 95: twins[place].discard(freshActor: freshActor())
        case 96, 97:
            try twins[place].crash(
                diskHasBatch: Bool.random(using: &random),
                freshActor: freshActor(),
                using: &random
            )
        default:
            let copiesOther = Bool.random(using: &random)
            let source = copiesOther ? Int.random(in: 0..<twins.count, using: &random) : place
            guard let backup = backups[source].randomElement(using: &random) else { break }
            twins[place].restore(backup, freshActor: freshActor())
        }
        return place
    }

    private mutating func write(at place: Int) {
        let cell = Samples.cell(UInt64.random(in: 1...3, using: &random))
        let number = Value.integer(Int64.random(in: 0...3, using: &random))
        let mutations =
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: Mutation.score(cell, number)
            case 4: Mutation.clear(cell)
            case 5, 6: [Mutation.membership(of: cell.player, isPresent: false)]
            case 7: Mutation.add(cell.player, name: "Ann")
            case 8: [Mutation.title("\(number)")]
            default: [Mutation(Key("later/on"), number)]
            }
        // Clocks that are an hour apart, so that they never say what happened first.
        let physical = now + UInt64(place) * 3_600_000
        for write in twins[place].write(mutations, physical: physical) {
            log[write.entry.dot] = write
        }
    }

    private mutating func send(from place: Int) {
        // Mostly the neighbour, so that several deltas are on their way between the same two.
        let isNeighbour = Int.random(in: 0..<4, using: &random) > 0
        let any = Int.random(in: 0..<twins.count, using: &random)
        let to = isNeighbour ? (place + 1) % twins.count : any
        let known = guess(of: to, by: place)
        let isStale = Int.random(in: 0..<4, using: &random) == 0
        let old = isStale ? backups[place].randomElement(using: &random) : nil
        let state = old ?? twins[place].snapshot
        guard let delta = state.map.delta(since: known) else { return }
        believed[place][to] = known.joined(with: delta.upto)
        mail.append(Message(delta: delta, to: to, sender: state.seen))
    }

    /// What a sender may believe of a receiver, rightly or wrongly.
    private mutating func guess(of to: Int, by from: Int) -> VersionVector {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: VersionVector()
        case 1: backups[to].randomElement(using: &random)?.map.vector ?? VersionVector()
        case 2, 3: twins[to].map.committed.vector
        default: believed[from][to].joined(with: twins[to].map.committed.vector)
        }
    }

    private mutating func deliver(_ message: Message, to place: Int) throws {
        let required = log.keys.filter(message.delta.base.covers)
        let isTaken = try twins[place].merge(
            message.delta,
            of: message.sender,
            required: required
        )
        counts.taken += isTaken ? 1 : 0
        counts.refused += isTaken ? 0 : 1
    }

    private mutating func freshActor() -> ActorID {
        actors += 1
        // Not in the order of their minting, so that the order of actors decides ties either way.
        return ActorID(high: actors &* 0x9E37_79B9_7F4A_7C15, low: actors)
    }
}
