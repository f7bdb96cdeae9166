import SessionCRDT
import SyncTestKit
import Testing

struct IdentityTests {
    @Test("An id survives a round trip through its text form", arguments: Seeds.below(40))
    func idRoundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let id = PlayerID.random(using: &random)
        #expect(PlayerID(id.description) == id)
        #expect(PlayerID("x\(id)y".dropFirst().dropLast()) == id)
        #expect(id.description.utf8.count == 32)
    }

    @Test("The text form of an id is its bits, the most significant first")
    func idText() {
        let id = PlayerID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        #expect(id.description == "0123456789abcdeffedcba9876543210")
        #expect(PlayerID("ffffffffffffffffffffffffffffffff") == PlayerID(high: .max, low: .max))
    }

    @Test("A number has 16 hexadecimal digits, zeros included")
    func number() {
        #expect(Hexadecimal.text(of: UInt64(0)) == "0000000000000000")
        #expect(Hexadecimal.text(of: 0x0123_4567_89ab_cdef as UInt64) == "0123456789abcdef")
        #expect(Hexadecimal.text(of: UInt64.max) == "ffffffffffffffff")
    }

    @Test(
        "Only 32 lowercase hexadecimal digits are an id",
        arguments: [
            "", "0", "0123456789abcdeffedcba987654321", "0123456789abcdeffedcba98765432100",
            "0123456789ABCDEFFEDCBA9876543210", "0123456789abcdeffedcba987654321g",
            "+123456789abcdeffedcba9876543210", " 123456789abcdeffedcba9876543210",
            "0123456789abcdeffedcba98765432１0", "0x23456789abcdeffedcba9876543210",
        ]
    )
    func idRefusals(text: String) {
        #expect(PlayerID(text) == nil)
    }

    @Test("Ids have the order of their text forms", arguments: Seeds.below(40))
    func idOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let left: PlayerID = Samples.id(using: &random)
        let right: PlayerID = Samples.id(using: &random)
        #expect((left < right) == (left.description < right.description))
    }

    @Test("A symbol has 1 to 64 allowed bytes")
    func symbol() {
        #expect(Symbol("az09._-")?.description == "az09._-")
        #expect(Symbol(String(repeating: "a", count: 64)) != nil)
        #expect(Symbol(String(repeating: "a", count: 65)) == nil)
        for refused in ["", "A", "a b", "a/b", "ä", "a\u{301}", "\u{212A}", "a\n", "a\u{0}"] {
            #expect(Symbol(refused) == nil, "\(refused.debugDescription)")
        }
    }

    @Test("Canonically equivalent texts are different exact texts")
    func exactText() {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(ExactText(composed) != ExactText(decomposed))
        #expect(ExactText(decomposed) < ExactText(composed))
        #expect(Set([ExactText(composed), ExactText(decomposed)]).count == 2)
        #expect(Set([ExactText(composed), ExactText("\u{E9}")]).count == 1)
        #expect(Value.text(composed) != Value.text(decomposed))
    }
}
