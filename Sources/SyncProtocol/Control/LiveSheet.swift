/// The score sheet of a watcher, kept up to date by what the daemon tells.
package struct LiveSheet: Hashable, Sendable {
    /// The sheet now; nil before the first snapshot.
    package private(set) var show: ShowReply?
    private var sequence = 0

    /// A change was told, and not the one before it: the sheet is to be asked for anew.
    package static let leftOut = ControlError(.failed, "the daemon left out a change; watch again")

    /// A sheet of which nothing was told yet.
    package init() {}

    /// Takes in what is told.
    ///
    /// - Throws: ``leftOut`` when something was left out before a change.
    package mutating func apply(_ event: WatchEvent) throws(ControlError) {
        switch event.news {
        case .snapshot(let whole): show = whole
        case .change(let change):
            guard show != nil, event.seq == sequence + 1 else {
                throw LiveSheet.leftOut
            }
            show?.apply(change)
        }
        sequence = event.seq
    }
}
