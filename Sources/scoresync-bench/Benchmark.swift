/// A benchmark: a name for the command line, and a function that measures.
struct Benchmark: Sendable {
    let name: String
    let summary: String
    let run: Run

    typealias Run = @Sendable (Stage) throws -> [Measurement]

    private init(_ name: String, _ summary: String, _ run: @escaping Run) {
        (self.name, self.summary, self.run) = (name, summary, run)
    }

    /// All benchmarks, in running order.
    static let all: [Benchmark] = [
        Benchmark(
            "write",
            "write on A to a watcher on B, alone and 64 in flight",
            PeerWrite.measure
        ),
        Benchmark("held", "a write next to many finished sessions", HeldSessions.measure),
        Benchmark("watchers", "a write with eight watchers", Watchers.measure),
        Benchmark("browsers", "a score on the pages of 200 browsers", Browsers.measure),
        Benchmark("rejoin", "rejoin after 10,000 missed writes", Rejoin.measure),
        Benchmark("merge", "coding and merge of 100,000 cells", Merging.measure),
        Benchmark("start", "start with 100,000 cells, and its memory", LargeStart.measure),
        Benchmark("export", "export and import of 100,000 cells", Exporting.measure),
        Benchmark("idle", "memory and processor time of idle daemons", IdleDaemons.measure),
        Benchmark("show", "scorectl show on a warm daemon, start to exit", WarmShow.measure),
        Benchmark(
            "replay",
            "a whole game of Othello, a scorectl play for each move",
            GameReplay.measure
        ),
        Benchmark("cold", "start of a daemon to synced with a running peer", ColdStart.measure),
        Benchmark(
            "reversi",
            "the bitboards and the computer player of Reversi",
            ReversiBenchmark.measure
        ),
        Benchmark(
            "score",
            "a score under formulas, among 100 to 10,000 cells",
            ScoreChange.measure
        ),
        Benchmark(
            "hostile",
            "a full session of the most expensive entries of each game",
            HostileGames.measure
        ),
    ]

    /// Returns the benchmarks of these names, or all.
    static func named(_ names: [String]) throws(BenchError) -> [Benchmark] {
        if let name = names.first(where: { name in !all.contains { $0.name == name } }) {
            let list = all.map(\.name).joined(separator: ", ")
            throw BenchError("no benchmark '\(name)'. Benchmarks: \(list)")
        }
        return all.filter { names.isEmpty || names.contains($0.name) }
    }
}
