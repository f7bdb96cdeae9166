import CPlatform
import ControlSocket
import ScoreSheets
import SyncProtocol

/// A file with a sheet, or standard input, which is called `-`.
struct SheetFile {
    /// The word that names it, as a shell takes it.
    let word: String
    /// What messages call it.
    let name: String
    /// What it says.
    let text: String

    /// Reads what a word of the command line names.
    init(_ word: String, _ console: Console) throws(ControlError) {
        self.word = ShellWord.quoted(word)
        name = word == "-" ? "standard input" : word
        let bytes = try word == "-" ? SheetFile.input(console) : SheetFile.content(of: word)
        guard bytes.count <= Sheet.longest else {
            let most = Sheet.longest / 1024
            throw ControlError(.failed, "\(name) is longer than a sheet may be (\(most) KiB)")
        }
        // Editors begin texts with a mark that is no JSON, and that must not travel.
        let content = bytes.trimmingPrefix(SheetFile.mark)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ControlError(.failed, "\(name) is not a text in UTF-8")
        }
        self.text = text
    }

    /// What is wrong with the sheet, a line each as compilers write it.
    func lines(_ problems: [SheetProblem]) -> [Line] {
        problems.map { problem in
            let place = Line("\(name):\(problem.line):\(problem.column): ", .strong)
            let field = problem.path.isEmpty ? "" : problem.path + ": "
            return place + Line(field + problem.reason)
        }
    }

    // MARK: Reading

    /// The byte order mark in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// One byte more than a sheet may have says that it is too long.
    private static let enough = Sheet.longest + 1

    private static func input(_ console: Console) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < enough, let line = console.readLine() {
            bytes += Array((line + "\n").utf8)
        }
        return bytes
    }

    private static func content(of path: String) throws(ControlError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: enough)
        while bytes.count < enough {
            let read = platform_read_file(path, Int64(bytes.count), &piece, piece.count)
            guard read >= 0 else {
                let error = ControlSocketError.system("read \(path)", code: Int32(-read))
                let other = path + ".json"
                let isThere = platform_read_file(other, 0, &piece, 1) >= 0
                let hint = isThere ? "; did you mean \(other)?" : ""
                throw ControlError(.failed, "\(error)" + hint)
            }
            guard read > 0 else { break }
            bytes += piece.prefix(read)
        }
        return bytes
    }
}
