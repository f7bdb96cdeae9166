package import Descriptors
internal import Dispatch
package import SessionCRDT

/// The store for who must not wait for a disk in the middle of something: each call comes back at
/// once, is done later, and its completion follows on the queue, in the order of the calls.
///
/// A score is written on the queue's own thread: two hops cost a commit more processor time than
/// all of its statements. What is ready when the turn comes has joined the batch. A batch that
/// takes long is written beside the queue, so that only what needs the disk waits for it.
///
/// `@unchecked Sendable` because everything here is only touched on `queue`, which is serial, but
/// for the store while a job is `away`: then only that has it. Nobody else has the store, since it
/// was sent here.
package final class StoreQueue: @unchecked Sendable {
    /// Does something with the store, and returns what tells of it.
    private typealias Work = @Sendable () -> @Sendable () -> Void

    /// Something to do with the store.
    private struct Job {
        let work: Work
        /// Whether it takes so long that the queue goes on meanwhile.
        let isLong: Bool
    }

    /// A job that is done beside the queue, and belongs to that thread until it has left the group.
    private final class Away: @unchecked Sendable {
        let group = DispatchGroup()
        /// What tells of it; there once the group has been left.
        var tell: @Sendable () -> Void = {}
    }

    /// How long nobody must have written before the log is folded in.
    private static let lull = Duration.seconds(1)
    /// The length of the log, in pages of 4 KiB, at which that is worth while.
    private static let longLog = 1_000
    /// The length at which it is done between two commits, however many come.
    package static let longestLog = 8_000
    /// From how many rows on a batch takes long; of a key that comes there are two or three.
    package static let longBatch = 500

    private let store: SessionStore
    private let queue: EventQueue
    private var jobs: [Job] = []
    /// The job that has the store now, beside the queue.
    private var away: Away?
    /// Whether something was done since the last look at the log.
    private var isBusy = false
    private var isWatchingLog = false

    /// The store of a queue, which is serial; all but what takes long runs on it.
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
        let rows = batches.reduce(0) { $0 + $1.batch.journal.count + $1.batch.inserted.count }
        perform(
            { store throws(StoreError) in try store.commit(batches, at: milliseconds) },
            isLong: rows >= StoreQueue.longBatch,
            completion: completion
        )
    }

    /// Does something with the store; `body` must not let the store out.
    ///
    /// While something long is done, the queue goes on with all that does not need the store.
    package func perform<Success: Sendable>(
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Success,
        isLong: Bool = false,
        completion: @escaping @Sendable (Result<Success, StoreError>) -> Void
    ) {
        onQueue { [self] in
            let work: Work = { [self] in
                let result: Result<Success, StoreError>
                do throws(StoreError) {
                    result = .success(try body(store))
                } catch {
                    result = .failure(error)
                }
                return { completion(result) }
            }
            jobs.append(Job(work: work, isLong: isLong))
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
        if let away {
            away.group.wait()
            self.away = nil
            queue.async(away.tell)
        }
        for job in jobs { queue.async(job.work()) }
        jobs = []
        store.foldLog()
    }

    private func onQueue(_ body: @escaping @Sendable () -> Void) {
        if queue.isCurrent { body() } else { queue.async(body) }
    }

    private func doNext() {
        guard away == nil, !jobs.isEmpty else { return }
        let job = jobs.removeFirst()
        if job.isLong { return doBeside(job) }
        told(job.work())
    }

    private func told(_ tell: @Sendable () -> Void) {
        tell()
        isBusy = true
        watchLog()
    }

    private func doBeside(_ job: Job) {
        let away = Away()
        self.away = away
        DispatchQueue.global(qos: .userInitiated).async(group: away.group) { [queue] in
            away.tell = job.work()
            queue.async { [self] in comeBack(away) }
        }
    }

    private func comeBack(_ job: Away) {
        guard away === job else { return }
        away = nil
        told(job.tell)
        // What has come meanwhile found the store away.
        for _ in jobs { queue.async { [self] in doNext() } }
    }

    // MARK: The log

    /// Has the log folded in once nobody writes, or before it grows out of bounds.
    private func watchLog() {
        guard away == nil else { return }
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
        if isBusy || away != nil { watchLog() } else { foldIfLong(StoreQueue.longLog) }
    }

    private func foldIfLong(_ pages: Int) {
        // Who has the store now looks at the log afterwards.
        if away == nil, store.logPages >= pages { store.checkpoint() }
    }
}
