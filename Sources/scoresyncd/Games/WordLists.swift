import CPlatform
import Descriptors
import Dispatch
import PeerTransport
import ScoreSheets

/// The word lists of this device, each read at its first use and kept for the daemon's life.
///
/// A list of 400,000 lines takes some 50 ms to read, and an unsorted one of 16 MiB more than a
/// second: they are read on another queue. A lookup takes less than a microsecond. A file that was
/// replaced is read again, because a game is pinned to the contents of its list and not to its
/// path; one that cannot be used is not, until it is replaced. Not to be shared between queues.
final class WordLists {
    /// The maximum number of open lists; the one that was opened first is closed.
    static let maxOpen = 4

    private static let queue = DispatchQueue(label: "scoresync.words", qos: .userInitiated)

    private let dictionaries: String
    private let home: String?
    private let largestFile: Int64
    private var opened: [(file: WordFile, list: Result<WordList, RuleViolation>)] = []

    /// The file that was needed last and has not been read.
    var wanted: WordFile?

    /// The lists in the system's directory, and files of at most so many bytes; the longest
    /// packaged one has 5 MiB.
    init(
        dictionaries: String = "/usr/share/dict",
        home: String? = platform_environment("HOME").map { String(cString: $0) },
        largestFile: Int64 = 16 << 20
    ) {
        (self.dictionaries, self.home, self.largestFile) = (dictionaries, home, largestFile)
    }

    /// The list that a game calls `english`, `british` or `dutch`, or by the path of a file.
    ///
    /// A list that must be read first is refused, and is then the `wanted` one.
    func wordList(_ name: String) throws(RuleViolation) -> WordList {
        wanted = nil
        let file = try WordFile(
            name,
            dictionaries: dictionaries,
            home: home,
            largest: largestFile
        )
        guard let known = opened.first(where: { $0.file == file }) else {
            wanted = file
            throw RuleViolation("the word list \(name) is being read; try again")
        }
        return try known.list.get()
    }

    /// Reads a file in parallel to everything else.
    func read(_ file: WordFile, on queue: EventQueue) async -> Result<WordList, RuleViolation> {
        await queue.run(on: WordLists.queue) {
            Result { () throws(RuleViolation) in try file.read() }
        }
    }

    /// Keeps the result of reading a file.
    func keep(_ list: Result<WordList, RuleViolation>, of file: WordFile) {
        opened.removeAll { $0.file.name == file.name && $0.file.path == file.path }
        if opened.count == WordLists.maxOpen { opened.removeFirst() }
        opened.append((file, list))
    }
}

/// The file of a word list with the identity of its present contents; may be read on any queue.
struct WordFile: Hashable, Sendable {
    /// The lists of Debian and its derivatives that have names of their own, and their packages.
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
        throw RuleViolation(
            "there is no word list \(name.quoted): the lists are english, british and dutch, or any "
                + "file by its whole path, from / or ~/"
        )
    }

    let name: String
    let path: String
    /// Advice if it is missing.
    private let advice: String
    private let content: Content

    private struct Content: Hashable {
        let bytes: Int64
        let changed: Int64
        let number: UInt64
    }

    /// The file that a name or a path means on a device with these directories; it is not read yet.
    ///
    /// A path is a whole one, because the daemon has another current directory than its user. One
    /// from `~/` means the home of the user of each device, so that a game can name a list that
    /// all have in the same location.
    init(
        _ name: String,
        dictionaries: String,
        home: String?,
        largest: Int64
    ) throws(RuleViolation) {
        try WordFile.check(name)
        self.name = name
        if let list = WordFile.packaged[name] {
            path = "\(dictionaries)/\(list.file)"
            advice =
                "install it with: sudo apt install \(list.package) (or begin a game with a list "
                + "of your own: --option list=PATH)"
        } else {
            guard let home = name.hasPrefix("/") ? "" : home else {
                throw RuleViolation("this laptop has no home directory for the word list \(name)")
            }
            path = home + name.drop { $0 == "~" }
            advice = "a laptop that enters letters needs a copy of it at that path"
        }
        var status = platform_file()
        let result = platform_target_status(path, &status)
        content = Content(bytes: status.bytes, changed: status.changed, number: status.number)
        guard result == 0 else { throw failure(code: -result) }
        guard status.is_regular else {
            throw RuleViolation("the word list \(name) is not a file (\(path))")
        }
        guard status.bytes <= largest else {
            throw RuleViolation(
                "the word list \(name) has more than \(largest >> 20) MiB (\(path)); use a shorter "
                    + "one"
            )
        }
    }

    /// Reads the words: up to a second for the largest files.
    func read() throws(RuleViolation) -> WordList {
        // At most as many as a moment ago: a file that grows meanwhile has another fingerprint.
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
                "the word list \(name) has no words (\(path)): it takes one a line, in small letters"
            )
        }
        return list
    }

    private func failure(code: Int32) -> RuleViolation {
        var text = [CChar](repeating: 0, count: 128)
        platform_error_text(code, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let reason = String(decoding: bytes, as: UTF8.self)
        return RuleViolation(
            "the word list \(name) cannot be opened: \(path): \(reason)",
            hint: advice
        )
    }
}
