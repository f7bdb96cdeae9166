import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

struct DeltaEncoderTests {
    private static let actor = ActorID(high: 1, low: 1)
    private static let device = DeviceID(high: 2, low: 2)

    private static func entry(_ sequence: UInt64, _ value: Value) -> Entry {
        Entry(
            dot: Dot(actor: actor, sequence: sequence),
            stamp: Stamp(bits: sequence),
            author: device,
            value: value
        )
    }

    /// A delta of `count` keys, or of one key with so many entries.
    private static func delta(
        _ count: UInt64,
        text: Int = 10,
        underOneKey: Bool = false
    ) -> Delta {
        let entries = (1...count).map {
            entry($0, .text(String(repeating: "x", count: text)))
        }
        let changes: [KeyedLiveSet]
        if underOneKey, let live = LiveSet(entries) {
            changes = [KeyedLiveSet(key: .session(Field.title), live: live)]
        } else {
            changes = entries.map { entry in
                let id = PlayerID(high: 7, low: entry.dot.sequence)
                return KeyedLiveSet(key: .membership(id), live: LiveSet(entry))
            }
        }
        return Delta.sample(
            base: VersionVector(),
            upto: VersionVector([actor: count]),
            changes: changes
        )
    }

    private func reassembled(_ parts: [[UInt8]]) throws -> PeerMessage? {
        var decoder = PeerMessageDecoder()
        for part in parts.dropLast() {
            #expect(try decoder.receive(part) == nil)
            #expect(decoder.isAssembling)
        }
        defer { #expect(!decoder.isAssembling) }
        return try decoder.receive(try #require(parts.last))
    }

    @Test("a long delta is split into parts of the limited length and assembled again")
    func parts() throws {
        let delta = DeltaEncoderTests.delta(5000)
        let parts = Array(PeerMessageEncoder(.delta(delta)))
        #expect(parts.count > 3)
        #expect(parts.allSatisfy { $0.count <= Limits.deltaPartBytes })
        #expect(parts.dropLast().allSatisfy { $0.count > Limits.deltaPartBytes - 1000 })
        #expect(try reassembled(parts) == .delta(delta))
    }

    @Test("a live set that spans parts stays whole")
    func spanningSet() throws {
        let delta = DeltaEncoderTests.delta(40, text: 4096, underOneKey: true)
        let parts = Array(PeerMessageEncoder(.delta(delta)))
        #expect(parts.count == 3)
        #expect(try reassembled(parts) == .delta(delta))
    }

    @Test("a row longer than a part has a part of its own, within a frame")
    func longRow() throws {
        let sheet = String(repeating: "\"", count: Limits.sheetBytes)
        let long = KeyedLiveSet(
            key: .session(Field.sheet),
            live: LiveSet(DeltaEncoderTests.entry(9, .text(sheet)))
        )
        let short = DeltaEncoderTests.delta(8).changes
        let delta = Delta.sample(
            base: VersionVector(),
            upto: VersionVector([DeltaEncoderTests.actor: 9]),
            changes: short + [long]
        )
        let parts = Array(PeerMessageEncoder(.delta(delta)))
        #expect(parts.count == 2)
        #expect(parts.allSatisfy { $0.count < Limits.frameBytes })
        #expect(try reassembled(parts) == .delta(delta))
        let reversed = Delta.sample(base: delta.base, upto: delta.upto, changes: [long] + short)
        let others = Array(PeerMessageEncoder(.delta(reversed)))
        #expect(others.count == 3)
        #expect(try reassembled(others) == .delta(reversed))
    }

    @Test("vectors of the maximum size fit into a frame, one more actor is rejected")
    func greatestVectors() throws {
        func vector(_ count: Int, _ high: UInt64) -> VersionVector {
            VersionVector(
                Dictionary(
                    uniqueKeysWithValues: (0..<count).map {
                        (ActorID(high: high, low: UInt64($0)), Dot.lastSequence)
                    }
                )
            )
        }
        let limit = Limits.actors
        let greatest = Delta.sample(base: vector(limit, 1), upto: vector(limit, 2), changes: [])
        let parts = Array(PeerMessageEncoder(.delta(greatest)))
        #expect(parts.map(\.count).max() ?? .max < Limits.frameBytes)
        #expect(try reassembled(parts) == .delta(greatest))
        for (base, upto) in [(limit + 1, 1), (1, limit + 1), (limit, limit + 1)] {
            let delta = Delta.sample(base: vector(base, 1), upto: vector(upto, 1), changes: [])
            #expect(throws: PeerMessageError.self) {
                _ = try reassembled(Array(PeerMessageEncoder(.delta(delta))))
            }
        }
        var decoder = PeerMessageDecoder()
        for payload in PeerMessageEncoder(.need(vector(limit, 3))) {
            #expect(try decoder.receive(payload) == .need(vector(limit, 3)))
        }
        for payload in PeerMessageEncoder(.need(vector(limit + 1, 3))) {
            #expect(throws: PeerMessageError.self) { _ = try decoder.receive(payload) }
        }
    }

    @Test("other messages may come between two parts")
    func interleaved() throws {
        let delta = DeltaEncoderTests.delta(3000)
        var decoder = PeerMessageDecoder()
        var decoded: [PeerMessage] = []
        for part in PeerMessageEncoder(.delta(delta)) {
            for ping in PeerMessageEncoder(.ping(1)) {
                #expect(try decoder.receive(ping) == .ping(1))
            }
            #expect(throws: PeerMessageError.unknownType("dance")) {
                _ = try decoder.receive(#"{"type":"dance"}"#.bytes)
            }
            if let message = try decoder.receive(part) { decoded.append(message) }
        }
        #expect(decoded == [.delta(delta)])
    }

    @Test("a missing part invalidates its delta once, and no later message")
    func missingPart() throws {
        let delta = DeltaEncoderTests.delta(5000)
        let parts = Array(PeerMessageEncoder(.delta(delta)))
        for missing in parts.indices.dropLast() {
            var decoder = PeerMessageDecoder()
            var errors: [PeerMessageError] = []
            var decoded: [PeerMessage] = []
            let damaged = parts[..<missing] + parts[(missing + 1)...]
            for part in Array(damaged) + parts {
                do throws(PeerMessageError) {
                    if let message = try decoder.receive(part) { decoded.append(message) }
                } catch {
                    errors.append(error)
                }
            }
            #expect(errors.count == 1)
            #expect(errors.first?.errorReply?.code == "bad-delta")
            #expect(decoded == [.delta(delta)])
        }
    }

    @Test("a second first part, a repeated part and noise between parts are errors")
    func disorder() throws {
        let parts = Array(PeerMessageEncoder(.delta(DeltaEncoderTests.delta(5000))))
        for wrong in [parts[0], parts[1], "noise".bytes] {
            var decoder = PeerMessageDecoder()
            #expect(try decoder.receive(parts[0]) == nil)
            #expect(try decoder.receive(parts[1]) == nil)
            #expect(throws: PeerMessageError.self) { _ = try decoder.receive(wrong) }
            #expect(!decoder.isAssembling)
            for part in parts[2...] { #expect(try decoder.receive(part) == nil) }
            for part in parts.dropLast() { #expect(try decoder.receive(part) == nil) }
            #expect(try decoder.receive(parts[parts.count - 1]) != nil)
        }
    }

    @Test("a union is marked as one")
    func union() throws {
        var map = StagedMap(CausalMap())
        map.write(DeltaEncoderTests.entry(1, .null), under: .session(Field.title))
        _ = map.seal()
        map.settle()
        let union = map.committed.union
        #expect(union.isUnion)
        #expect(try reassembled(Array(PeerMessageEncoder(.delta(union)))) == .delta(union))
    }
}
