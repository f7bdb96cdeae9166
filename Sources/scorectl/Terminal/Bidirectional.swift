/// Words that are written from right to left, among others.
///
/// A terminal that reorders them (Unicode Standard Annex 9) takes the numbers and spaces between
/// two such words for a part of them, so that scores would stand under other names. Isolates keep
/// each where it is; names themselves hold none, see `PrintableText`.
enum Bidirectional {
    /// The text with isolates around what is written from right to left.
    static func isolated(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isRightToLeft) else { return text }
        var (result, waiting) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        var isOpen = false
        for scalar in text.unicodeScalars {
            if isRightToLeft(scalar) {
                // Spaces and signs between two words belong to them.
                if !isOpen { result += waiting + ["\u{2068}"] } else { result += waiting }
                result.append(scalar)
                waiting = String.UnicodeScalarView()
                isOpen = true
            } else {
                if isOpen, scalar.properties.isAlphabetic {
                    result.append("\u{2069}")
                    isOpen = false
                }
                waiting.append(scalar)
            }
        }
        if isOpen { result.append("\u{2069}") }
        return String(result + waiting)
    }

    /// Whether a character is of a script that is written from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
