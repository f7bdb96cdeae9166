import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

/// The exact bytes of every message; `Documentation/PROTOCOL.md` shows the same texts.
struct PeerMessageGoldenTests {
    private static let session = SessionID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef)
    private static let device = DeviceID(high: 0xd0d0_d0d0_d0d0_d0d0, low: 1)
    private static let instance = InstanceID(high: 0x1111_1111_1111_1111, low: 2)
    private static let actor = ActorID(high: 0xaaaa_aaaa_aaaa_aaaa, low: 3)
    private static let other = ActorID(high: 0xbbbb_bbbb_bbbb_bbbb, low: 4)
    private static let player = PlayerID(high: 0xcccc_cccc_cccc_cccc, low: 5)
    private static let vector = VersionVector([actor: 12, other: 3])

    private static var digest: Digest {
        var digest = Digest()
        digest.add(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff)
        return digest
    }

    private static let vectorText = """
        [["aaaaaaaaaaaaaaaa0000000000000003",12],["bbbbbbbbbbbbbbbb0000000000000004",3]]
        """

    static let messages: [(PeerMessage, String)] = [
        (
            .hello(
                Hello(
                    versions: 1...1,
                    features: [],
                    session: session,
                    device: device,
                    instance: instance,
                    name: "ann-laptop",
                    port: 47_615,
                    wallMilliseconds: 1_795_201_445_123,
                    vector: vector,
                    digest: digest
                )
            ),
            """
            {"clock":1795201445123,"device":"d0d0d0d0d0d0d0d00000000000000001",\
            "digest":"00112233445566778899aabbccddeeff","features":[],\
            "instance":"11111111111111110000000000000002","name":"ann-laptop","port":47615,\
            "protocol":{"max":1,"min":1},"session":"0123456789abcdef0123456789abcdef",\
            "type":"hello","vector":\(vectorText)}
            """
        ),
        (
            .ack(Acknowledgement(vector: vector, digest: digest)),
            """
            {"digest":"00112233445566778899aabbccddeeff","type":"ack","vector":\(vectorText)}
            """
        ),
        (.need(vector), #"{"type":"need","vector":\#(vectorText)}"#),
        (.need(VersionVector()), #"{"type":"need","vector":[]}"#),
        (.ping(7), #"{"number":7,"type":"ping"}"#),
        (.pong(7), #"{"number":7,"type":"pong"}"#),
        (.clock(1_795_132_800_000), #"{"clock":1795132800000,"type":"clock"}"#),
        (
            .links([instance]),
            #"{"instances":["11111111111111110000000000000002"],"type":"links"}"#
        ),
        (
            .reached(Reach(instances: [instance], vector: VersionVector([actor: 12]))),
            """
            {"instances":["11111111111111110000000000000002"],"type":"reached",\
            "vector":[["aaaaaaaaaaaaaaaa0000000000000003",12]]}
            """
        ),
        (
            .addresses([
                Endpoint(address: 0xC0A8_0007, port: 47_615),
                Endpoint(address: 0x0A00_0001, port: 47_620),
            ]),
            #"{"addresses":["192.168.0.7:47615","10.0.0.1:47620"],"type":"addresses"}"#
        ),
        (.storage(.diskFull), #"{"problem":"disk-full","type":"storage"}"#),
        (.storage(nil), #"{"type":"storage"}"#),
        (
            .knocks([
                Knock(
                    id: KnockID(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF),
                    laptop: "bob-laptop",
                    symbols: ["anchor", "cake", "tree", "moon"].compactMap { name in
                        KnockSymbol.all.first { $0.name == name }
                    },
                    lastPlayed: nil
                )
            ]),
            """
            {"knocks":[{"id":"0123456789abcdef0123456789abcdef","laptop":"bob-laptop",\
            "symbols":["anchor","cake","tree","moon"]}],"type":"knocks"}
            """
        ),
        (
            .admit(KnockID(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF), .yes),
            #"{"answer":"yes","knock":"0123456789abcdef0123456789abcdef","type":"admit"}"#
        ),
        (
            .guest(
                KnockingLaptop(
                    device: DeviceID(high: 0xD0D0_D0D0_D0D0_D0D0, low: 2),
                    name: "bob-laptop"
                )
            ),
            """
            {"device":"d0d0d0d0d0d0d0d00000000000000002","laptop":"bob-laptop","type":"guest"}
            """
        ),
        (.bye(.duplicate), #"{"reason":"duplicate","type":"bye"}"#),
        (.bye(.protocolError), #"{"reason":"protocol-error","type":"bye"}"#),
        (
            .error(PeerError(code: "unknown-type", text: "unknown message type dance")),
            #"{"code":"unknown-type","text":"unknown message type dance","type":"error"}"#
        ),
        (
            .welcome(
                Welcome(
                    session: session,
                    key: Array(0..<32),
                    title: "Friday",
                    game: "wingspan",
                    inviter: "ann-laptop",
                    port: 47_615
                )
            ),
            """
            {"game":"wingspan","inviter":"ann-laptop",\
            "key":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",\
            "port":47615,"session":"0123456789abcdef0123456789abcdef","title":"Friday",\
            "type":"welcome"}
            """
        ),
        (.delta(delta), deltaText),
        (
            .delta(Delta.sample()),
            """
            {"entries":[],"ids":[],"last":true,"part":0,"type":"delta","union":false,\
            "vectors":[]}
            """
        ),
    ]

    private static func entry(
        _ actor: ActorID,
        _ sequence: UInt64,
        _ counter: UInt16,
        _ value: Value
    ) -> Entry {
        Entry(
            dot: Dot(actor: actor, sequence: sequence),
            stamp: Stamp(milliseconds: 1_795_201_445_000, counter: counter),
            author: device,
            value: value
        )
    }

    private static var delta: Delta {
        let birds = Cell(player: player, row: Symbol(known: "birds"))
        let round = Cell(player: player, row: Symbol(known: "round"), round: 3)
        let conflict = LiveSet([
            entry(actor, 11, 0, .integer(50)), entry(other, 3, 1, .integer(48)),
        ])
        let live: [(Key, LiveSet?)] = [
            (.cell(birds), conflict),
            (.cell(round), LiveSet(entry(actor, 12, 2, .null))),
            (.membership(player), LiveSet(entry(actor, 9, 1, .boolean(true)))),
            (.session(Field.title), LiveSet(entry(actor, 10, 0, .text("A \"B\"\n")))),
            (
                .foreign(ExactText("later/x")),
                LiveSet(
                    entry(actor, 8, 0, .foreign(kind: ExactText("ratio"), text: ExactText("1/3")))
                )
            ),
        ]
        return Delta.sample(
            base: VersionVector([actor: 7]),
            upto: vector,
            changes: live.compactMap { key, live in
                live.map { KeyedLiveSet(key: key, live: $0) }
            }
        )
    }

    private static let deltaText = """
        {"entries":[[[2,"birds"],0,11,1795201445000,0,3,50],[[2,"birds"],1,3,1795201445000,1,3,48],\
        [[2,"round",3],0,12,1795201445000,2,3,null],\
        ["member/cccccccccccccccc0000000000000005",0,9,1795201445000,1,3,true],\
        ["session/title",0,10,1795201445000,0,3,"A \\"B\\"\\n"],\
        ["later/x",0,8,1795201445000,0,3,{"kind":"ratio","text":"1/3"}]],\
        "ids":["aaaaaaaaaaaaaaaa0000000000000003","bbbbbbbbbbbbbbbb0000000000000004",\
        "cccccccccccccccc0000000000000005","d0d0d0d0d0d0d0d00000000000000001"],\
        "last":true,"part":0,"type":"delta","union":false,"vectors":[[0,7,12],[1,0,3]]}
        """

    @Test("every message has exactly these bytes", arguments: messages)
    func encoding(_ message: PeerMessage, _ text: String) {
        let payloads = Array(PeerMessageEncoder(message))
        #expect(payloads.map { String(decoding: $0, as: UTF8.self) } == [text])
    }

    @Test("these bytes cover every message", arguments: messages)
    func decoding(_ message: PeerMessage, _ text: String) throws {
        #expect(try PeerMessageDecoder.decode(text) == message)
    }

    @Test("every truncated message is rejected", arguments: messages)
    func truncation(_ message: PeerMessage, _ text: String) {
        for length in 0..<text.utf8.count {
            var decoder = PeerMessageDecoder()
            #expect(throws: PeerMessageError.self) {
                _ = try decoder.receive(Array(text.utf8.prefix(length)))
            }
        }
    }

    @Test("a field of a later version is ignored", arguments: messages)
    func unknownField(_ message: PeerMessage, _ text: String) throws {
        let longer = #"{"zz":{"deep":[1.5e3,null]},"# + text.dropFirst()
        #expect(try PeerMessageDecoder.decode(longer) == message)
    }

    @Test("a goodbye with a later version's reason is decoded as other")
    func laterReason() throws {
        let message = try PeerMessageDecoder.decode(#"{"type":"bye","reason":"bored"}"#)
        #expect(message == .bye(.other))
    }
}
