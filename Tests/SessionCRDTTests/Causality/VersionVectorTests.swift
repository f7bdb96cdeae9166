import SessionCRDT
import SyncTestKit
import Testing

struct VersionVectorTests {
    @Test("A join is the least upper bound", arguments: Seeds.below(40))
    func lattice(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (a, b, c) = (vector(using: &random), vector(using: &random), vector(using: &random))
            let join = a.joined(with: b)
            #expect(join == b.joined(with: a))
            #expect(a.joined(with: a) == a)
            #expect(join.joined(with: c) == a.joined(with: b.joined(with: c)))
            #expect(join.covers(a) && join.covers(b))
            #expect(!(c.covers(a) && c.covers(b)) || c.covers(join))
            #expect(a.covers(b) == (join == a))
            #expect((a.covers(b) && b.covers(a)) == (a == b))
            #expect(a.joined(with: VersionVector()) == a)
        }
    }

    @Test(
        "The writes beyond another vector are those that a join would add",
        arguments: Seeds.below(40)
    )
    func beyond(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (a, b) = (vector(using: &random), vector(using: &random))
        var caughtUp = b
        for dot in a.heads(aheadOf: b) {
            #expect(!b.covers(dot) && a.covers(dot))
            caughtUp.advance(to: dot)
        }
        #expect(caughtUp == a.joined(with: b))
        #expect(a.heads(aheadOf: b).isEmpty == b.covers(a))
        #expect(a.heads(aheadOf: VersionVector()) == a.sorted)
        #expect(a.sorted == a.sorted.sorted())
    }

    @Test("A vector covers every write up to the last of each actor and no further")
    func covers() {
        let last = Dot.lastSequence
        var vector = Samples.vector([1: 3, 2: last])
        #expect(vector.covers(Dot(actor: Samples.actor(1), sequence: 3)))
        #expect(!vector.covers(Dot(actor: Samples.actor(1), sequence: 4)))
        #expect(!vector.covers(Dot(actor: Samples.actor(3), sequence: 1)))
        #expect(vector.covers(Dot(actor: Samples.actor(2), sequence: last)))
        vector.advance(to: Dot(actor: Samples.actor(1), sequence: 2))
        #expect(vector[Samples.actor(1)] == 3)
        vector.advance(to: Dot(actor: Samples.actor(3), sequence: .max))
        #expect(vector[Samples.actor(3)] == .max)
    }

    @Test("An actor at zero counts as absent")
    func zero() {
        #expect(Samples.vector([1: 0]) == VersionVector())
        #expect(Samples.vector([1: 0]).isEmpty)
        #expect(Samples.vector([1: 0, 2: 1]).count == 1)
        var vector = VersionVector()
        vector.advance(to: Dot(actor: Samples.actor(1), sequence: 0))
        #expect(vector == VersionVector())
    }

    private func vector(using random: inout SeededGenerator) -> VersionVector {
        var sequences: [UInt64: UInt64] = [:]
        for actor in 1...UInt64(5) where Bool.random(using: &random) {
            sequences[actor] = [0, 1, 2, Dot.lastSequence].randomElement(using: &random)
        }
        return Samples.vector(sequences)
    }
}
