import SessionCRDT
import SyncTestKit
import Testing

struct LiveSetsTests {
    @Test(
        "Live sets agree with a dictionary, in the order of insertion",
        arguments: Seeds.below(40)
    )
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model: [Key: LiveSet] = [:]
        var order: [Key] = []
        var map = StagedMap(CausalMap())
        // Including keys that are equal as Swift strings and different as keys.
        let keys = (0..<Int.random(in: 1...400, using: &random)).map { _ in
            Samples.key(using: &random)
        }
        for sequence in 1...UInt64(600) {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            let entry = Samples.entry(1, sequence, Samples.value(using: &random))
            if model.updateValue(LiveSet(entry), forKey: key) == nil { order.append(key) }
            map.write(entry, under: key)
            #expect(map.head(key) == LiveSet(entry))
            guard Int.random(in: 0..<40, using: &random) == 0 else { continue }
            _ = map.seal()
            try map.settleChecked()
        }
        _ = map.seal()
        try map.settleChecked()
        let live = map.committed.live
        #expect(live.dictionary == model)
        #expect(live.map(\.key) == order)
        for key in keys { #expect(live[key] == model[key]) }
        #expect(live[.session(Symbol(known: "never.written"))] == nil)

        let entries = model.flatMap { key, set in set.map { KeyedEntry(key: key, entry: $0) } }
        let read = try CausalMap(
            entries: entries.shuffled(using: &random),
            vector: map.committed.vector
        )
        #expect(read.live == live)
        #expect(read.contents == map.committed.contents)
    }

    @Test("Live sets are equal in any order of keys, and unequal if an entry differs")
    func equality() {
        let (first, second) = (Key.session(Field.title), Key.cell(Samples.cell(1)))
        let title = Samples.entry(1, 1)
        let cell = Samples.entry(1, 2)
        let one = States.written((first, title), (second, cell))
        let other = States.written((second, cell), (first, title))
        #expect(one.live == other.live)
        #expect(one.live != States.written((first, title)).live)
        #expect(one.live != States.written(one, (second, Samples.entry(1, 3))).live)
    }

    @Test("A key that changes twice in a batch is returned once, and each step to followers")
    func twice() throws {
        let key = Key.cell(Samples.cell(1))
        let entries = (1...UInt64(3)).map { Samples.entry(1, $0) }
        var map = StagedMap(CausalMap())
        map.write(entries[0], under: key)
        map.write(entries[1], under: key)
        let first = KeyChange(key: key, before: nil, after: LiveSet(entries[0]))
        let second = KeyChange(key: key, before: LiveSet(entries[0]), after: LiveSet(entries[1]))
        #expect(map.pendingChanges == [first, second])
        #expect(map.pendingChanges(after: 1) == [second])
        _ = map.seal()
        map.write(entries[2], under: key)
        let third = KeyChange(key: key, before: LiveSet(entries[1]), after: LiveSet(entries[2]))
        #expect(map.pendingChanges(after: 0) == [first, second, third])
        #expect(map.pendingChanges(after: 2) == [third])
        #expect(map.pendingChanges(after: 4) == nil)
        let changes = map.settle()
        #expect(changes == [KeyChange(key: key, before: nil, after: LiveSet(entries[1]))])
        #expect(map.pendingChanges(after: 1) == nil)
        #expect(map.pendingChanges(after: 2) == [third])
        #expect(map.draftCount == 3)
    }

    @Test("The digest uses the hash of the canonical bytes", arguments: Seeds.below(40))
    func tally(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let key = Samples.key(using: &random)
            let entry = Samples.entry(1, 1, Samples.value(using: &random), at: random.next())
            var tally = Tally()
            tally.change(key, from: nil, to: LiveSet(entry))
            var digest = Digest()
            digest.add(SipHash.hash(entry.canonicalBytes(under: key)))
            #expect(tally.digest == digest)
            #expect(tally.bytes == entry.canonicalBytes(under: key).count)
        }
    }

    @Test("A vector agrees with a dictionary of sequences", arguments: Seeds.below(40))
    func vector(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model: [ActorID: UInt64] = [:]
        var vector = VersionVector()
        for _ in 0..<200 {
            let dots = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Dot(
                    actor: Samples.actor(UInt64.random(in: 0...40, using: &random)),
                    sequence: UInt64.random(in: 0...50, using: &random)
                )
            }
            for dot in dots { model[dot.actor] = max(model[dot.actor] ?? 0, dot.sequence) }
            if Bool.random(using: &random) {
                for dot in dots { vector.advance(to: dot) }
            } else {
                let other = Dictionary(dots.map { ($0.actor, $0.sequence) }) { max($0, $1) }
                vector.join(VersionVector(other))
            }
            #expect(vector == VersionVector(model))
            for actor in (0...UInt64(41)).map(Samples.actor) {
                #expect(vector[actor] == model[actor] ?? 0)
            }
        }
    }
}
