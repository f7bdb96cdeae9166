import Descriptors
import SessionCRDT
import SyncProtocol

/// Somebody who waits until something about a session is so.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Wait: @unchecked Sendable {
    /// The session that it is about.
    let session: SessionID

    private let isTrue: () -> Bool
    private let what: () -> String
    private let hindrance: () -> ControlError?
    private var answer: ((Result<Done, ControlError>) -> Void)?

    /// A wait until `isTrue`, or for so many milliseconds; nil waits for ever.
    ///
    /// `what` says why it was in vain, `hindrance` that it can never be so.
    init(
        for session: SessionID,
        until isTrue: @escaping () -> Bool,
        what: @escaping () -> String,
        unless hindrance: @escaping () -> ControlError? = { nil },
        milliseconds: Int?,
        on queue: EventQueue,
        then answer: @escaping (Result<Done, ControlError>) -> Void
    ) {
        self.session = session
        self.isTrue = isTrue
        self.what = what
        self.hindrance = hindrance
        self.answer = answer
        // More than that is for ever.
        guard let milliseconds, milliseconds <= 31_536_000_000 else { return }
        queue.async(after: .milliseconds(max(0, milliseconds))) {
            @Sendable [weak self] in self?.expire(after: milliseconds)
        }
    }

    /// Whether it is over.
    var isOver: Bool { answer == nil }

    /// Answers if it is so now.
    func check() {
        guard answer != nil else { return }
        if isTrue() { return finish(.success(Done())) }
        if let hindrance = hindrance() { finish(.failure(hindrance)) }
    }

    /// It cannot be waited for any longer.
    func abandon(_ reason: ControlError) { finish(.failure(reason)) }

    /// Nobody waits for the answer any more.
    func cancel() { answer = nil }

    private func expire(after milliseconds: Int) {
        let seconds = Double(milliseconds + 50) / 1000
        let rounded = "\(Int(seconds)).\(Int(seconds * 10) % 10)"
        finish(.failure(ControlError(.timedOut, "\(what()) after \(rounded) s")))
    }

    private func finish(_ result: Result<Done, ControlError>) {
        guard let answer else { return }
        self.answer = nil
        answer(result)
    }
}
