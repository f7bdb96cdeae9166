package import Descriptors
internal import Dispatch
package import SessionCRDT

/// The store for who must not wait for a disk in the middle of something: each call comes back at
/// once, is done in a later turn of the caller's own queue, and its completion follows, in the
/// order of the calls.
///
/// There is no second thread: two hops cost each commit more processor time than all of its
/// statements, and meanwhile a daemon has nothing to do that a commit would not hold up anyway.
/// What is ready when the turn comes has joined the batch.
///
/// `@unchecked Sendable` because everything here is only touched on `queue`, which is serial;
/// nobody else has the store, since it was sent here.
package final class StoreQueue: @unchecked Sendable {
    /// Does something with the store, and returns what tells of it.
    private typealias Job = () -> @Sendable () -> Void

    /// How long nobody must have written before the log is folded in.
    private static let lull = Duration.seconds(1)
    /// The length of the log, in pages of 4 KiB, at which that is worth while.
    private static let longLog = 1_000
    /// The length at which it is done between two commits, however many come.
    package static let longestLog = 8_000

    private let store: SessionStore
    private let queue: EventQueue
    private var jobs: [Job] = []
    /// Whether something was done since the last look at the log.
    private var isBusy = false
    private var isWatchingLog = false

    /// The store of a queue, which is serial; everything runs on it.
    package init(_ store: sending SessionStore, deliveringOn queue: EventQueue) {
        self.store = store
        self.queue = queue
    }

    /// Writes the batches down, all or none; see `SessionStore.commit`.
    package func commit(
        _ batches: [(session: SessionID, batch: Batch)],
        at milliseconds: UInt64,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        perform(
            { store throws(StoreError) in try store.commit(batches, at: milliseconds) },
            completion: completion
        )
    }

    /// Does something with the store; `body` must not let the store out.
    package func perform<Success: Sendable>(
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Success,
        completion: @escaping @Sendable (Result<Success, StoreError>) -> Void
    ) {
        onQueue { [self] in
            jobs.append { [self] in
                let result: Result<Success, StoreError>
                do throws(StoreError) {
                    result = .success(try body(store))
                } catch {
                    result = .failure(error)
                }
                return { completion(result) }
            }
            queue.async { [self] in doNext() }
        }
    }

    /// Looks a database through that is too large for it when it is opened, beside everything else,
    /// and tells what is wrong with it, or nil.
    package func lookThrough(_ tell: @escaping @Sendable (StoreError?) -> Void) {
        guard store.files.databaseBytes > SessionStore.checkedBytes else { return }
        let path = store.files.database
        DispatchQueue.global(qos: .utility).async { [queue] in
            var finding: StoreError?
            do throws(StoreError) {
                let connection = try Connection(path: path)
                // The log is the store's, and by then perhaps that of another database.
                try connection.keepLogOnClose(true)
                try SessionStore.checkPages(connection, upTo: .max)
            } catch {
                finding = error
            }
            queue.async { [finding] in tell(finding) }
        }
    }

    /// Does everything that was asked for so far, before the program ends, and leaves one file that
    /// may be copied alone; on the queue.
    ///
    /// The completions come afterwards.
    package func finish() {
        queue.requireCurrent()
        for job in jobs { queue.async(job()) }
        jobs = []
        store.foldLog()
    }

    private func onQueue(_ body: @escaping @Sendable () -> Void) {
        if queue.isCurrent { body() } else { queue.async(body) }
    }

    private func doNext() {
        guard !jobs.isEmpty else { return }
        let tell = jobs.removeFirst()()
        tell()
        isBusy = true
        watchLog()
    }

    // MARK: The log

    /// Has the log folded in once nobody writes, or before it grows out of bounds.
    private func watchLog() {
        if store.logPages >= StoreQueue.longestLog {
            queue.async { [self] in foldIfLong(StoreQueue.longestLog) }
        }
        guard !isWatchingLog, store.logPages >= StoreQueue.longLog else { return }
        isWatchingLog = true
        isBusy = false
        queue.async(after: StoreQueue.lull) { [weak self] in self?.look() }
    }

    private func look() {
        isWatchingLog = false
        if isBusy { watchLog() } else { foldIfLong(StoreQueue.longLog) }
    }

    private func foldIfLong(_ pages: Int) {
        if store.logPages >= pages { store.checkpoint() }
    }
}
