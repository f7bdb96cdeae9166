import Dispatch
package import Testing

/// Runs the tests of a suite, which wait for processes, beside the threads that all tests share.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package init() {}

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(Line.shared) { try await function() }
    }

    /// One thread, on which one test runs at a time.
    private final class Line: TaskExecutor {
        static let shared = Line()
        private let queue = DispatchQueue(label: "tests that wait for processes")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { @Sendable [self] in
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
}
