import SyncProtocol

/// A command that is given below a live sheet: what it prints comes as lines, and it asks nobody.
struct CommandBelow {
    /// What became of a command.
    struct Answer: Hashable {
        /// What it printed.
        var lines: [String]
        /// Whether it was carried out.
        var isDone: Bool
    }

    private let call: Invocation

    /// Commands for the daemon of a call.
    init(_ call: Invocation) { self.call = call }

    /// Gives a command by its words.
    func run(_ words: [String]) -> Answer {
        let output = Output()
        var console = call.console
        console.write = { output.bytes += $0 }
        console.writeError = { output.bytes += $0 }
        console.isInputTerminal = false
        console.readLine = { nil }
        // The view hears of signals, and lets a command come to its end.
        console.removeOnSignal = { _ in }
        let home = call.value("home").map { ["--home", $0] } ?? []
        let status = Program.run(
            // Plain text, as wide as the screen.
            ["--no-spawn", "--color", "never"] + home + words,
            console
        )
        let lines = String(decoding: output.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(Self.mark) ? String($0.dropFirst(Self.mark.count)) : String($0) }
        let isWrite = LiveWords.command(of: words).map(LiveWords.writes.contains) ?? false
        // Behind an empty line stands the board, which is in sight.
        let told = isWrite ? lines.prefix { !$0.isEmpty } : lines.dropLast()
        return Answer(lines: Array(told), isDone: status == 0)
    }

    /// What stands before an error.
    private static let mark = "scorectl: "

    /// What a command has printed so far.
    private final class Output {
        var bytes: [UInt8] = []
    }
}
