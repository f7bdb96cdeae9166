import SessionCRDT
import SyncProtocol
import Testing

struct MessageLimitsTests {
    private func isAccepted(_ text: String) -> Bool {
        (try? PeerMessageDecoder.decode(text)) != nil
    }

    private func hello(_ changes: [String: String]) -> String {
        let id = "\"0123456789abcdef0123456789abcdef\""
        var fields = [
            "clock": "0", "device": id, "digest": id, "features": "[]", "instance": id,
            "name": "\"ann\"", "port": "1", "protocol": "{\"min\":1,\"max\":1}", "session": id,
            "type": "\"hello\"", "vector": "[]",
        ]
        fields.merge(changes) { $1 }
        let texts = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{\(texts.joined(separator: ","))}"
    }

    private func quoted(_ count: Int) -> String {
        "\"\(String(repeating: "x", count: count))\""
    }

    private func list(_ element: String, _ count: Int) -> String {
        "[\(Array(repeating: element, count: count).joined(separator: ","))]"
    }

    @Test("a hello is accepted up to its limits")
    func helloAccepted() {
        for (field, value) in [
            ("clock", "281474976710655"), ("port", "0"), ("port", "65535"),
            ("name", quoted(Limits.nameBytes)), ("name", "\"\""),
            ("features", list(quoted(64), Limits.features)),
            ("protocol", "{\"min\":1,\"max\":65535,\"best\":2}"),
            ("vector", "[[\"0123456789abcdef0123456789abcdef\",9007199254740991]]"),
        ] {
            #expect(isAccepted(hello([field: value])), "\(field) \(value.prefix(40))")
        }
    }

    @Test("a hello past its limits is rejected")
    func helloRefused() {
        let id = "\"0123456789abcdef0123456789abcdef\""
        for (field, value) in [
            ("clock", "281474976710656"), ("clock", "-1"), ("clock", "null"), ("port", "-1"),
            ("port", "65536"), ("port", "\"1\""), ("name", quoted(Limits.nameBytes + 1)),
            ("name", "1"), ("features", list("\"a\"", Limits.features + 1)),
            ("features", list(quoted(65), 1)), ("features", "[\"A B\"]"), ("features", "{}"),
            ("protocol", "{\"min\":2,\"max\":1}"), ("protocol", "{\"min\":0,\"max\":1}"),
            ("protocol", "{\"min\":1,\"max\":65536}"), ("protocol", "[1,1]"), ("protocol", "1"),
            ("vector", "[[\(id),0]]"), ("vector", "[[\(id),-1]]"), ("vector", "[[\(id)]]"),
            ("vector", "[[\(id),9007199254740992]]"), ("vector", "[[\(id),1],[\(id),2]]"),
            ("vector", "[[\(id),1,1]]"), ("vector", "{}"), ("vector", "[[1,1]]"),
            ("device", "\"0123456789ABCDEF0123456789abcdef\""), ("instance", quoted(31)),
            ("session", "null"), ("digest", "\"\""), ("digest", quoted(33)),
        ] {
            #expect(!isAccepted(hello([field: value])), "\(field) \(value.prefix(40))")
        }
    }

    @Test("instances are accepted up to their maximum number", arguments: ["links", "reached"])
    func instances(type: String) {
        func message(_ count: Int) -> String {
            let id = "\"11111111111111110000000000000002\""
            return #"{"instances":\#(list(id, count)),"type":"\#(type)","vector":[]}"#
        }
        #expect(isAccepted(message(0)))
        #expect(isAccepted(message(Limits.linkedInstances)))
        #expect(!isAccepted(message(Limits.linkedInstances + 1)))
    }

    @Test("addresses are accepted up to their maximum number, those of a later version ignored")
    func addresses() throws {
        func message(_ count: Int) -> String {
            #"{"type":"addresses","addresses":\#(list("\"10.0.0.1:1\"", count))}"#
        }
        #expect(isAccepted(message(Limits.addresses)))
        #expect(!isAccepted(message(Limits.addresses + 1)))
        let mixed = try PeerMessageDecoder.decode(
            #"{"type":"addresses","addresses":["[::1]:5",7,"10.0.0.1:1","a:1","10.0.0.1:0","::1:5"]}"#
        )
        let ipv6 = Endpoint(address: IPAddress(high: 0, low: 1), port: 5)
        #expect(mixed == .addresses([ipv6, Endpoint(address: 0x0A00_0001, port: 1)]))
    }

    @Test("ping, welcome and error are accepted up to their limits")
    func others() {
        #expect(isAccepted(#"{"type":"ping","number":9007199254740991}"#))
        #expect(!isAccepted(#"{"type":"ping","number":9007199254740992}"#))
        #expect(!isAccepted(#"{"type":"ping","number":-1}"#))
        #expect(!isAccepted(#"{"type":"pong"}"#))
        #expect(!isAccepted(#"{"type":"bye","reason":1}"#))
        func welcome(_ key: String, _ title: String = "\"\"") -> String {
            """
            {"type":"welcome","game":"","inviter":"","key":\(key),"port":1,"title":\(title),\
            "session":"0123456789abcdef0123456789abcdef"}
            """
        }
        let digits = String(repeating: "0f", count: 32)
        #expect(isAccepted(welcome("\"\(digits)\"", quoted(Limits.textBytes))))
        #expect(!isAccepted(welcome("\"\(digits)\"", quoted(Limits.textBytes + 1))))
        for key in [digits.dropLast(2), digits.dropLast() + "", digits + "00"] {
            #expect(!isAccepted(welcome("\"\(key)\"")))
        }
        #expect(!isAccepted(welcome("\"\(digits.uppercased())\"")))
        func error(_ code: Int, _ text: Int) -> String {
            #"{"type":"error","code":\#(quoted(code)),"text":\#(quoted(text))}"#
        }
        #expect(isAccepted(error(Limits.errorCodeBytes, Limits.errorTextBytes)))
        #expect(!isAccepted(error(Limits.errorCodeBytes + 1, 1)))
        #expect(!isAccepted(error(1, Limits.errorTextBytes + 1)))
    }

    @Test(
        "a payload without a type is malformed, an unknown type is reported",
        arguments: [
            ("{}", "bad-message"), ("[]", "bad-message"), ("1", "bad-message"),
            (#"{"type":1}"#, "bad-message"), (#"{"type":"hello"}"#, "bad-message"),
            (#"{"type":"ack","vector":[]}"#, "bad-message"), ("{", "bad-message"),
            (#"{"type":"dance"}"#, "unknown-type"), (#"{"type":""}"#, "unknown-type"),
            (#"{"type":"delta"}"#, "bad-delta"),
        ]
    )
    func answers(_ text: String, _ code: String) {
        do throws(PeerMessageError) {
            _ = try PeerMessageDecoder.decode(text)
            Issue.record("accepted")
        } catch {
            #expect(error.errorReply?.code == code)
            #expect(error.errorReply?.text.isEmpty == false)
        }
    }

    @Test(
        "a malformed error message is not answered",
        arguments: [#"{"type":"error"}"#, #"{"code":7,"text":"","type":"error"}"#]
    )
    func malformedError(_ text: String) {
        do throws(PeerMessageError) {
            _ = try PeerMessageDecoder.decode(text)
            Issue.record("accepted")
        } catch {
            #expect(error.errorReply == nil)
        }
    }

    @Test("the same limits hold for local writes")
    func entryLimits() {
        let title = Key.session(Field.title)
        func text(_ count: Int) -> Value { .text(String(repeating: "x", count: count)) }
        #expect(EntryLimits.violation(title, .null) == nil)
        #expect(EntryLimits.violation(title, .boolean(true)) == nil)
        for number in [Limits.largestInteger, -Limits.largestInteger] {
            #expect(EntryLimits.violation(title, .integer(number)) == nil)
        }
        for number in [Limits.largestInteger + 1, .min, .max] {
            #expect(EntryLimits.violation(title, .integer(number)) != nil)
        }
        #expect(EntryLimits.violation(title, text(Limits.textBytes)) == nil)
        #expect(EntryLimits.violation(title, text(Limits.textBytes + 1)) != nil)
        let sheet = Key.session(Field.sheet)
        #expect(EntryLimits.violation(sheet, text(Limits.sheetBytes)) == nil)
        #expect(EntryLimits.violation(sheet, text(Limits.sheetBytes + 1)) != nil)
        #expect(EntryLimits.violation(.foreign(ExactText("")), .null) != nil)
    }

    @Test(
        "every entry that may be stored is accepted by peers, however long its JSON",
        arguments: ["\u{1}", "é"]
    )
    func storedIsSent(letter: String) throws {
        func long(_ bytes: Int) -> String {
            String(repeating: letter, count: bytes / letter.utf8.count)
        }
        let longest: [(Key, Value)] = [
            (.session(Field.title), .text(long(Limits.textBytes))),
            (.session(Field.sheet), .text(long(Limits.sheetBytes))),
            (
                .foreign(ExactText(long(Limits.keyBytes))),
                .foreign(
                    kind: ExactText(long(EntryLimits.kindBytes)),
                    text: ExactText(long(Limits.textBytes))
                )
            ),
        ]
        let actor = ActorID(high: 1, low: 1)
        let changes = longest.enumerated().map { place, stored in
            let dot = Dot(actor: actor, sequence: UInt64(place) + 1)
            let author = DeviceID(high: 2, low: 2)
            let stamp = Stamp(milliseconds: Stamp.lastMillisecond, counter: .max)
            let entry = Entry(dot: dot, stamp: stamp, author: author, value: stored.1)
            #expect(EntryLimits.violation(stored.0, stored.1) == nil)
            return KeyedLiveSet(key: stored.0, live: LiveSet(entry))
        }
        let delta = try Delta(
            base: VersionVector(),
            upto: VersionVector([actor: UInt64(longest.count)]),
            changes: changes
        )
        var decoder = PeerMessageDecoder()
        var decoded: PeerMessage?
        for payload in PeerMessageEncoder(.delta(delta)) {
            #expect(payload.count <= Limits.frameBytes)
            decoded = try decoder.receive(payload)
        }
        #expect(decoded == .delta(delta))
    }
}
