import ScoreSheets
import Testing

@Suite("Matching of shortened names")
struct MatchTests {
    /// The matches of a text, several in brackets.
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

    @Test("an exact match precedes a folded one, and a whole name precedes a prefix")
    func exact() {
        #expect(meaning("zoe", among: "Zoë", "Zoe") == "Zoe")
        #expect(meaning("zoë", among: "Zoë", "Zoe") == "Zoë")
        #expect(meaning("jose", among: "Josefine", "José") == "José")
        #expect(meaning("zö", among: "Zoë", "Zöe") == "Zöe")
    }

    @Test("several matches are ambiguous, regardless of accents")
    func several() {
        #expect(meaning("zoe", among: "Zoë", "Zoé") == "[Zoë Zoé]")
        #expect(meaning("el", among: "Élodie", "Elena") == "[Élodie Elena]")
        #expect(meaning("", among: "Ann") == nil)
    }
}
