import CPlatform
import Descriptors
import PeerTransport
import ScoreSheets

/// The word lists of this device, each read when it is first used and kept until the daemon ends.
///
/// Reading a list of 400,000 lines takes some 50 ms, and an unsorted one of 16 MiB over a second,
/// so lists are read on another thread. A lookup takes less than a microsecond. A replaced file is
/// read again, because a game depends on the contents of its list and not on its path; an unusable
/// file is read again only after it was replaced. Must be used on one queue only.
final class WordLists {
    /// The maximum number of open lists; beyond it, the one that was opened first is closed.
    static let maxOpen = 4

    private static let thread = WorkerThread()

    private let dictionaryDirectory: String
    private let home: String?
    private let largestFile: Int64
    private var opened: [(file: WordFile, list: Result<WordList, RuleViolation>)] = []

    /// The file that was needed last and must be read first; nil if there is none.
    var wanted: WordFile?

    /// Creates the lists of a directory; files may have up to `largestFile` bytes (the longest
    /// packaged one has 5 MiB).
    init(
        dictionaryDirectory: String = "/usr/share/dict",
        home: String? = platform_environment("HOME").map { String(cString: $0) },
        largestFile: Int64 = 16 << 20
    ) {
        (self.dictionaryDirectory, self.home, self.largestFile) = (
            dictionaryDirectory, home, largestFile
        )
    }

    /// Returns the list `english`, `british` or `dutch`, or the list in the file at a path.
    ///
    /// If the list must be read first, throws and sets `wanted`.
    func wordList(_ name: String) throws(RuleViolation) -> WordList {
        wanted = nil
        let file = try WordFile(
            name,
            dictionaryDirectory: dictionaryDirectory,
            home: home,
            maxBytes: largestFile
        )
        guard let known = opened.first(where: { $0.file == file }) else {
            wanted = file
            throw RuleViolation("the word list \(name) is being read; try again")
        }
        return try known.list.get()
    }

    func read(_ file: WordFile, on queue: EventQueue) async -> Result<WordList, RuleViolation> {
        await queue.run(on: WordLists.thread) {
            Result { () throws(RuleViolation) in try file.read() }
        }
    }

    func keep(_ list: Result<WordList, RuleViolation>, of file: WordFile) {
        opened.removeAll { $0.file.name == file.name && $0.file.path == file.path }
        if opened.count == WordLists.maxOpen { opened.removeFirst() }
        opened.append((file, list))
    }
}

/// The file of a word list, identified by its present contents; may be read on any queue.
struct WordFile: Hashable, Sendable {
    /// The packaged lists of Debian and its derivatives, by the names that this program uses.
    private static let packaged: [String: (file: String, package: String)] = [
        "english": ("american-english", "wamerican"),
        "british": ("british-english", "wbritish"),
        "dutch": ("dutch", "wdutch"),
    ]

    /// Whether a name is a path rather than the name of a packaged list.
    static func isPath(_ name: String) -> Bool { name.hasPrefix("/") || name.hasPrefix("~/") }

    /// Throws if a name is neither that of a packaged list nor a path.
    static func check(_ name: String) throws(RuleViolation) {
        guard packaged[name] == nil, !isPath(name) else { return }
        throw RuleViolation(
            "no word list \(name.quoted). Use english, british or dutch, or the full path of a "
                + "file (from / or ~/)"
        )
    }

    let name: String
    let path: String
    private let advice: String
    /// The package that has the file; nil for a list of one's own.
    private let package: String?
    private let content: Content

    private struct Content: Hashable {
        let bytes: Int64
        let changed: Int64
        let number: UInt64
    }

    /// Finds the file of a name or path, without reading it.
    ///
    /// A path must be absolute, because the daemon does not have its user's working directory. A
    /// path that starts with `~/` is resolved on each device, so that a game can name a list that
    /// all users have at the same place in their homes.
    init(
        _ name: String,
        dictionaryDirectory: String,
        home: String?,
        maxBytes: Int64
    ) throws(RuleViolation) {
        try WordFile.check(name)
        self.name = name
        if let list = WordFile.packaged[name] {
            path = "\(dictionaryDirectory)/\(list.file)"
            package = list.package
            advice =
                "install it with: sudo apt install \(list.package) (or start a game with a list "
                + "of your own: --option list=PATH)"
        } else {
            guard let home = name.hasPrefix("/") ? "" : home else {
                throw RuleViolation("this laptop has no home directory for the word list \(name)")
            }
            path = home + name.drop { $0 == "~" }
            package = nil
            advice = "a laptop that enters letters needs a copy of it at that path"
        }
        var status = platform_file()
        let result = platform_target_status(path, &status)
        content = Content(bytes: status.bytes, changed: status.changed, number: status.number)
        guard result == 0 else { throw failure(code: -result) }
        guard status.is_regular else {
            throw RuleViolation("the word list \(name) is not a file (\(path))")
        }
        guard status.bytes <= maxBytes else {
            throw RuleViolation(
                "the word list \(name) has more than \(maxBytes >> 20) MiB (\(path)); use a "
                    + "shorter one"
            )
        }
    }

    /// Reads the words, which takes up to a second for the largest files.
    func read() throws(RuleViolation) -> WordList {
        // Reads only the bytes that were there before: a file that grows gets another fingerprint.
        var file = [UInt8](repeating: 0, count: Int(content.bytes))
        var count = 0
        while count < file.count {
            let read = file[count...].withUnsafeMutableBytes { rest in
                platform_read_file(path, Int64(count), rest.baseAddress, rest.count)
            }
            guard read >= 0 else { throw failure(code: Int32(clamping: -read)) }
            if read == 0 { break }
            count += read
        }
        file.removeLast(file.count - count)
        let fingerprint: String
        do throws(CryptoFailure) { fingerprint = try SHA256.hexadecimal(of: file) } catch {
            throw RuleViolation("the word list \(name) cannot be used: \(error)")
        }
        let list = WordList(name: name, fingerprint: fingerprint, file: file)
        guard list.count > 0 else {
            throw RuleViolation(
                "the word list \(name) has no words (\(path)): one per line, in small letters"
            )
        }
        return list
    }

    private func failure(code: Int32) -> RuleViolation {
        let reason = SystemError.text(of: code)
        return RuleViolation(
            "the word list \(name)\(package.map { " (package \($0))" } ?? "") cannot be opened: "
                + "\(path): \(reason)",
            hint: advice
        )
    }
}
