package enum Versions {
    package static let program = "0.1.0"
    /// The versions of the peer protocol.
    package static let peer = 1...1
    /// The versions of the control interface.
    ///
    /// Only one is supported, because `scorectl` and `scoresyncd` are installed together. Version 1
    /// sent watchers the whole sheet after every change; version 2 had neither the rules nor the
    /// next game in a sheet.
    package static let control = 3...3
    /// The versions of the control interface with the same `daemon.stop`, so that a daemon that was
    /// started before an update can be stopped after it.
    package static let stopping = 1...3

    /// Returns the highest version common to both ranges; nil if there is none.
    package static func common(_ ours: ClosedRange<Int>, _ theirs: ClosedRange<Int>) -> Int? {
        let highest = min(ours.upperBound, theirs.upperBound)
        return highest >= max(ours.lowerBound, theirs.lowerBound) ? highest : nil
    }
}
