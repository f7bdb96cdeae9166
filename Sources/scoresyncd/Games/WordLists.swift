import CPlatform
import Descriptors
import Dispatch
import ScoreSheets

/// The word lists of this device, each read at its first use and kept for the daemon's life.
///
/// A list of 400,000 lines takes some 50 ms to read, and one of 16 MiB in no order more than a
/// second: they are read beside everything else. An answer takes less than a microsecond. A file
/// that was replaced is read again, because a game is pinned to what its list says and not to where
/// it is; one that is of no use is not, until it is replaced. Not to be shared between queues.
final class WordLists {
    /// How many lists are kept; the one that was opened first goes.
    static let most = 4
    /// How many bytes a list has at most; the longest packaged one has 5 MiB.
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
    func lexicon(_ name: String) throws(RuleViolation) -> any Lexicon {
        wanted = nil
        let source = try WordSource(name, dictionaries: dictionaries, home: home)
        let file = try WordFile(name, source, largest: largestFile)
        guard let known = opened.first(where: { $0.file == file }) else {
            wanted = file
            throw .game(.wordList(.beingRead(name)))
        }
        return try known.list.get()
    }

    /// Reads a file beside everything else and completes on `queue`, where these lists are used.
    func read(
        _ file: WordFile,
        on queue: EventQueue,
        then completion: @escaping @Sendable (Result<WordList, RuleViolation>) -> Void
    ) {
        WordLists.queue.async { @Sendable in
            let list = Result { () throws(RuleViolation) in try file.read() }
            queue.async { @Sendable in completion(list) }
        }
    }

    /// Keeps what a file was found to be.
    func keep(_ list: Result<WordList, RuleViolation>, of file: WordFile) {
        opened.removeAll { $0.file.isPlace(of: file) }
        if opened.count == WordLists.most { opened.removeFirst() }
        opened.append((file, list))
    }
}
