internal import Synchronization

/// The end of all copying, which one thread says and another one hears.
final class CopyEnd: Sendable {
    private let isSaid = Atomic<Bool>(false)

    /// Whether copies are to be given up.
    var hasCome: Bool { isSaid.load(ordering: .acquiring) }

    /// Has copies given up, the one that is being written too.
    func come() { isSaid.store(true, ordering: .releasing) }
}
