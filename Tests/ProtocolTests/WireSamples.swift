import SessionCRDT
import SyncProtocol
import SyncTestKit

/// Messages made from a seed, within all limits of the wire.
struct WireSamples {
    private var generator: SeededGenerator
    private var nextSequence: UInt64 = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func number(_ range: ClosedRange<UInt64>) -> UInt64 {
        UInt64.random(in: range, using: &generator)
    }

    mutating func count(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    mutating func flip() -> Bool { Bool.random(using: &generator) }

    mutating func id<Tag>() -> ID<Tag> { ID(high: generator.next(), low: generator.next()) }

    /// A text with whatever is hard about texts.
    mutating func text(_ longest: Int = 20) -> String {
        let pieces = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{1}", "é", "e\u{301}", "🎲",
            "\u{7F}", "漢", "\u{0}", "{", "]", "\u{2028}", "👨‍👩‍👧",
        ]
        return (0..<count(0...longest)).map { _ in pieces[count(0...pieces.count - 1)] }.joined()
    }

    mutating func symbol() -> Symbol {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789._-")
        let name = (0..<count(1...12)).map { _ in letters[count(0...letters.count - 1)] }
        return Symbol(String(name)) ?? Symbol(known: "row")
    }

    mutating func vector(_ most: Int = 6) -> VersionVector {
        var sequences: [ActorID: UInt64] = [:]
        for _ in 0..<count(0...most) {
            sequences[id()] = number(1...Dot.lastSequence)
        }
        return VersionVector(sequences)
    }

    mutating func digest() -> Digest {
        var digest = Digest()
        digest.add(UInt128(generator.next()) << 64 | UInt128(generator.next()))
        return digest
    }

    mutating func key() -> Key {
        switch count(0...6) {
        case 0: .session(symbol())
        case 1: .player(id(), symbol())
        case 2: .membership(id())
        case 3: .device(id())
        case 4: .cell(Cell(player: id(), row: symbol()))
        case 5: .cell(Cell(player: id(), row: symbol(), round: UInt32(count(1...1_000_000))))
        default: .foreign(ExactText("later/" + text()))
        }
    }

    mutating func value() -> Value {
        switch count(0...4) {
        case 0: .null
        case 1: .boolean(flip())
        case 2:
            .integer(
                Int64.random(
                    in: -Value.largestInteger...Value.largestInteger,
                    using: &generator
                )
            )
        case 3: .text(text(60))
        default: .foreign(kind: ExactText("kind" + text(3)), text: ExactText(text()))
        }
    }

    mutating func delta(keys: Int) -> Delta {
        let actors: [ActorID] = (0..<4).map { _ in id() }
        var known: Set<Key> = []
        var changes: [KeyedLiveSet] = []
        for _ in 0..<keys {
            let key = key()
            guard known.insert(key).inserted else { continue }
            let entries = (0..<count(1...3)).map { _ in entry(actors[count(0...3)]) }
            if let live = LiveSet(entries) { changes.append(KeyedLiveSet(key: key, live: live)) }
        }
        var upto: [ActorID: UInt64] = [:]
        for actor in actors { upto[actor] = nextSequence + 1 }
        return Delta.sample(
            base: vector(),
            upto: VersionVector(upto).joined(with: vector()),
            changes: changes,
            isUnion: flip()
        )
    }

    private mutating func entry(_ actor: ActorID) -> Entry {
        nextSequence += 1
        return Entry(
            dot: Dot(actor: actor, sequence: nextSequence),
            stamp: Stamp(bits: generator.next()),
            author: id(),
            value: value()
        )
    }

    mutating func hello() -> Hello {
        Hello(
            versions: 1...count(1...3),
            features: Set((0..<count(0...3)).map { _ in symbol().description }).sorted(),
            session: id(),
            device: id(),
            instance: id(),
            name: PrintableText.cleaned(text(), limit: Limits.nameBytes),
            port: UInt16(number(0...65_535)),
            wallMilliseconds: number(0...Stamp.lastMillisecond),
            vector: vector(),
            digest: digest()
        )
    }

    /// Any IPv4 or IPv6 address, of which many have zeros.
    mutating func address() -> IPAddress {
        guard flip() else { return IPAddress(ipv4: UInt32(number(0...0xFFFF_FFFF))) }
        func half() -> UInt64 {
            (0..<4).reduce(0) { half, _ in half << 16 | (flip() ? 0 : number(0...0xFFFF)) }
        }
        return IPAddress(high: flip() ? 0xFE80 << 48 : half(), low: half())
    }

    mutating func message() -> PeerMessage {
        switch count(0...13) {
        case 0: .hello(hello())
        case 1, 2: .delta(delta(keys: count(0...12)))
        case 3: .ack(Acknowledgement(vector: vector(), digest: digest()))
        case 4: .need(vector())
        case 5: flip() ? .ping(number(0...Dot.lastSequence)) : .pong(number(0...Dot.lastSequence))
        case 6:
            .addresses(
                (0..<count(0...64)).map { _ in
                    Endpoint(address: address(), port: UInt16(number(1...65_535)))
                }
            )
        case 10: .knocks((0..<count(0...Limits.knocks)).map { _ in knock() })
        case 11: .admit(id(), KnockAnswer.allCases[count(0...KnockAnswer.allCases.count - 1)])
        case 12: .guest(KnockingLaptop(device: id(), name: name()))
        case 9: .clock(number(0...Stamp.lastMillisecond))
        case 7: .bye(ByeReason.allCases[count(0...ByeReason.allCases.count - 1)])
        case 8:
            .error(PeerError(code: "bad-delta", text: PrintableText.cleaned(text(), limit: 512)))
        default:
            .welcome(
                Welcome(
                    session: id(),
                    key: secret(),
                    title: PrintableText.cleaned(text(), limit: Limits.textBytes),
                    game: symbol().description,
                    inviter: name(),
                    port: UInt16(number(0...65_535)),
                    pair: flip() ? Welcome.Pair(device: id(), key: secret()) : nil
                )
            )
        }
    }

    private mutating func name() -> String {
        PrintableText.cleaned(text(), limit: Limits.nameBytes)
    }

    private mutating func secret() -> [UInt8] { (0..<32).map { _ in UInt8(number(0...255)) } }

    private mutating func knock() -> Knock {
        let isKnown = flip()
        return Knock(
            id: id(),
            laptop: name(),
            symbols: isKnown ? [] : KnockSymbol.symbols(of: secret()),
            lastPlayed: isKnown ? number(0...Stamp.lastMillisecond) : nil
        )
    }

    mutating func announcement(sessions: Int) -> Announcement {
        Announcement(
            versions: 1...count(1...3),
            device: id(),
            instance: id(),
            port: UInt16(number(1...65_535)),
            sessions: (0..<sessions).map { _ in
                AnnouncedSession(
                    id: id(),
                    isInviting: flip(),
                    isSearching: flip(),
                    finishedDigest: flip() ? UInt32(number(0...0xFFFF_FFFF)) : nil
                )
            }
        )
    }
}

extension String {
    /// The bytes of the text in UTF-8.
    var bytes: [UInt8] { Array(utf8) }
}

extension PeerMessageDecoder {
    /// The message of a single payload.
    static func decode(_ text: String) throws(PeerMessageError) -> PeerMessage? {
        var decoder = PeerMessageDecoder()
        return try decoder.receive(text.bytes)
    }
}
