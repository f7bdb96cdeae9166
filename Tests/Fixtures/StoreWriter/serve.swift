import FoundationEssentials
import SessionStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Obeys the commands of standard input on the store of a directory.
func serve(_ directory: String) {
    var generator = SystemRandomNumberGenerator()
    do throws(StoreError) {
        let store = try SessionStore(directory: directory, using: &generator)
        var writer = try Writer(store)
        while let line = readLine() { obey(line, with: &writer, in: directory) }
    } catch {
        say("error \(error)")
    }
}

private func obey(_ line: String, with writer: inout Writer, in directory: String) {
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
    case "ballast":
        let isMade = FileManager.default.createFile(atPath: ballast, contents: Data(count: count))
        if !isMade { say("error no room for the ballast") }
    case "free":
        if unlink(ballast) != 0 { say("error no ballast") }
    default:
        say("error unknown command")
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
