import SessionCRDT
import SyncTestKit
import Testing

struct MergeLawTests {
    @Test("Merging is commutative", arguments: Seeds.below(40))
    func commutative(seed: UInt64) throws {
        let states = try States.states(seed: seed)
        for a in states {
            for b in states {
                let ab = try States.merged(a, with: b)
                let ba = try States.merged(b, with: a)
                #expect(ab.contents == ba.contents)
            }
        }
    }

    @Test("Merging is associative", arguments: Seeds.below(40))
    func associative(seed: UInt64) throws {
        let states = try States.states(seed: seed)
        let (a, b, c) = (states[0], states[1], states[2])
        let left = try States.merged(States.merged(a, with: b), with: c)
        let right = try States.merged(a, with: States.merged(b, with: c))
        #expect(left.contents == right.contents)
    }

    @Test(
        "Merging is idempotent, and a merge merged again changes nothing",
        arguments: Seeds.below(40)
    )
    func idempotent(seed: UInt64) throws {
        let states = try States.states(seed: seed)
        let (a, b) = (states[0], states[1])
        #expect(a.delta(since: a.vector) == nil)
        let ab = try States.merged(a, with: b)
        #expect(try States.merged(ab, with: b).contents == ab.contents)
        #expect(try States.merged(ab, with: a).contents == ab.contents)
        let whole = b.delta(since: VersionVector())
        #expect(try States.merged(ab, with: whole).contents == ab.contents)
    }

    @Test("A delta has the effect of the whole state", arguments: Seeds.below(40))
    func deltaIsMerge(seed: UInt64) throws {
        let states = try States.states(seed: seed)
        for a in states {
            for b in states {
                let byDelta = try States.merged(a, with: b.delta(since: a.vector))
                let byAll = try States.merged(a, with: b.delta(since: VersionVector()))
                #expect(byDelta.contents == byAll.contents)
            }
        }
    }

    @Test("Successive deltas of a sender have the effect of one", arguments: Seeds.below(40))
    func chain(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let states = try States.states(seed: seed)
        let (receiver, other) = (states[0], states[1])
        // The sender sends each step on the base of the one before.
        var sender = states[2]
        var known = receiver.vector
        var deltas: [Delta] = []
        for step in 1...6 {
            if let delta = sender.delta(since: known) { deltas.append(delta) }
            known.join(sender.vector)
            if step == 3 { sender = try States.merged(sender, with: other) }
            let value = Value.integer(Int64(step))
            let entry = Samples.entry(77, UInt64(step), value, at: random.next())
            sender = States.written(sender, (.cell(Samples.cell(1)), entry))
        }
        if let delta = sender.delta(since: known) { deltas.append(delta) }
        var chained = receiver
        for delta in deltas { chained = try States.merged(chained, with: delta) }
        #expect(try chained.contents == States.merged(receiver, with: sender).contents)

        // Out of order and twice: inapplicable ones are rejected, and a repeated request repairs it.
        var shaken = StagedMap(receiver)
        for delta in (deltas + deltas).shuffled(using: &random) { _ = shaken.merge(delta) }
        if let rest = sender.delta(since: shaken.headVector) {
            let isTaken = shaken.merge(rest)
            #expect(isTaken)
        }
        _ = shaken.seal()
        shaken.settle()
        #expect(shaken.committed.contents == chained.contents)
    }

    @Test("Equal vectors mean equal contents, digests and documents", arguments: Seeds.below(40))
    func equalVectors(seed: UInt64) throws {
        let states = try States.states(seed: seed)
        let join = states.reduce(VersionVector()) { $0.joined(with: $1.vector) }
        var random = SeededGenerator(seed: seed)
        var digests: Set<Digest> = []
        for _ in states {
            var map = CausalMap()
            for state in states.shuffled(using: &random) {
                map = try States.merged(map, with: state)
            }
            #expect(map.vector == join)
            digests.insert(map.tally.digest)
        }
        #expect(digests.count == 1)
    }

    @Test("The winner does not depend on the order of arrival", arguments: Seeds.below(40))
    func winner(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let key = Key.cell(Samples.cell(1))
        let writers = (1...UInt64(5)).map { actor in
            let stamp = UInt64.random(in: 1...2, using: &random)
            return Samples.entry(actor, 1, .integer(Int64(actor)), at: stamp)
        }
        let winner = try #require(writers.max { $1.wins(over: $0) })
        for _ in 0..<10 {
            var map = CausalMap()
            for entry in writers.shuffled(using: &random) {
                map = try States.merged(map, with: States.written((key, entry)))
            }
            #expect(map[key]?.winner == winner)
            #expect(map[key]?.count == 5)
        }
    }

    @Test("A correction wins over what it corrects, regardless of the clocks")
    func correction() throws {
        let key = Key.cell(Samples.cell(1))
        let wrong = Samples.entry(1, 1, .integer(99), at: .max)
        let right = Samples.entry(2, 1, .integer(9), at: 1)
        let first = States.written((key, wrong))
        let corrected = States.written(first, (key, right))
        #expect(try States.merged(first, with: corrected)[key] == LiveSet(right))
        #expect(try States.merged(corrected, with: first)[key] == LiveSet(right))
    }
}
