/// The versions that this program speaks.
package enum Versions {
    /// The program's own version.
    package static let program = "0.1.0"
    /// The peer protocol, lowest to highest.
    package static let peer = 1...1
    /// The control interface, lowest to highest.
    ///
    /// One version, because `scorectl` and `scoresyncd` are installed together. In version 1 a
    /// watcher was sent the whole sheet after every change; in version 2 a sheet did not say what
    /// computes the game, nor where the evening goes on.
    package static let control = 3...3
    /// The versions of the control interface in which `daemon.stop` is the same call: a daemon that
    /// was started before an update can be stopped after it.
    package static let stopping = 1...3

    /// The highest version common to both ranges; nil when there is none.
    package static func common(_ ours: ClosedRange<Int>, _ theirs: ClosedRange<Int>) -> Int? {
        let highest = min(ours.upperBound, theirs.upperBound)
        return highest >= max(ours.lowerBound, theirs.lowerBound) ? highest : nil
    }
}
