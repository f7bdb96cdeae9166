package import Descriptors
internal import Dispatch
package import SessionCRDT

/// The store for who must not wait for a disk in the middle of something: each call comes back at
/// once, is done later, and its completion follows on the queue, in the order of the calls; only
/// what is prepared in pieces lets others go before it.
///
/// A score is written on the queue's own thread: two hops cost a commit more processor time than
/// all of its statements. What is ready when the turn comes has joined the batch. A batch that
/// takes long is written beside the queue, so that only what needs the disk waits for it, and that
/// not for all of it: its keys get their numbers before, a thousand at a time.
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
        /// What makes it shorter when it is done before, the next piece last; others have the
        /// store in between.
        var preparations: [@Sendable () -> Void] = []
    }

    /// A job that is done beside the queue, and belongs to that thread until it has left the group.
    private final class Away: @unchecked Sendable {
        let group = DispatchGroup()
        /// What is left of the job; nil where it is all of it.
        let rest: Job?
        /// What tells of it; there once the group has been left.
        var tell: @Sendable () -> Void = {}

        init(rest: Job?) { self.rest = rest }
    }

    /// How long nobody must have written before the log is folded in.
    private static let lull = Duration.seconds(1)
    /// The length of the log, in pages of 4 KiB, at which that is worth while.
    private static let longLog = 1_000
    /// The length at which it is done between two commits, however many come.
    package static let longestLog = 8_000
    /// From how many rows on a batch takes long; of a key that comes there are two or three.
    package static let longBatch = 500
    /// How many keys of a batch that takes long get their numbers at a time, before it.
    package static let keysAtOnce = 1_000

    private let store: SessionStore
    private let queue: EventQueue
    private var jobs: [Job] = []
    /// The job that has the store now, beside the queue.
    private var away: Away?
    /// Whether something was done since the last look at the log.
    private var isBusy = false
    private var isWatchingLog = false
    /// Where copies are written, one after the other, beside everything else.
    private let copying = DispatchQueue(label: "copies", qos: .utility)
    private let endOfCopies = CopyEnd()

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
        let rows = batches.reduce(0) { sum, one in
            sum + one.batch.journal.count + one.batch.inserted.count + one.batch.earlier.count
        }
        add(
            { store throws(StoreError) in try store.commit(batches, at: milliseconds) },
            isLong: rows >= StoreQueue.longBatch,
            preparations: batches.flatMap { preparations(of: $0.batch, in: $0.session) },
            completion: completion
        )
    }

    /// What gives the keys of a long batch their numbers, piece by piece.
    ///
    /// Where that fails the batch does too, and tells.
    private func preparations(of batch: Batch, in session: SessionID) -> [@Sendable () -> Void] {
        let count = batch.inserted.count
        guard count > StoreQueue.keysAtOnce else { return [] }
        return stride(from: 0, to: count, by: StoreQueue.keysAtOnce).map { start in
            { [self] in
                let piece = batch.inserted[start...].prefix(StoreQueue.keysAtOnce)
                try? store.number(piece.lazy.map(\.key), of: session)
            }
        }
    }

    /// Does something with the store; `body` must not let the store out.
    ///
    /// While something long is done, the queue goes on with all that does not need the store.
    package func perform<Success: Sendable>(
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Success,
        isLong: Bool = false,
        completion: @escaping @Sendable (Result<Success, StoreError>) -> Void
    ) {
        add(body, isLong: isLong, preparations: [], completion: completion)
    }

    private func add<Success: Sendable>(
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Success,
        isLong: Bool,
        preparations: [@Sendable () -> Void],
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
            jobs.append(Job(work: work, isLong: isLong, preparations: preparations.reversed()))
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

    /// Writes a copy to a file, of the store as it is after all that was asked for so far; see
    /// `CopyWriter`.
    package func copy(
        to path: String,
        replacing: Bool,
        completion: @escaping @Sendable (Result<CopyContent, StoreError>) -> Void
    ) {
        copy(
            { _, writer throws(StoreError) in
                try writer.write(to: path, replacing: replacing)
            },
            completion
        )
    }

    /// Keeps a copy beside the store, and removes what is too old then; see `CopyShelf`.
    package func keepCopy(
        at milliseconds: UInt64,
        completion: @escaping @Sendable (Result<KeptCopy, StoreError>) -> Void
    ) {
        copy(
            { files, writer throws(StoreError) in
                try CopyShelf(home: files.directory).keep(
                    writer,
                    because: .weekly,
                    at: milliseconds,
                    needing: files.databaseBytes
                )
            },
            completion
        )
    }

    /// Copies by a connection of its own, which reads the store as it is at one moment and keeps
    /// nobody from writing.
    private func copy<Success: Sendable>(
        _ work: @escaping @Sendable (StoreFiles, CopyWriter) throws(StoreError) -> Success,
        _ completion: @escaping @Sendable (Result<Success, StoreError>) -> Void
    ) {
        perform { store throws(StoreError) in
            guard store.isInPlace else { throw store.lost }
            return store.files
        } completion: { [self] place in
            copying.async { [queue, endOfCopies] in
                let result = Result { () throws(StoreError) in
                    let files = try place.get()
                    return try work(files, files.copyWriter(until: endOfCopies))
                }
                queue.async { completion(result) }
            }
        }
    }

    /// Does everything that was asked for so far, before the program ends, and leaves one file that
    /// may be copied alone; on the queue.
    ///
    /// The completions come afterwards.
    package func finish() {
        queue.requireCurrent()
        // What is copied then would be one moment older than it could be; half a copy is removed.
        endOfCopies.come()
        copying.sync {}
        if let away {
            away.group.wait()
            self.away = nil
            queue.async(away.tell)
            if let rest = away.rest { jobs.append(rest) }
        }
        // A batch gives its keys what numbers they have yet to get.
        for job in jobs { queue.async(job.work()) }
        jobs = []
        store.foldLog()
    }

    private func onQueue(_ body: @escaping @Sendable () -> Void) {
        if queue.isCurrent { body() } else { queue.async(body) }
    }

    private func doNext() {
        guard away == nil, !jobs.isEmpty else { return }
        var job = jobs.removeFirst()
        if let prepare = job.preparations.popLast() {
            return doBeside(leaving: job) {
                prepare()
                return {}
            }
        }
        if job.isLong { return doBeside(job.work) }
        told(job.work())
    }

    private func told(_ tell: @Sendable () -> Void) {
        tell()
        isBusy = true
        watchLog()
    }

    private func doBeside(leaving rest: Job? = nil, _ work: @escaping Work) {
        let away = Away(rest: rest)
        self.away = away
        DispatchQueue.global(qos: .userInitiated).async(group: away.group) { [queue] in
            away.tell = work()
            queue.async { [self] in comeBack(away) }
        }
    }

    private func comeBack(_ job: Away) {
        guard away === job else { return }
        away = nil
        if let rest = job.rest { jobs.append(rest) }
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
