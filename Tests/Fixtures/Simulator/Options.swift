import SyncTestKit

/// The options of the simulator.
struct Options {
    /// The command.
    enum Task {
        /// Play so many seeds from the first.
        case campaign(first: UInt64, count: UInt64)
        /// Say what can be asked for.
        case help
        /// Show the history of a seed.
        case show(UInt64)
        /// Leave out of the history of a seed what its failure does not need.
        case shrink(History)
        /// Play a history from a file, and tell all that happens.
        case replay(History)
    }

    static let usage = """
        simulator [--seeds N] [--first N] [--jobs N] [--seconds N] [--until-red] [--cover]
        simulator --show SEED | --shrink SEED-OR-FILE | --replay SEED-OR-FILE
          --until-red  end with the first seed that fails, without shrinking it
          --cover      fail too when something that must be right never occurred
          --seconds    begin no more seeds after so long
        """

    private(set) var task = Task.campaign(first: 1, count: 200)
    private(set) var jobs: Int?
    private(set) var isUntilRed = false
    private(set) var mustCover = false
    private(set) var seconds: Double?

    /// The options of a command line; `read` gives the text of a file.
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
            guard let word = rest.popFirst() else { throw UsageError(text: "\(option) needs one") }
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
            default: throw UsageError(text: "\(option) is no option")
            }
        }
        if case .campaign = task { task = .campaign(first: first, count: count) }
    }
}

/// Why a command line is not understood.
struct UsageError: Error, CustomStringConvertible {
    let text: String
    var description: String { "simulator: \(text)\n\(Options.usage)" }
}
