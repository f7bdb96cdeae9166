import ScoreSheets
import Testing

@Suite("What a shortened name means")
struct MatchTests {
    /// What a text means, several in brackets.
    private func meaning(_ text: String, among names: String...) -> String? {
        switch Match(text, among: names, { $0 }) {
        case .one(let name): name
        case .none: nil
        case .many(let names): "[" + names.joined(separator: " ") + "]"
        }
    }

    @Test("accents need not be typed")
    func folded() {
        #expect(meaning("jose", among: "Ann", "José") == "José")
        #expect(meaning("ZOE", among: "Zoë", "Ann") == "Zoë")
        #expect(meaning("zo", among: "Zoë", "Ann") == "Zoë")
        #expect(meaning("lukasz n", among: "Łukasz Nowak") == "Łukasz Nowak")
        // The accent may be a character of its own, in what is typed and in the name.
        #expect(meaning("jose", among: "Jose\u{301}") == "José")
        #expect(meaning("JOSE\u{301}", among: "José") == "José")
        #expect(meaning("josè", among: "Ann") == nil)
    }

    @Test("what is typed exactly goes before what needs folding, and a whole name before others")
    func exact() {
        #expect(meaning("zoe", among: "Zoë", "Zoe") == "Zoe")
        #expect(meaning("zoë", among: "Zoë", "Zoe") == "Zoë")
        #expect(meaning("jose", among: "Josefine", "José") == "José")
        #expect(meaning("zö", among: "Zoë", "Zöe") == "Zöe")
    }

    @Test("where several remain, nobody guesses, whatever their accents are")
    func several() {
        #expect(meaning("zoe", among: "Zoë", "Zoé") == "[Zoë Zoé]")
        #expect(meaning("el", among: "Élodie", "Elena") == "[Élodie Elena]")
        #expect(meaning("", among: "Ann") == nil)
    }
}
