import SyncProtocol

/// The score sheet of a watcher, kept up to date by what the daemon tells.
struct LiveSheet: Hashable, Sendable {
    /// The sheet now; nil before the first snapshot.
    private(set) var show: ShowReply?
    private var sequence = 0

    /// Takes in what is told.
    ///
    /// - Throws: `failed` when something was left out before a change.
    mutating func apply(_ event: WatchEvent) throws(ControlError) {
        switch event.news {
        case .snapshot(let whole): show = whole
        case .change(let change):
            guard show != nil, event.seq == sequence + 1 else {
                let text = "the daemon told change \(event.seq) after \(sequence); watch again"
                throw ControlError(.failed, text)
            }
            show?.apply(change)
        }
        sequence = event.seq
    }
}
