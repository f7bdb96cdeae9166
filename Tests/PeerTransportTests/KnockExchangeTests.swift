import SessionCRDT
import SyncProtocol
import Testing

@testable import PeerTransport

@Suite("The exchange before a knock")
struct KnockExchangeTests {
    private static func transcript(
        _ inviter: AgreementKey,
        _ joiner: AgreementKey,
        title: String = "Friday"
    ) throws -> KnockTranscript {
        let (ann, bob) = (DeviceID(high: 0, low: 1), DeviceID(high: 0, low: 2))
        return KnockTranscript(
            session: SessionID(high: 0, low: 3),
            door: Door(device: ann, laptop: "ann-laptop", title: title, game: "Rounds"),
            joiner: KnockingLaptop(device: bob, name: "bob-laptop"),
            commitment: try KnockTranscript.commitment(to: joiner.publicKey),
            inviterKey: inviter.publicKey,
            joinerKey: joiner.publicKey
        )
    }

    @Test("Both laptops agree on the knock, its symbols and its key")
    func agreement() throws {
        let (ann, bob) = (try AgreementKey(), try AgreementKey())
        let transcript = try Self.transcript(ann, bob)
        let (here, there) = (
            try AgreedKnock(transcript, own: ann), try AgreedKnock(transcript, own: bob)
        )
        #expect(here.id == there.id && here.symbols == there.symbols)
        #expect(here.symbols.count == KnockSymbol.shown)
        #expect(try here.admissionKey(known: nil) == there.admissionKey(known: nil))
        let pair = Secret([UInt8](repeating: 7, count: 32))
        #expect(try here.admissionKey(known: pair) == there.admissionKey(known: pair))
        #expect(try here.admissionKey(known: pair) != there.admissionKey(known: nil))
    }

    @Test("With somebody in between, the two laptops show different symbols")
    func between() throws {
        // Equal symbols have the probability 2⁻²⁴; three equal runs would not be chance.
        let isSeen = try (0..<3).contains { _ in
            let (ann, bob, eve) = (try AgreementKey(), try AgreementKey(), try AgreementKey())
            let here = try AgreedKnock(Self.transcript(ann, eve), own: ann)
            let there = try AgreedKnock(Self.transcript(eve, bob), own: bob)
            #expect(try here.admissionKey(known: nil) != there.admissionKey(known: nil))
            return here.symbols != there.symbols
        }
        #expect(isSeen)
    }

    @Test("A key that does not match its commitment is refused")
    func commitment() throws {
        let (ann, bob) = (try AgreementKey(), try AgreementKey())
        var transcript = try Self.transcript(ann, bob)
        transcript.joinerKey = try AgreementKey().publicKey
        #expect(throws: CryptoFailure.self) { try AgreedKnock(transcript, own: ann) }
    }

    @Test("The same key in another exchange gives other symbols and another key")
    func replay() throws {
        let (ann, again, bob) = (try AgreementKey(), try AgreementKey(), try AgreementKey())
        let first = try AgreedKnock(Self.transcript(ann, bob), own: ann)
        let second = try AgreedKnock(Self.transcript(again, bob), own: again)
        #expect(first.id != second.id)
        #expect(try first.admissionKey(known: nil) != second.admissionKey(known: nil))
        // The door's title is part of what is agreed on, too.
        let renamed = try AgreedKnock(Self.transcript(ann, bob, title: "Poker"), own: ann)
        #expect(first.id != renamed.id)
    }

    @Test("Keys that make the secret predictable are refused")
    func weakKeys() throws {
        let own = try AgreementKey()
        for key in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31), []] {
            #expect(throws: CryptoFailure.self) { try own.secret(with: key) }
        }
    }

    @Test("HKDF matches the third vector of RFC 5869")
    func vector() throws {
        let secret = Secret([UInt8](repeating: 0x0B, count: 22))
        let key = try HKDF.derive(from: [secret], salt: [], info: "", length: 42)
        #expect(
            Hexadecimal.text(of: key.bytes)
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
                + "9d201395faa4b61a96c8"
        )
    }

    @Test("Every symbol has a name and a picture of its own")
    func symbols() {
        #expect(KnockSymbol.all.count == 64)
        #expect(Set(KnockSymbol.all.map(\.name)).count == 64)
        #expect(Set(KnockSymbol.all.map(\.picture)).count == 64)
        let first = KnockSymbol.symbols(of: [0, 16, 131]).map(\.name)
        #expect(first == ["anchor", "apple", "ball", "banana"])
    }
}
