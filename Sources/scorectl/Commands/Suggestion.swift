import ScoreSheets
import SyncProtocol

/// What somebody may have meant who typed something else.
enum Suggestion {
    /// The error for a name that does not exist, with those that look like it.
    static func unknown(
        _ what: String,
        _ typed: String,
        near word: String,
        among names: [String],
        prefix: String = ""
    ) -> ControlError {
        let close = Spelling.near(word, among: names).map { prefix + $0 }
        return ControlError(
            .usage,
            "there is no \(what) '\(typed)'",
            candidates: close.isEmpty ? nil : close
        )
    }

    /// How many names are proposed where none of them looks like what was typed.
    private static let most = 6

    /// What is proposed to people of all the names that there are: those that look like a word that
    /// was typed, else the first of them; programs get all.
    static func text(_ names: [String], near words: [String]) -> String {
        let lower = names.map { $0.lowercased() }
        var close: [String] = []
        for word in words.flatMap(parts(of:)) where close.isEmpty {
            close = lower.filter { $0.contains(word) }
            if close.isEmpty { close = Spelling.near(word, among: lower) }
        }
        let meant = names.filter { close.contains($0.lowercased()) }
        if !meant.isEmpty { return "Did you mean: \(list(meant))?" }
        return names.count == 1 ? "There is: \(names[0])" : "There are: \(list(names))"
    }

    /// What of a typed word can be a name: all of it, and what stands before and after its signs.
    private static func parts(of word: String) -> [String] {
        let word = word.lowercased()
        let pieces: [String] = [word] + word.split { "=.".contains($0) }.map(String.init)
        return pieces.filter { $0.count > 1 && $0.contains(where: \.isLetter) }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(names.count - most) more" : shown
    }
}
