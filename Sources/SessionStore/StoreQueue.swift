package import Descriptors
internal import Dispatch
package import SessionCRDT
internal import Synchronization

/// Runs the operations of a `SessionStore` asynchronously, one at a time in the order of the calls,
/// and calls their completions on the event queue.
///
/// A score is committed on the event queue's own thread, because two thread switches cost more
/// processor time than all its statements. Long operations run on another thread, so that only
/// callers of the store wait for them. A long batch blocks the store only while it is committed:
/// before that, its keys get row numbers, a thousand at a time, with other operations in between.
///
/// While there is a `background` job, the store belongs to the other thread. The mutex is never
/// contended; it lets the compiler check that.
@EventLoop
package final class StoreQueue {
    /// An operation that runs and returns a call of its completion.
    private typealias Work = @Sendable () -> EventQueue.Job

    private struct Job {
        let work: Work
        /// Whether the job runs on another thread.
        let isLong: Bool
        /// Preparatory work that makes the job shorter; the next piece is the last element.
        var preparations: [Work] = []
    }

    private final class BackgroundJob: Sendable {
        let group = DispatchGroup()
        /// The job that continues after this one; nil if nothing remains.
        let remainder: Job?
        /// The call of the completion; set before the dispatch group is left.
        let completion = Mutex<EventQueue.Job>({})

        init(remainder: Job?) { self.remainder = remainder }
    }

    /// The time without writes after which the log is checkpointed.
    private static let idleTime = Duration.seconds(2)
    /// The time from a commit until the last known state is saved.
    private static let stateDelay = Duration.milliseconds(500)
    /// The length of the log, in pages of 4 KiB, from which it is checkpointed between two commits.
    package nonisolated static let maxLogPages = 8_000
    /// The number of rows from which a batch is long; each key of a new session takes two or three.
    package nonisolated static let longBatchRows = 500
    /// The number of keys of a long batch that get row numbers at once.
    package nonisolated static let keysPerPiece = 1_000

    private let store: Mutex<SessionStore>
    private let files: StoreFiles
    private let queue: EventQueue
    private var jobs: [Job] = []
    private var background: BackgroundJob?
    /// Whether any job has run since the checkpoint timer was started.
    private var isBusy = false
    private var isCheckpointScheduled = false
    private var isStateSaveScheduled = false
    private let longJobs = WorkerThread()
    private let backups = WorkerThread()
    private let checks = WorkerThread()
    private let backupCancellation = CancellationFlag()

    package nonisolated init(_ store: sending SessionStore, deliveringOn queue: EventQueue) {
        (files, self.queue) = (store.files, queue)
        self.store = Mutex(store)
    }

    /// Commits batches in one transaction; see `SessionStore.commit`.
    package func commit(
        _ batches: [(session: SessionID, batch: Batch)],
        at milliseconds: UInt64,
        completion: @escaping @EventLoop (Result<Void, StoreError>) -> Void
    ) {
        let rows = batches.reduce(0) { sum, one in
            sum + one.batch.journal.count + one.batch.inserted.count + one.batch.earlier.count
        }
        submit(
            { store throws(StoreError) in try store.commit(batches, at: milliseconds) },
            isLong: rows >= StoreQueue.longBatchRows,
            after: batches.flatMap { preparations(of: $0.batch, in: $0.session) },
            completion
        )
    }

    /// Returns the pieces of work that number the keys of a long batch; the commit repeats their
    /// errors.
    private func preparations(of batch: Batch, in session: SessionID) -> [Work] {
        let count = batch.inserted.count
        guard count > StoreQueue.keysPerPiece else { return [] }
        return stride(from: 0, to: count, by: StoreQueue.keysPerPiece).map { start in
            { [self] in
                let piece = batch.inserted[start...].prefix(StoreQueue.keysPerPiece)
                store.withLock { try? $0.number(piece.lazy.map(\.key), of: session) }
                return {}
            }
        }
    }

    /// Runs an operation, on another thread if it is long; `body` must not keep the store.
    package func perform<Success: Sendable>(
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Success,
        isLong: Bool = false,
        completion: @escaping @EventLoop (Result<Success, StoreError>) -> Void
    ) {
        submit(body, isLong: isLong, after: [], completion)
    }

    private func submit<Success: Sendable>(
        _ body: @escaping @Sendable (SessionStore) throws(StoreError) -> Success,
        isLong: Bool,
        after preparations: [Work],
        _ completion: @escaping @EventLoop (Result<Success, StoreError>) -> Void
    ) {
        let work: Work = { [self] in
            let result = Result { () throws(StoreError) in
                try store.withLock { store throws(StoreError) in try body(store) }
            }
            return { completion(result) }
        }
        jobs.append(Job(work: work, isLong: isLong, preparations: preparations.reversed()))
        queue.atEndOfTurn { [self] in runNext() }
    }

    /// Checks a database in the background if it was too large to be checked when it was opened.
    package func checkInBackground(completion: @escaping @EventLoop (StoreError?) -> Void) {
        guard files.databaseBytes > SessionStore.maxCheckedBytes else { return }
        let path = files.database
        checks.async { [queue] in
            var finding: StoreError?
            do throws(StoreError) {
                let connection = try Connection(path: path)
                // The log belongs to the store or, after a replacement, to another database.
                try connection.keepLogOnClose(true)
                try SessionStore.checkPages(connection, upTo: .max)
            } catch {
                finding = error
            }
            queue.async { [finding] in completion(finding) }
        }
    }

    /// Writes a backup of the store, including all earlier calls, to a file; see `BackupWriter`.
    package func backUp(
        to path: String,
        replacing: Bool,
        completion: @escaping @EventLoop (Result<BackupContents, StoreError>) -> Void
    ) {
        backUp(completion) { writer throws(StoreError) in
            try writer.write(to: path, replacing: replacing)
        }
    }

    /// Writes a weekly backup; see `BackupDirectory`.
    package func addWeeklyBackup(
        at milliseconds: UInt64,
        completion: @escaping @EventLoop (Result<Backup, StoreError>) -> Void
    ) {
        backUp(completion) { [files] writer throws(StoreError) in
            try BackupDirectory(home: files.directory).add(
                writer,
                because: .weekly,
                at: milliseconds,
                requiring: files.databaseBytes
            )
        }
    }

    /// Backs up through a separate connection, which reads a snapshot and blocks no writer.
    private func backUp<Success: Sendable>(
        _ completion: @escaping @EventLoop (Result<Success, StoreError>) -> Void,
        _ work: @escaping @Sendable (BackupWriter) throws(StoreError) -> Success
    ) {
        perform { store throws(StoreError) in
            guard store.filesAreCurrent else { throw store.movedError }
        } completion: { [self] filesAreCurrent in
            backups.async { [files, queue, backupCancellation] in
                let result = Result { () throws(StoreError) in
                    try filesAreCurrent.get()
                    return try work(files.backupWriter(backupCancellation))
                }
                queue.async { completion(result) }
            }
        }
    }

    /// Finishes all operations before the program ends, and leaves the database in one file; the
    /// completions are called afterwards.
    package func finish() {
        backupCancellation.cancel()
        let backupsEnded = DispatchSemaphore(value: 0)
        backups.async { backupsEnded.signal() }
        backupsEnded.wait()
        if let background {
            background.group.wait()
            self.background = nil
            queue.async(background.completion.withLock(\.self))
            if let remainder = background.remainder { jobs.append(remainder) }
        }
        // Preparations are skipped: a commit numbers the keys that have no row number yet.
        for job in jobs { queue.async(job.work()) }
        jobs = []
        store.withLock {
            $0.saveLastKnownState()
            $0.truncateLog()
        }
    }

    private func runNext() {
        guard background == nil, !jobs.isEmpty else { return }
        var job = jobs.removeFirst()
        if let prepare = job.preparations.popLast() {
            runInBackground(prepare, before: job)
        } else if job.isLong {
            runInBackground(job.work)
        } else {
            complete(job.work())
        }
    }

    private func complete(_ completion: EventQueue.Job) {
        completion()
        isBusy = true
        scheduleCheckpoint()
        scheduleStateSave()
    }

    private func runInBackground(_ work: @escaping Work, before remainder: Job? = nil) {
        let job = BackgroundJob(remainder: remainder)
        background = job
        job.group.enter()
        longJobs.async { [queue] in
            let completion = work()
            job.completion.withLock { $0 = completion }
            job.group.leave()
            queue.async { [self] in didRun(job) }
        }
    }

    private func didRun(_ job: BackgroundJob) {
        // The result is ignored after `finish`.
        guard background === job else { return }
        background = nil
        if let remainder = job.remainder { jobs.append(remainder) }
        complete(job.completion.withLock(\.self))
        // These jobs could not start in their turn, because the store was in use.
        for _ in jobs { queue.async { [self] in runNext() } }
    }

    /// Checkpoints the log when the queue is idle, or at once if the log must not grow further.
    private func scheduleCheckpoint() {
        guard background == nil else { return }
        let pages = logPages
        if pages >= StoreQueue.maxLogPages { queue.async { [self] in shortenLog() } }
        guard !isCheckpointScheduled, pages > 0 else { return }
        isCheckpointScheduled = true
        isBusy = false
        queue.async(after: StoreQueue.idleTime) { [weak self] in self?.checkpointIfIdle() }
    }

    private func checkpointIfIdle() {
        isCheckpointScheduled = false
        if isBusy || background != nil {
            scheduleCheckpoint()
        } else {
            perform({ $0.checkpoint() }, isLong: true, completion: { _ in })
        }
    }

    private func shortenLog() {
        // A job that has the store now schedules it again.
        guard background == nil, logPages >= StoreQueue.maxLogPages else { return }
        store.withLock { $0.checkpoint() }
    }

    /// Saves the last known state soon, at most once in `stateDelay`.
    private func scheduleStateSave() {
        guard background == nil, !isStateSaveScheduled,
            store.withLock({ $0.lastKnown.isChanged })
        else { return }
        isStateSaveScheduled = true
        queue.async(after: StoreQueue.stateDelay) { [weak self] in
            self?.isStateSaveScheduled = false
            self?.saveState()
        }
    }

    private func saveState() {
        // A job that has the store now schedules it again.
        if background == nil { store.withLock { $0.saveLastKnownState() } }
    }

    private var logPages: Int { store.withLock { $0.logPages } }
}
