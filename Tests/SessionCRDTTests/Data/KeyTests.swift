import SessionCRDT
import SyncTestKit
import Testing

struct KeyTests {
    private static let ann = "000000000000000000000000000000fa"

    @Test("Each kind of key has its text form")
    func forms() throws {
        let player = try #require(PlayerID(KeyTests.ann))
        let device = DeviceID(high: 0, low: 0xfa)
        let round = Cell(player: player, row: Samples.birds, round: 3)
        #expect(Key.session(Field.title).description == "session/title")
        #expect(Key.player(player, Field.name).description == "player/\(KeyTests.ann)/name")
        #expect(Key.membership(player).description == "member/\(KeyTests.ann)")
        #expect(Key.device(device).description == "device/\(KeyTests.ann)")
        #expect(
            Key.cell(Cell(player: player, row: Samples.birds)).description
                == "cell/\(KeyTests.ann)/birds"
        )
        #expect(Key.cell(round).description == "cell/\(KeyTests.ann)/birds/3")
        #expect(Key("later/on").description == "later/on")
    }

    @Test(
        "Keys survive a round trip through their text forms, which differ",
        arguments: Seeds.below(40)
    )
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var texts: [[UInt8]: Key] = [:]
        for _ in 0..<200 {
            let key = Samples.key(using: &random)
            #expect(Key(key.description) == key)
            let other = texts.updateValue(key, forKey: Array(key.description.utf8))
            #expect(other == nil || other == key)
        }
        #expect(Set(texts.values).count == texts.count)
    }

    @Test("Any text is a key and survives a round trip byte by byte", arguments: Seeds.below(40))
    func everyText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let text = Samples.text(using: &random)
            #expect(Array(Key(text).description.utf8) == Array(text.utf8))
            #expect(Array(text.utf8).withUnsafeBufferPointer { Key(utf8: $0) } == Key(text))
        }
    }

    @Test(
        "A text that resembles a key is a foreign key and survives a round trip byte by byte",
        arguments: [
            "", "/", "session", "session/", "session/Ü", "session/U\u{308}", "session/Title",
            "session/\u{301}title", "session\u{301}/title", "session/title/", "/session/title",
            "session/title\u{301}", "Session/title", "se\u{17F}sion/title", "session/a b",
            "player/\(ann)", "player/\(ann)/", "player/\(ann)/name/x", "player/x/name",
            "member/\(ann)/", "member/FA", "member", "device/", "device/\(ann)0",
            "cell/\(ann)", "cell/\(ann)/", "cell/\(ann)/birds/", "cell/\(ann)/birds/0",
            "cell/\(ann)/birds/03", "cell/\(ann)/birds/+3", "cell/\(ann)/birds/-3",
            "cell/\(ann)/birds/ 3", "cell/\(ann)/birds/1000001", "cell/\(ann)/birds/99999999999",
            "cell/\(ann)/birds/３", "cell/\(ann)/birds/3/", "cell/\(ann)/\u{301}birds",
            "cell/\(ann)/birds/\u{301}3", "cell/\(ann)/birds/3\u{20E3}", "\u{0}",
        ]
    )
    func foreign(text: String) {
        let key = Key(text)
        #expect(key == .foreign(ExactText(text)))
        #expect(Array(key.description.utf8) == Array(text.utf8))
    }

    @Test("Keys have one order, regardless of their order before", arguments: Seeds.below(40))
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys = Set((0..<100).map { _ in Samples.key(using: &random) })
        let sorted = keys.sorted()
        #expect(keys.shuffled(using: &random).sorted() == sorted)
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(left < right && !(right < left))
        }
    }
}
