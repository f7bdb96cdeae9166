import ControlSocket
import SyncProtocol

/// The command-line options of the bench.
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

    init(_ arguments: [String]) throws(ControlError) {
        var reader = ArgumentReader(arguments)
        while let argument = try reader.next() {
            switch argument {
            case "--list": wish = .list
            case "--help", "-h": wish = .help
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--only": only.append(try reader.value())
            case "--samples": samples = try reader.number(in: 1...100_000)
            case "--idle-seconds": idleSeconds = try reader.number(in: 1...100_000)
            case "--directory": directory = try reader.value()
            default: throw reader.unknown(in: "scoresync-bench")
            }
        }
    }
}
