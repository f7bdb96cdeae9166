import FoundationEssentials
import SessionStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Obeys commands on the store of a directory.
struct Service {
    private let directory: String
    private var writer: Writer
    private let leaver: Leaver
    private let store: SessionStore

    /// Opens the store.
    init(_ directory: String) throws(StoreError) {
        var generator = SystemRandomNumberGenerator()
        self.directory = directory
        store = try SessionStore(directory: directory, using: &generator)
        writer = try Writer(store)
        leaver = Leaver(store)
    }

    /// Obeys the commands of standard input until it ends.
    static func run(on directory: String) {
        do throws(StoreError) {
            var service = try Service(directory)
            while let line = readLine() { service.obey(line) }
        } catch {
            say("error \(error)")
        }
    }

    private mutating func obey(_ line: String) {
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
            if !isMade { say("error no room for the ballast") }
        case "free":
            if unlink(ballast) != 0 { say("error no ballast") }
        default:
            say("error unknown command")
        }
    }
}

extension Service {
    /// Writes a copy, in place of the one before; says how many entries are in it.
    private func copy(to path: String) {
        do throws(StoreError) {
            say("copied \(try store.copy(to: path, replacing: true).entries)")
        } catch {
            say("error \(error)")
        }
    }
}

/// Says a line at once, so that what was said is out when the process is killed.
func say(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
        // A pipe takes a line this short whole; when nobody listens there is nothing to be done.
        _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
    }
}
