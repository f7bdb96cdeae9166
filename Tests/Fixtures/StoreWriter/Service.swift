import FoundationEssentials
import SessionStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs commands on the store of a directory.
struct Service {
    private let directory: String
    private var writer: Writer
    private let leaver: Leaver
    private let store: SessionStore

    init(_ directory: String) throws(StoreError) {
        var generator = SystemRandomNumberGenerator()
        self.directory = directory
        store = try SessionStore(directory: directory, using: &generator)
        writer = try Writer(store)
        leaver = Leaver(store)
    }

    /// Runs the commands in standard input until it ends.
    static func run(on directory: String) {
        do throws(StoreError) {
            var service = try Service(directory)
            while let line = readLine() { service.run(line) }
        } catch {
            printLine("error \(error)")
        }
    }

    private mutating func run(_ line: String) {
        let words = line.split(separator: " ")
        let count = words.dropFirst().first.flatMap { Int($0) } ?? 0
        let ballast = directory + "/ballast"
        switch words.first {
        case "run":
            writer.write(.max, extraBytes: 0)
        case "write":
            writer.write(count, extraBytes: 0)
        case "bulk":
            writer.write(count, extraBytes: 64 << 10)
        case "read":
            writer.read()
        case "leave":
            leaver.leave()
        case "left":
            leaver.read()
        case "copy":
            copy(to: words.dropFirst().first.map(String.init) ?? directory + "/copy")
        case "copies":
            while true { copy(to: directory + "/copy") }
        case "ballast":
            let bytes = Data(count: count)
            let isMade = FileManager.default.createFile(atPath: ballast, contents: bytes)
            if !isMade { printLine("error no space for the ballast") }
        case "free":
            if unlink(ballast) != 0 { printLine("error no ballast") }
        default:
            printLine("error unknown command")
        }
    }
}

extension Service {
    /// Writes a backup, replacing an earlier one, and prints its number of entries.
    private func copy(to path: String) {
        do throws(StoreError) {
            printLine("copied \(try store.backUp(to: path, replacing: true).entries)")
        } catch {
            printLine("error \(error)")
        }
    }
}

/// Prints a line unbuffered, so that it is written even if the process is killed.
func printLine(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
        // A pipe accepts a short line completely; without a reader it is lost.
        _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
    }
}
