/// Programs that run one after the other, as somebody types them.
struct CommandSeries {
    private let commands: [(path: String, words: [String])]

    /// The series of these programs with their arguments.
    init(_ commands: [(path: String, words: [String])]) {
        self.commands = commands
    }

    /// Runs them for a home, and says how long they took together, in seconds; fails with the first
    /// that fails.
    func time(in home: Home) throws -> Double {
        try Stopwatch.time {
            for (path, words) in commands {
                let child = try Child(path, words, home: home.path, log: home.path + "/bench.log")
                let status = try child.waitUntilEnded()
                guard status == 0 else { throw BenchError("\(path) ended with status \(status)") }
            }
        }
    }
}
