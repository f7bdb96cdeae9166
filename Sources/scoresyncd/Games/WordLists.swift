import CPlatform
import Descriptors
import Dispatch
import PeerTransport
import ScoreSheets

/// The word lists of this device, each read at its first use and kept for the daemon's life.
///
/// A list of 400,000 lines takes some 50 ms to read, and one of 16 MiB in no order more than a
/// second: they are read beside everything else. An answer takes less than a microsecond. A file
/// that was replaced is read again, because a game is pinned to what its list says and not to where
/// it is; one that is of no use is not, until it is replaced. Not to be shared between queues.
final class WordLists {
    /// The limit of open lists; the one that was opened first goes.
    static let most = 4
    /// The limit of a list's size; the longest packaged one has 5 MiB.
    static let largestFile: Int64 = 16 << 20

    private static let queue = DispatchQueue(label: "scoresync.words", qos: .userInitiated)

    private let dictionaries: String
    private let home: String?
    private let largestFile: Int64
    private var opened: [(file: WordFile, list: Result<WordList, RuleViolation>)] = []

    /// The file that somebody asked for last and that has not been read.
    var wanted: WordFile?

    /// The lists under the directory where the system keeps them, and files up to so many bytes.
    init(
        dictionaries: String = "/usr/share/dict",
        home: String? = platform_environment("HOME").map { String(cString: $0) },
        largestFile: Int64 = WordLists.largestFile
    ) {
        self.dictionaries = dictionaries
        self.home = home
        self.largestFile = largestFile
    }

    /// The list that a game calls `english`, `british` or `dutch`, or by the path of a file.
    ///
    /// One that has to be read first is refused, and is what is `wanted` then.
    func wordList(_ name: String) throws(RuleViolation) -> WordList {
        wanted = nil
        let source = try WordSource(name, dictionaries: dictionaries, home: home)
        let file = try WordFile(name, source, largest: largestFile)
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

    /// Keeps what a file was found to be.
    func keep(_ list: Result<WordList, RuleViolation>, of file: WordFile) {
        opened.removeAll { $0.file.isPlace(of: file) }
        if opened.count == WordLists.most { opened.removeFirst() }
        opened.append((file, list))
    }
}

/// The location of a word list, with advice if it is missing.
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
        throw RuleViolation(
            "there is no word list \(name.quoted): the lists are english, british and dutch, or any "
                + "file by its whole path, from / or ~/"
        )
    }

    /// The file.
    let path: String
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
            throw RuleViolation("this laptop has no home directory for the word list \(name)")
        }
    }
}

/// The file of a word list as it is now, which may be read on any queue.
struct WordFile: Hashable, Sendable {
    let name: String
    private let source: WordSource
    /// Identifies the contents of the file.
    private let content: Content

    private struct Content: Hashable {
        let bytes: Int64
        let changed: Int64
        let number: UInt64
    }

    /// The file of a list of at most so many bytes; its words are not read yet.
    init(_ name: String, _ source: WordSource, largest: Int64) throws(RuleViolation) {
        self.name = name
        self.source = source
        var status = platform_file()
        let result = platform_target_status(source.path, &status)
        guard result == 0 else { throw WordFile.failure(name, source, code: -result) }
        guard status.is_regular else {
            throw RuleViolation("the word list \(name) is not a file (\(source.path))")
        }
        guard status.bytes <= largest else {
            throw RuleViolation(
                "the word list \(name) has more than \(largest >> 20) MiB (\(source.path)); use a "
                    + "shorter one"
            )
        }
        content = Content(bytes: status.bytes, changed: status.changed, number: status.number)
    }

    /// Whether both are one list in one place, whatever is in it.
    func isPlace(of other: WordFile) -> Bool { name == other.name && source == other.source }

    /// Reads the words: up to a second for the largest files.
    func read() throws(RuleViolation) -> WordList {
        // At most what it had a moment ago: a file that grows meanwhile has another fingerprint.
        var file = [UInt8](repeating: 0, count: Int(content.bytes))
        var count = 0
        while count < file.count {
            let read = file[count...].withUnsafeMutableBytes { rest in
                platform_read_file(source.path, Int64(count), rest.baseAddress, rest.count)
            }
            guard read >= 0 else {
                throw WordFile.failure(name, source, code: Int32(clamping: -read))
            }
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
                "the word list \(name) has no words (\(source.path)): it takes one a line, in small "
                    + "letters"
            )
        }
        return list
    }

    private static func failure(_ name: String, _ source: WordSource, code: Int32) -> RuleViolation
    {
        var text = [CChar](repeating: 0, count: 128)
        platform_error_text(code, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let reason = String(decoding: bytes, as: UTF8.self)
        return RuleViolation(
            "the word list \(name) cannot be opened: \(source.path): \(reason)",
            hint: source.advice
        )
    }
}
