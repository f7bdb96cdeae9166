import CPlatform
import PeerTransport
import ScoreSheets

/// The file of a word list as it is now, which may be read on any queue.
struct WordFile: Hashable, Sendable {
    /// What the list is called.
    let name: String
    private let source: WordSource
    /// What tells the file from what it was, and from others.
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
        var status = platform_content()
        let result = platform_content_status(source.path, &status)
        guard result == 0 else { throw WordFile.failure(name, source, code: -result) }
        guard status.is_regular else {
            throw .game(.wordList(.notAFile(name, path: source.path)))
        }
        guard status.bytes <= largest else {
            throw .game(.wordList(.tooLong(name, path: source.path, mebibytes: largest >> 20)))
        }
        content = Content(bytes: status.bytes, changed: status.changed, number: status.number)
    }

    /// Whether both are one list in one place, whatever is in it.
    func isPlace(of other: WordFile) -> Bool { name == other.name && source == other.source }

    /// Reads the words: up to a second for the largest files.
    ///
    /// What is missing is said with what to install.
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
            throw .game(.wordList(.noFingerprint(name, reason: "\(error)")))
        }
        let list = WordList(name: name, fingerprint: fingerprint, file: file)
        guard list.count > 0 else { throw .game(.wordList(.noWords(name, path: source.path))) }
        return list
    }

    private static func failure(_ name: String, _ source: WordSource, code: Int32) -> RuleViolation
    {
        var text = [CChar](repeating: 0, count: 128)
        platform_error_text(code, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let reason = String(decoding: bytes, as: UTF8.self)
        return .game(
            .wordList(
                .unreadable(name, path: source.path, reason: reason, advice: source.advice)
            )
        )
    }
}
