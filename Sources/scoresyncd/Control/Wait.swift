import Dispatch
import SyncProtocol

/// A call of `wait` that has not been answered.
///
/// Used on the daemon's queue only.
final class Wait: @unchecked Sendable {
    private let isTrue: () -> Bool
    private var answer: ((Result<Done, ControlError>) -> Void)?

    /// A wait until `isTrue`, or for so many milliseconds; nil waits for ever.
    init(
        until isTrue: @escaping () -> Bool,
        milliseconds: Int?,
        what: String,
        on queue: DispatchQueue,
        then answer: @escaping (Result<Done, ControlError>) -> Void
    ) {
        self.isTrue = isTrue
        self.answer = answer
        guard let milliseconds else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(max(0, milliseconds))) {
            @Sendable [weak self] in
            let text = "waited \(milliseconds) ms and \(what)"
            self?.finish(.failure(ControlError(.timedOut, text)))
        }
    }

    /// Whether it has been answered.
    var isOver: Bool { answer == nil }

    /// Answers if it is so now.
    func check() {
        if answer != nil, isTrue() { finish(.success(Done())) }
    }

    private func finish(_ result: Result<Done, ControlError>) {
        guard let answer else { return }
        self.answer = nil
        answer(result)
    }
}
