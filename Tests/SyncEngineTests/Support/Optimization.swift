import Testing

/// Whether the tests are compiled with optimization:
/// `swift test -c release -Xswiftc -enable-testing --filter ExcessTests`.
enum Optimization {
    /// Whether they are.
    static let isOn = {
        var isChecked = false
        assert(
            {
                isChecked = true
                return true
            }()
        )
        return !isChecked
    }()
    /// Why a test is skipped without it.
    static let need: Comment = "hashing sessions of 72 MiB takes minutes without optimization"
}
