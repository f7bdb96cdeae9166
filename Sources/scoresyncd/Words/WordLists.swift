import CPlatform
import PeerTransport
import ScoreSheets

/// The word lists of this device, each read at its first use and kept for the daemon's life.
///
/// A list of 400,000 lines takes some 50 ms to read and then as much memory as it has letters; an
/// answer takes less than a microsecond. A file that was replaced is read again, because a game is
/// pinned to what its list says and not to where it is. Not to be shared between queues.
final class WordLists {
    /// How many lists are kept; the one that was opened first goes.
    static let most = 4

    private let dictionaries: String
    private let home: String?
    private let largestFile: Int64
    private var opened: [Opened] = []

    /// A list, and what its file looked like when it was read.
    private struct Opened {
        let name: String
        let path: String
        let content: Content
        let list: WordList
    }

    /// What tells a file from what it was.
    private struct Content: Hashable {
        let bytes: Int64
        let changed: Int64
        let number: UInt64
    }

    /// The lists under the directory where the system keeps them, and files up to so many bytes.
    init(
        dictionaries: String = "/usr/share/dict",
        home: String? = platform_environment("HOME").map { String(cString: $0) },
        largestFile: Int64 = 64 << 20
    ) {
        self.dictionaries = dictionaries
        self.home = home
        self.largestFile = largestFile
    }

    /// The list that a game calls `english`, `british` or `dutch`, or by the path of a file.
    ///
    /// What is missing is said with what to install.
    func lexicon(_ name: String) throws(RuleViolation) -> any Lexicon {
        let source = try WordSource(name, dictionaries: dictionaries, home: home)
        let content = try content(of: source, called: name)
        if let known = opened.first(where: { $0.name == name && $0.path == source.path }) {
            if known.content == content { return known.list }
            opened.removeAll { $0.name == name && $0.path == source.path }
        }
        let list = try read(source, content, called: name)
        if opened.count == WordLists.most { opened.removeFirst() }
        opened.append(Opened(name: name, path: source.path, content: content, list: list))
        return list
    }

    private func content(
        of source: WordSource,
        called name: String
    ) throws(RuleViolation) -> Content {
        var status = platform_content()
        let result = platform_content_status(source.path, &status)
        guard result == 0 else { throw WordLists.failure(name, source, code: -result) }
        guard status.is_regular else {
            throw .game("the word list \(name) is no file (\(source.path))")
        }
        guard status.bytes <= largestFile else {
            throw .game(
                "the word list \(name) has more than \(largestFile >> 20) MiB (\(source.path)); "
                    + "use a shorter one"
            )
        }
        return Content(bytes: status.bytes, changed: status.changed, number: status.number)
    }

    private func read(
        _ source: WordSource,
        _ content: Content,
        called name: String
    ) throws(RuleViolation) -> WordList {
        // At most what it had a moment ago: a file that grows meanwhile has another fingerprint.
        var file = [UInt8](repeating: 0, count: Int(content.bytes))
        var count = 0
        while count < file.count {
            let read = file[count...].withUnsafeMutableBytes { rest in
                platform_read_file(source.path, Int64(count), rest.baseAddress, rest.count)
            }
            guard read >= 0 else {
                throw WordLists.failure(name, source, code: Int32(clamping: -read))
            }
            if read == 0 { break }
            count += read
        }
        file.removeLast(file.count - count)
        let fingerprint: String
        do throws(CryptoFailure) { fingerprint = try SHA256.hexadecimal(of: file) } catch {
            throw .game("the word list \(name) cannot be used: \(error)")
        }
        let list = WordList(name: name, fingerprint: fingerprint, file: file)
        guard list.count > 0 else {
            throw .game(
                "the word list \(name) has no words (\(source.path)): it takes one a line, in "
                    + "small letters"
            )
        }
        return list
    }

    private static func failure(_ name: String, _ source: WordSource, code: Int32) -> RuleViolation
    {
        var text = [CChar](repeating: 0, count: 128)
        platform_error_text(code, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .game(
            "the word list \(name) cannot be opened: \(source.path): "
                + "\(String(decoding: bytes, as: UTF8.self)); \(source.advice)"
        )
    }
}
