/// Something to measure: its name for the command line, what it is in words, and how.
struct Benchmark: Sendable {
    let name: String
    let summary: String
    /// Whether it is run only where it is asked for by name.
    var isOptional = false
    let run: @Sendable (Stage) throws -> [Measurement]

    /// All benchmarks, in the order of running.
    static let all: [Benchmark] = [
        Benchmark(name: "write", summary: "write on A to a watcher on B, alone and 64 in flight") {
            try PeerWrite.measure(on: $0)
        },
        Benchmark(name: "held", summary: "a write beside many sessions that are over") {
            try HeldSessions.measure(on: $0)
        },
        Benchmark(name: "watchers", summary: "a write that eight watch") {
            try Audience.measure(on: $0)
        },
        Benchmark(name: "browsers", summary: "a score that 200 browsers see") {
            try Browsers.measure(on: $0)
        },
        Benchmark(name: "rejoin", summary: "rejoin after 10,000 missed writes") {
            try Rejoin.measure(on: $0)
        },
        Benchmark(name: "merge", summary: "coding and merge of 100,000 cells") {
            try Merging.measure(on: $0)
        },
        Benchmark(name: "start", summary: "start with 100,000 cells, and the memory they need") {
            try BigStart.measure(on: $0)
        },
        Benchmark(name: "export", summary: "export and import of 100,000 cells") {
            try Exporting.measure(on: $0)
        },
        Benchmark(name: "idle", summary: "memory and processor time of idle daemons") {
            try IdleFleet.measure(on: $0)
        },
        Benchmark(name: "show", summary: "scorectl show on a warm daemon, start to exit") {
            try WarmShow.measure(on: $0)
        },
        Benchmark(name: "replay", summary: "a whole game of Othello, a scorectl play a move") {
            try GameReplay.measure(on: $0)
        },
        Benchmark(name: "cold", summary: "start of a daemon to synced with a running peer") {
            try ColdStart.measure(on: $0)
        },
        Benchmark(name: "reversi", summary: "the bitboards and the computer player of Reversi") {
            try BoardSearch.measure(on: $0)
        },
        Benchmark(name: "score", summary: "a score under formulas, among 100 to 10,000 cells") {
            try ScoreChange.measure(on: $0)
        },
        Benchmark(name: "hostile", summary: "a full session of the worst entries of each game") {
            try HostileGames.measure(on: $0)
        },
        Benchmark(name: "peers", summary: "other stores, where installed", isOptional: true) {
            try OtherStores.measure(on: $0)
        },
    ]

    /// The benchmarks of these names, or all that are not optional.
    static func chosen(_ names: [String]) throws(BenchError) -> [Benchmark] {
        let known = Set(all.map(\.name))
        if let stranger = names.first(where: { !known.contains($0) }) {
            let list = all.map(\.name).joined(separator: ", ")
            throw BenchError("there is no benchmark \(stranger); there are: \(list)")
        }
        return names.isEmpty
            ? all.filter { !$0.isOptional } : all.filter { names.contains($0.name) }
    }
}
