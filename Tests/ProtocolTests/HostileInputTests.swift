import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

/// Nothing that arrives may stop the program or get past the rules.
struct HostileInputTests {
    @Test(
        "control characters of a name are made visible on terminals and removed on the wire",
        arguments: [
            ("A\u{1B}[2Jb", "A␛[2Jb", "A[2Jb"), ("A\u{9B}2Jb", "A\u{FFFD}2Jb", "A2Jb"),
            ("A\u{202E}b", "A\u{FFFD}b", "Ab"), ("A\u{2066}b", "A\u{FFFD}b", "Ab"),
            ("A\u{2028}b", "A\u{FFFD}b", "Ab"), ("Änn\u{200D}é", "Änn\u{200D}é", "Änn\u{200D}é"),
        ]
    )
    func harmless(name: String, visible: String, cleaned: String) {
        #expect(PrintableText.visible(name) == visible)
        #expect(PrintableText.cleaned(name, limit: 100) == cleaned)
    }

    @Test("ten thousand damaged messages trap nowhere, and every decoded delta is valid")
    func damagedMessages() {
        let seed: UInt64 = 47_615
        var samples = WireSamples(seed: seed)
        var generator = SeededGenerator(seed: seed + 1)
        var decoder = PeerMessageDecoder()
        var counts = (refused: 0, deltas: 0)
        for _ in 0..<10_000 {
            for payload in PeerMessageEncoder(samples.message()) {
                do throws(PeerMessageError) {
                    let message = try decoder.receive(generator.damaged(payload))
                    guard case .delta(let delta) = message else { continue }
                    counts.deltas += 1
                    #expect(throws: Never.self, "seed \(seed)") {
                        try Delta(base: delta.base, upto: delta.upto, changes: delta.changes)
                    }
                    for change in delta.changes {
                        for entry in change.live {
                            #expect(EntryLimits.violation(change.key, entry.value) == nil)
                        }
                    }
                } catch {
                    counts.refused += 1
                }
            }
        }
        #expect(counts.refused > 1000)
        #expect(counts.deltas > 10)
    }

    @Test("a decoded message is encoded to the same meaning")
    func passedOn() throws {
        let seed: UInt64 = 47_634
        var samples = WireSamples(seed: seed)
        var generator = SeededGenerator(seed: seed + 1)
        for _ in 0..<3000 {
            for payload in PeerMessageEncoder(samples.message()) {
                var decoder = PeerMessageDecoder()
                guard let message = try? decoder.receive(generator.damaged(payload)) else {
                    continue
                }
                var again = PeerMessageDecoder()
                for payload in PeerMessageEncoder(message) {
                    #expect(try again.receive(payload) == message, "seed \(seed)")
                }
            }
        }
    }

    @Test("damaged announcements trap nowhere")
    func damagedAnnouncements() {
        let seed: UInt64 = 512
        var samples = WireSamples(seed: seed)
        var generator = SeededGenerator(seed: seed + 1)
        var refused = 0
        for _ in 0..<3000 {
            for datagram in AnnouncementCoding.encode(samples.announcement(sessions: 3)) {
                let announcement = try? AnnouncementCoding.decode(generator.damaged(datagram))
                if announcement == nil { refused += 1 }
            }
        }
        #expect(refused > 300)
    }

    @Test("random bytes trap nowhere")
    func noise() {
        var generator = SeededGenerator(seed: 99)
        var decoder = PeerMessageDecoder()
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect((try? decoder.receive(bytes)) == nil)
            #expect((try? AnnouncementCoding.decode(bytes)) == nil)
        }
    }

    @Test("a delta is rejected past its limit, before more is stored")
    func flood() throws {
        let text = String(repeating: "x", count: Limits.textBytes)
        let rows = 400
        func part(_ number: Int) -> [UInt8] {
            let entries = (0..<rows).map { row in
                "[\"k\(10_000_000 + number * rows + row)\",0,1,0,0,0,\"\(text)\"]"
            }
            return """
                {"entries":[\(entries.joined(separator: ","))],\
                "ids":["aaaaaaaaaaaaaaaa0000000000000003"],"last":false,"part":\(number),\
                "type":"delta","union":false,"vectors":[[0,0,9007199254740991]]}
                """.bytes
        }
        let entry = Entry(
            dot: Dot(actor: ActorID(high: 1, low: 1), sequence: 1),
            stamp: Stamp(bits: 0),
            author: DeviceID(high: 1, low: 1),
            value: .text(ExactText(text))
        )
        let weight = rows * entry.canonicalCount(under: Key("k10000000"))
        var decoder = PeerMessageDecoder()
        var number = 0
        var failure: PeerMessageError?
        while failure == nil, number < 100 {
            do throws(PeerMessageError) {
                _ = try decoder.receive(part(number))
                number += 1
                #expect(decoder.unfinishedBytes == number * weight)
            } catch {
                failure = error
            }
        }
        #expect(number == Limits.deltaBytes / weight)
        #expect(failure == .longDelta(reason: "more than \(Limits.deltaBytes) bytes"))
        #expect(!decoder.isAssembling)
    }
}
