/// Tells on a terminal how far long work is; short work says nothing.
struct Progress {
    /// How long nothing is said, and how long between two sayings.
    private static let patienceMilliseconds: Int64 = 400
    private static let pauseMilliseconds: Int64 = 100

    private let work: String
    private let console: Console
    private var sayAt: Int64
    private var share: Double?
    private var isShown = false

    /// Work that begins now, in a word: `exporting`.
    init(_ work: String, _ console: Console) {
        self.work = work
        self.console = console
        sayAt = console.steady() + Progress.patienceMilliseconds
    }

    /// Says how much is done, from 0 to 1; nil where that is not known, or as before.
    mutating func show(_ share: Double?) {
        self.share = share ?? self.share
        let now = console.steady()
        guard console.isErrorTerminal, now >= sayAt else { return }
        sayAt = now + Progress.pauseMilliseconds
        isShown = true
        let percent = self.share.map { ": \(Int(max(0, min(1, $0)) * 100)) %" } ?? " …"
        console.writeError(Array("\r\u{1B}[K\(work)\(percent)".utf8))
    }

    /// Takes away what was said.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        console.writeError(Array("\r\u{1B}[K".utf8))
    }
}
