import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The commands of this program.
enum Probe {
    /// `capture FILE` or `flood BROADCAST SESSION TARGET…`, until standard input ends.
    static func run(_ words: [String]) {
        platform_ignore_broken_pipes()
        switch words.first {
        case "capture" where words.count == 2: Capture.run(into: words[1])
        case "flood" where words.count > 3:
            var flood = Flood(broadcast: words[1], session: words[2], targets: Array(words[3...]))
            flood.run()
        default: end(2, "lan-probe capture FILE | flood BROADCAST SESSION TARGET…")
        }
    }

    /// Ends the program with a reason.
    static func end(_ status: Int32, _ text: String) -> Never {
        print(text)
        fflush(nil)
        exit(status)
    }

    /// Says a line at once.
    static func report(_ line: String) {
        print(line)
        fflush(nil)
    }
}
