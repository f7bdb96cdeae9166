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
        .init("write", "write on A to a watcher on B, alone and 64 in flight", PeerWrite.measure),
        .init("held", "a write next to many finished sessions", HeldSessions.measure),
        .init("pause", "a score a minute after the last one", ScoreAfterPause.measure),
        .init("watchers", "a write with eight watchers", Watchers.measure),
        .init("browsers", "a score on the pages of 200 browsers", Browsers.measure),
        .init("first-page", "the app's first page with all that it loads", FirstPage.measure),
        .init("rejoin", "rejoin after 10,000 missed writes", Rejoin.measure),
        .init("merge", "coding and merge of 100,000 cells", Merging.measure),
        .init("start", "start with 100,000 cells, and its memory", LargeStart.measure),
        .init("export", "export and import of 100,000 cells", Exporting.measure),
        .init("idle", "memory and processor time of idle daemons", IdleDaemons.measure),
        .init("show", "scorectl show on a warm daemon, start to exit", WarmShow.measure),
        .init(
            "replay",
            "a whole game of Othello, a scorectl play for each move",
            GameReplay.measure
        ),
        .init("cold", "start of a daemon to synced with a running peer", ColdStart.measure),
        .init(
            "reversi",
            "the bitboards and the computer player of Reversi",
            ReversiBenchmark.measure
        ),
        .init("score", "a score under formulas, among 100 to 10,000 cells", ScoreChange.measure),
        .init(
            "hostile",
            "a full session of the most expensive entries of each game",
            HostileGames.measure
        ),
    ]

    static func named(_ names: [String]) throws(BenchError) -> [Benchmark] {
        if let name = names.first(where: { name in !all.contains { $0.name == name } }) {
            let list = all.map(\.name).joined(separator: ", ")
            throw BenchError("no benchmark '\(name)'. Benchmarks: \(list)")
        }
        return all.filter { names.isEmpty || names.contains($0.name) }
    }
}
