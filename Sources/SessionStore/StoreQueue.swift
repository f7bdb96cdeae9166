package import Dispatch
package import SessionCRDT

/// The store for everybody who must not wait for a disk: each call comes back at once and its
/// completion later, in the order of the calls.
///
/// `@unchecked Sendable` because the store is only touched on `queue`, which is serial; nobody else
/// has it, since it was sent here.
package final class StoreQueue: @unchecked Sendable {
    private let store: SessionStore
    private let queue = DispatchQueue(label: "scoresync.store")
    private let target: DispatchQueue

    /// The queue of a store; completions run on `target`.
    package init(_ store: sending SessionStore, deliveringOn target: DispatchQueue) {
        self.store = store
        self.target = target
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
        queue.async { [self] in
            let result: Result<Success, StoreError>
            do throws(StoreError) {
                result = .success(try body(store))
            } catch {
                result = .failure(error)
            }
            target.async { completion(result) }
        }
    }

    /// Waits until everything that was asked for so far is done, before the program ends, and
    /// leaves one file that may be copied alone.
    ///
    /// Completions may still be on their way to the target queue.
    package func finish() {
        queue.sync { store.foldLog() }
    }
}
