import CPlatform
import Descriptors
import Dispatch
import PeerTransport
import SyncProtocol

/// Makes the key of a join code, which is slow on purpose.
enum CodeKey {
    private static let queue = DispatchQueue(label: "scoresync.code-key", qos: .userInitiated)

    /// Derives the key beside everything else and completes on `target`.
    static func derive(
        _ code: JoinCode,
        on target: EventQueue,
        then completion: @escaping @Sendable (Result<Secret, ControlError>) -> Void
    ) {
        queue.async { @Sendable in
            let result: Result<Secret, ControlError>
            do throws(CryptoFailure) {
                result = .success(
                    try Scrypt.derive(
                        password: InviteKey.password(of: code),
                        salt: InviteKey.salt(of: code),
                        n: cost,
                        r: Int(InviteKey.blockSize),
                        p: Int(InviteKey.parallelism),
                        length: InviteKey.keyBytes
                    )
                )
            } catch {
                result = .failure(ControlError(.failed, "the join code: \(error)"))
            }
            target.async { @Sendable in completion(result) }
        }
    }

    #if DEBUG
    /// A smaller cost, so that tests need not wait; both sides must have the same.
    ///
    /// No program that is released has it: it would make keys weak without a word.
    private static var cost: Int {
        let chosen = platform_environment("SCORESYNC_TEST_SCRYPT_N")
        return chosen.flatMap { Int(String(cString: $0)) } ?? Int(InviteKey.cost)
    }
    #else
    private static var cost: Int { Int(InviteKey.cost) }
    #endif
}
