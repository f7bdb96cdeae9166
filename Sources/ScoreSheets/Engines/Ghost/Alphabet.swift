/// The letters a–z, and what is folded into them.
enum Alphabet {
    private static let accented: [(letter: Character, forms: String)] = [
        ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
        ("h", "ĥħ"), ("i", "ìíîïĩīĭį"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľł"), ("n", "ñńņň"),
        ("o", "òóôõöøōŏő"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűų"),
        ("w", "ŵẁẃẅ"), ("y", "ýÿŷỳ"), ("z", "źżž"),
    ]

    /// The letter of each accented one; characters compare as Unicode does, so that it does not
    /// matter whether the accent is a part of the character or stands behind the letter.
    private static let letters: [Character: UInt8] = {
        var letters: [Character: UInt8] = [:]
        for (letter, forms) in accented {
            for form in forms { letters[form] = letter.asciiValue }
        }
        return letters
    }()

    /// Whether the byte is one of the letters a–z in ASCII.
    static func contains(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// The letter a–z that a lower-case character is without its accent; nil of anything else.
    static func letter(_ character: Character) -> UInt8? {
        if let byte = character.asciiValue { return contains(byte) ? byte : nil }
        return letters[character]
    }

    /// A text in lower case whose letters have no accents; whatever is no letter a–z stays.
    static func folded(_ text: String) -> String {
        let lower = text.lowercased()
        if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
        return String(
            lower.map { character in
                letters[character].map { Character(UnicodeScalar($0)) } ?? character
            }
        )
    }
}
