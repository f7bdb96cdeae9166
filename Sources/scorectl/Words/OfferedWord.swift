import SyncProtocol

/// A word that can stand at the end of what is typed.
struct OfferedWord: Hashable, Sendable {
    /// The word.
    let text: String
    /// What it is, in a few words; empty where the word says it.
    var summary = ""

    /// Whether something must still be typed behind it before it is a whole word.
    var isOpen: Bool { text.hasSuffix("=") }

    /// Whether a shell can be given it: a name of another laptop may hold what moves a cursor.
    var isHarmless: Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && !PrintableText.isDangerous($0)
            }
    }
}
