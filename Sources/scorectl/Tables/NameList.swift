/// Names in a sentence.
enum NameList {
    /// `Ann`, `Ann and Bob`, `Ann, Bob and Cem`; long ones are cut.
    static func text(_ names: [String]) -> String {
        let names = names.map { TextWidth.truncated($0, to: 16) }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// `Ann has won`, `Ann and Bob have won`; nil of nobody.
    static func won(by names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        return text(names) + (names.count == 1 ? " has won" : " have won")
    }
}
