import SessionCRDT
import SyncTestKit

/// A random history of a few devices: writes, deltas that are delayed, duplicated, reordered,
/// misdirected or lost, and disks that fail and are restored from backups.
struct World {
    /// A delta in transit, with the sender's reference.
    struct Message {
        let delta: Delta
        let to: Int
        let sender: NaiveReplica
    }

    /// Counts events, so that a test can check that histories cover them.
    struct Counts {
        var merged = 0
        var rejected = 0
        var conflicting = 0
        var keptIn = 0
    }

    private(set) var twins: [Twin] = []
    private(set) var counts = Counts()
    private var mail: [Message] = []
    private var backups: [[Twin.Snapshot]] = []
    /// The vector that each sender assumes of each receiver.
    private var assumed: [[VersionVector]] = []
    private var log: [Dot: NaiveReplica.Write] = [:]
    private var actors: UInt64 = 0
    private var now: UInt64 = 1_795_000_000_000
    private(set) var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let count = Int.random(in: 3...6, using: &random)
        for device in 0..<count {
            twins.append(Twin(device: Samples.device(UInt64(device)), actor: newActor()))
        }
        backups = twins.map { [$0.snapshot] }
        assumed = twins.map { _ in Array(repeating: VersionVector(), count: count) }
    }

    /// Runs random events, and compares after each.
    mutating func run(steps: Int) throws {
        for step in 0..<steps {
            let device = Int.random(in: 0..<twins.count, using: &random)
            do {
                let tables = twins.map(\.table)
                let changed = try event(at: device)
                try twins[changed].check()
                count(twins[changed].map.headLive)
                guard twins[changed].table != tables[changed] else { continue }
                let known = guess(of: Int.random(in: 0..<twins.count, using: &random), by: device)
                try twins[changed].checkDisk(knownToPeer: known, using: &random)
            } catch {
                throw Disagreement("step \(step), device \(device): \(error)")
            }
        }
    }

    private mutating func count(_ live: LiveSets) {
        counts.conflicting += live.contains { $1.isConflicting } ? 1 : 0
        counts.keptIn += SessionDocument(live).players.contains(where: \.wasKeptIn) ? 1 : 0
    }

    /// Commits and exchanges everything, and then delivers also what is still in transit.
    mutating func heal() throws {
        try exchangeAll()
        for message in mail.shuffled(using: &random) { try deliver(message, to: message.to) }
        try exchangeAll()
        for device in twins.indices { try twins[device].check() }
    }

    /// One device gets everything from all others, and then they from it.
    private mutating func exchangeAll() throws {
        for device in twins.indices { try settle(device) }
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

    private mutating func settle(_ device: Int) throws {
        for _ in 0..<2 {
            try twins[device].seal()
            try twins[device].settle()
        }
    }

    /// Runs a random event at a device, and returns the device that it changed.
    private mutating func event(at device: Int) throws -> Int {
        now += UInt64.random(in: 0...2, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<24: write(at: device)
        case 24..<38: try twins[device].seal()
        case 38..<52:
            try twins[device].settle()
            if Int.random(in: 0..<4, using: &random) == 0 {
                backups[device].append(twins[device].snapshot)
            }
        case 52..<70: send(from: device)
        case 70..<92:
            guard let any = mail.indices.randomElement(using: &random) else { return device }
            // Often the latest, so that it overtakes the one that it depends on.
            let chosen = Bool.random(using: &random) ? any : mail.count - 1
            let message = mail[chosen]
            if Bool.random(using: &random) { mail.remove(at: chosen) }
            let isStray = Int.random(in: 0..<5, using: &random) == 0
            let receiver = isStray ? device : message.to
            try deliver(message, to: receiver)
            return receiver
        case 92..<95: mail.removeAll { _ in Bool.random(using: &random) }
        case 95: twins[device].discard(newActor: newActor())
        case 96, 97:
            try twins[device].crash(
                diskHasBatch: Bool.random(using: &random),
                newActor: newActor(),
                using: &random
            )
        default:
            let copiesOther = Bool.random(using: &random)
            let source = copiesOther ? Int.random(in: 0..<twins.count, using: &random) : device
            guard let backup = backups[source].randomElement(using: &random) else { break }
            twins[device].restore(backup, newActor: newActor())
        }
        return device
    }

    private mutating func write(at device: Int) {
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
        // Clocks that are an hour apart, so that they do not reveal the order.
        let physical = now + UInt64(device) * 3_600_000
        for write in twins[device].write(mutations, physical: physical) {
            log[write.entry.dot] = write
        }
    }

    private mutating func send(from device: Int) {
        // Mostly the next device, so that several deltas are in transit between the same two.
        let isNext = Int.random(in: 0..<4, using: &random) > 0
        let any = Int.random(in: 0..<twins.count, using: &random)
        let to = isNext ? (device + 1) % twins.count : any
        let known = guess(of: to, by: device)
        let isStale = Int.random(in: 0..<4, using: &random) == 0
        let old = isStale ? backups[device].randomElement(using: &random) : nil
        let state = old ?? twins[device].snapshot
        guard let delta = state.map.delta(since: known) else { return }
        assumed[device][to] = known.joined(with: delta.upto)
        mail.append(Message(delta: delta, to: to, sender: state.seen))
    }

    /// A vector that a sender may assume of a receiver, right or wrong.
    private mutating func guess(of to: Int, by from: Int) -> VersionVector {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: VersionVector()
        case 1: backups[to].randomElement(using: &random)?.map.vector ?? VersionVector()
        case 2, 3: twins[to].map.committed.vector
        default: assumed[from][to].joined(with: twins[to].map.committed.vector)
        }
    }

    private mutating func deliver(_ message: Message, to device: Int) throws {
        let required = log.keys.filter(message.delta.base.covers)
        let isMerged = try twins[device].merge(
            message.delta,
            of: message.sender,
            required: required
        )
        counts.merged += isMerged ? 1 : 0
        counts.rejected += isMerged ? 0 : 1
    }

    private mutating func newActor() -> ActorID {
        actors += 1
        // Not in the order of their creation, so that ties are decided either way.
        return ActorID(high: actors &* 0x9E37_79B9_7F4A_7C15, low: actors)
    }
}
