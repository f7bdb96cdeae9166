import LaptopKit

/// A window of tmux in which a shell runs, for programs that want a terminal: keys go in, and what
/// is on the screen comes out.
final class TerminalWindow {
    /// Whether there is a tmux here.
    static let isPossible = (try? Running(["tmux", "-V"], .captured).outcome().status) == 0
    /// Why a test with windows is skipped.
    static let need = "needs tmux"

    private let directory: ScratchDirectory
    /// Far more than anything takes on a busy machine.
    private static let patience = Duration.seconds(30)

    /// A window of so many columns and rows; its shell must say `shell:` when it waits.
    init(columns: Int, rows: Int, running shell: String = "env PS1='shell: ' sh") throws {
        directory = try ScratchDirectory()
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        try tmux(["-f", "/dev/null", "new-session", "-d"] + size + [shell])
        try awaitText("shell:")
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult
    private func tmux(_ words: [String]) throws -> String {
        let program = ["tmux", "-S", "\(directory.path)/tmux"]
        let outcome = try Running(program + words, adding: ["LC_ALL=C.UTF-8"], .captured).outcome()
        guard outcome.status == 0 else { throw Failure("tmux: \(outcome)") }
        return outcome.output
    }

    /// Types a text.
    func type(_ text: String) throws { try tmux(["send-keys", "-l", "--", text]) }

    /// Presses keys, by their names in tmux: `Enter`, `Tab`, `C-u`.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// Pastes a text, as with a mouse.
    func paste(_ text: String) throws {
        try tmux(["set-buffer", "--", text])
        try tmux(["paste-buffer", "-p"])
    }

    /// Gives the window another size.
    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The lines on the screen.
    var screen: [String] {
        get throws {
            try tmux(["capture-pane", "-p"]).split(
                separator: "\n",
                omittingEmptySubsequences: false
            ).map(String.init)
        }
    }

    /// Whether the second screen is shown.
    var isSecondScreen: Bool {
        get throws { try tmux(["display-message", "-p", "#{alternate_on}"]).hasPrefix("1") }
    }

    /// Waits until a text is on the screen, and gives the screen back.
    @discardableResult
    func awaitText(_ text: String) throws -> [String] {
        try awaitScreen("“\(text)”") { $0.contains { $0.contains(text) } }
    }

    /// Presses Tab until a text is on the screen, because on a busy machine completion may miss its
    /// deadline.
    func complete(to text: String) throws {
        let isThere = { (screen: [String]) in screen.contains { $0.contains(text) } }
        for _ in 0..<20 {
            try press("Tab")
            if (try? awaitScreen(text, within: .seconds(1), isThere)) != nil { return }
        }
        try awaitText(text)
    }

    /// Waits until something is so of the screen, and gives the screen back.
    @discardableResult
    func awaitScreen(
        _ what: String,
        within limit: Duration = TerminalWindow.patience,
        _ isSo: ([String]) -> Bool
    ) throws -> [String] {
        var seen: [String] = []
        do {
            try eventually(within: limit, "\(what)") {
                seen = try screen
                return isSo(seen)
            }
        } catch { throw Failure("\(error), but\n" + seen.joined(separator: "\n")) }
        return seen
    }
}
