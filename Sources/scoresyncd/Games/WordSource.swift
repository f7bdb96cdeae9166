import CPlatform
import ScoreSheets

/// Where the word list of a name is, and what to do where it is missing.
struct WordSource: Hashable, Sendable {
    /// The lists of Debian and its kin that have names of their own, with the package of each.
    private static let packaged: [String: (file: String, package: String)] = [
        "english": ("american-english", "wamerican"),
        "british": ("british-english", "wbritish"),
        "dutch": ("dutch", "wdutch"),
    ]

    /// Whether a name is the path of a file, and none of the packaged lists.
    static func isPath(_ name: String) -> Bool { name.hasPrefix("/") || name.hasPrefix("~/") }

    /// Refuses a name that means no list on any device.
    static func check(_ name: String) throws(RuleViolation) {
        guard packaged[name] == nil, !isPath(name) else { return }
        throw .game(.wordList(.unknown(name)))
    }

    /// The file.
    let path: String
    /// What to do where it is missing.
    let advice: String

    /// The list that a name or a path means, on a device with these directories.
    ///
    /// A path is a whole one: the daemon does not stand in the directory of whoever types. One from
    /// `~/` means the home of the user of each device, so that a game can name a list that
    /// everybody has in the same place.
    init(_ name: String, dictionaries: String, home: String?) throws(RuleViolation) {
        if let list = WordSource.packaged[name] {
            path = "\(dictionaries)/\(list.file)"
            advice =
                "install it with: sudo apt install \(list.package) (or begin a game with a list "
                + "of your own: --option list=PATH)"
            return
        }
        try WordSource.check(name)
        advice = "a laptop that enters letters needs a copy of it at that path"
        if name.hasPrefix("/") {
            path = name
        } else if name.hasPrefix("~/"), let home {
            path = home + name.dropFirst()
        } else {
            throw .game(.wordList(.noHome(name)))
        }
    }
}
