import SyncProtocol

/// What the live view can show; Tab goes through those that come first.
enum LivePage: Hashable, Sendable {
    case table
    case chart
    case history
    case peers
    /// What was written differently, to be settled with a key.
    case conflicts
    /// What the keys do.
    case help
    /// What a command had to say.
    case answer([String])

    /// The pages through which Tab goes.
    static let all: [LivePage] = [.table, .chart, .history, .peers]

    /// What it is called.
    var name: String {
        switch self {
        case .table: "Table"
        case .chart: "Chart"
        case .history: "History"
        case .peers: "Peers"
        case .conflicts: "Conflicts"
        case .help: "Keys"
        case .answer: "Answer"
        }
    }

    /// The page after this one.
    var next: LivePage { after(1) }

    /// The page before this one.
    var previous: LivePage { after(LivePage.all.count - 1) }

    private func after(_ steps: Int) -> LivePage {
        let place = LivePage.all.firstIndex(of: self).map { $0 + steps } ?? 0
        return LivePage.all[place % LivePage.all.count]
    }
}
