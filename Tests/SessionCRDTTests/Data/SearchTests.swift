import SessionCRDT
import Testing

@Suite("Searches for texts")
struct SearchTests {
    @Test(
        "A text is found at its first place",
        arguments: [
            ("aXbaab", "aab", 3..<6), ("aaab", "aab", 1..<4), ("ab", "ab", 0..<2),
            ("ab", "", 0..<0), ("ab", "abc", nil), ("", "a", nil), ("abab", "b", 1..<2),
        ] as [(String, String, Range<Int>?)]
    )
    func finds(_ text: String, _ wanted: String, _ place: Range<Int>?) {
        #expect(Array(text).firstRange(of: Array(wanted)) == place)
        #expect(text.contains(Substring(wanted)) == (place != nil))
    }
}
