import CPlatform

/// Tells on a terminal how far long work is; short work says nothing.
struct Progress {
    /// How long nothing is said, and how long between two sayings.
    private static let patienceMilliseconds: Int64 = 400
    private static let pauseMilliseconds: Int64 = 100

    private let work: String
    private let console: Console
    private var sayAt: Int64
    private var isShown = false

    /// Work that begins now, in a word: `exporting`.
    init(_ work: String, _ console: Console) {
        self.work = work
        self.console = console
        sayAt = platform_steady_milliseconds() + Progress.patienceMilliseconds
    }

    /// Says how much is done, from 0 to 1.
    mutating func show(_ share: Double) {
        let now = platform_steady_milliseconds()
        guard console.isErrorTerminal, now >= sayAt else { return }
        sayAt = now + Progress.pauseMilliseconds
        isShown = true
        let percent = Int(max(0, min(1, share)) * 100)
        console.writeError(Array("\r\u{1B}[K\(work): \(percent) %".utf8))
    }

    /// Takes away what was said.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        console.writeError(Array("\r\u{1B}[K".utf8))
    }
}
