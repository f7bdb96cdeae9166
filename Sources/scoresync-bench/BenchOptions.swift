/// What the program was told on its command line.
struct BenchOptions {
    /// What to do.
    enum Wish {
        case measure
        case list
        case help
    }

    var wish = Wish.measure
    /// The names of the benchmarks to run; all when empty.
    var only: [String] = []
    /// How often each is measured; nil is each one's own choice.
    var samples: Int?
    /// Whether the result is one JSON object.
    var isJSON = false
    /// Where the homes of the daemons are made; nil is beside this program.
    var directory: String?
    /// How long idle daemons are looked at, in seconds.
    var idleSeconds = 20
    /// Whether a look at everything is enough: few samples, and less of what is slow to set up.
    var isQuick = false

    static let help = """
        scoresync-bench – measures ScoreSync on this machine

        Usage: scoresync-bench [--list] [--only NAME]… [--quick] [--samples N]
                               [--idle-seconds N] [--directory DIR] [--json]

          --list             list the benchmarks
          --only NAME        run this one only; may be repeated
          --quick            few samples and less to set up, in under a minute
          --samples N        measure everything so often (else each as often as it needs)
          --idle-seconds N   how long idle daemons are looked at (20)
          --directory DIR    where temporary homes are made; the disk of this directory is
                             what is measured (else the directory of this program)
          --json             print one JSON object
          --help             print this

        The daemon and the command line are taken from the directory of this program. Exit
        status: 0 measured, targets met or not · 1 failed · 2 wrong usage.

        """

    /// Reads the words after the program's name.
    init(_ words: [String]) throws(BenchError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            func value() throws(BenchError) -> String {
                guard let next = rest.popFirst() else { throw BenchError("\(word) needs a value") }
                return next
            }
            func count() throws(BenchError) -> Int {
                let text = try value()
                guard let count = Int(text), (1...100_000).contains(count) else {
                    throw BenchError("\(word) takes a number from 1 to 100000, not “\(text)”")
                }
                return count
            }
            switch word {
            case "--list": wish = .list
            case "--help", "-h": wish = .help
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--only": only.append(try value())
            case "--samples": samples = try count()
            case "--idle-seconds": idleSeconds = try count()
            case "--directory": directory = try value()
            default: throw BenchError("there is no option \(word); try scoresync-bench --help")
            }
        }
    }
}
