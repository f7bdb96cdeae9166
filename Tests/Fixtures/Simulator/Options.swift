import SyncTestKit

/// The options of the simulator.
struct Options {
    /// The command.
    enum Task {
        /// Plays so many seeds from the first.
        case campaign(first: UInt64, count: UInt64)
        case help
        /// Prints the history of a seed.
        case show(UInt64)
        /// Shrinks a failing history.
        case shrink(History)
        /// Plays a history and prints its trace.
        case replay(History)
    }

    static let usage = """
        simulator [--seeds N] [--first N] [--jobs N] [--seconds N] [--until-red] [--cover]
        simulator --show SEED | --shrink SEED-OR-FILE | --replay SEED-OR-FILE
          --until-red  stop at the first seed that fails, without shrinking it
          --cover      also fail if a mark never occurred
          --seconds    start no more seeds after that time
        """

    private(set) var task = Task.campaign(first: 1, count: 200)
    private(set) var jobs: Int?
    private(set) var isUntilRed = false
    private(set) var mustCover = false
    private(set) var seconds: Double?

    /// Parses a command line; `read` returns the text of a file.
    init(_ arguments: [String], read: (String) throws -> String) throws {
        var rest = arguments[...]
        var (first, count): (UInt64, UInt64) = (1, 200)
        func number(_ option: String) throws -> UInt64 {
            guard let word = rest.popFirst(), let number = UInt64(word) else {
                throw UsageError(text: "\(option) needs a number")
            }
            return number
        }
        func history(_ option: String) throws -> History {
            guard let word = rest.popFirst() else {
                throw UsageError(text: "\(option) needs a seed or file")
            }
            guard let seed = UInt64(word) else { return try History(lines: try read(word)) }
            return History.random(seed: seed)
        }
        while let option = rest.popFirst() {
            switch option {
            case "--seeds": count = try number(option)
            case "--first": first = try number(option)
            case "--jobs": jobs = Int(try number(option))
            case "--until-red": isUntilRed = true
            case "--cover": mustCover = true
            case "--seconds": seconds = Double(try number(option))
            case "--show": task = .show(try number(option))
            case "--shrink": task = .shrink(try history(option))
            case "--replay": task = .replay(try history(option))
            case "--help": task = .help
            default: throw UsageError(text: "unknown option \(option)")
            }
        }
        if case .campaign = task { task = .campaign(first: first, count: count) }
    }
}

/// An invalid command line.
struct UsageError: Error, CustomStringConvertible {
    let text: String
    var description: String { "simulator: \(text)\n\(Options.usage)" }
}
