import CPlatform
import SyncProtocol

/// Three laptops in one directory, and the narrator who says what happens.
final class DemoStage {
    /// The laptops, by the players who sit at them.
    let laptops: [DemoLaptop]

    private let call: Invocation
    private let directory: String
    private let signals: Int32
    /// Whether nobody reads what is printed any more.
    private var isUnheard = false

    /// Makes the directory; nothing runs yet.
    init(_ call: Invocation) throws(ControlError) {
        self.call = call
        let parent = call.console.variable("TMPDIR") ?? ""
        directory =
            (parent.isEmpty ? "/tmp" : parent)
            + "/scoresync-demo-\(UInt32.random(in: 0 ... .max))"
        let port = UInt16.random(in: 20_000...29_999)
        laptops = ["Ann", "Bob", "Cem"].map { [directory] player in
            DemoLaptop(player: player, home: "\(directory)/\(player.lowercased())", port: port)
        }
        // A reader that goes must not end the demo before it has cleaned up.
        platform_ignore_broken_pipes()
        signals = call.console.signals(SignalNumber.ends + [.resize])
        guard platform_make_directory(directory) >= 0 else {
            throw ControlError(.failed, "cannot make the directory \(directory)")
        }
    }

    /// Ends the daemons and removes the directory, however the play ended.
    func clear() {
        for laptop in laptops { _ = laptop.run(["daemon", "stop", "--no-spawn"], call.console) }
        _ = platform_remove_tree(directory)
    }

    // MARK: What the audience sees

    /// The title of an act.
    func title(_ text: String) {
        printLines([Line(), Line(text, .strong)])
    }

    /// What there is to know.
    func say(_ text: String) {
        printLines([Line("  " + text)])
    }

    /// What has been proven.
    func prove(_ text: String) {
        printLines([Line("  ✓ ", .good) + Line(text)])
    }

    /// Runs a command on a laptop for everybody to see; what fails ends the demo.
    @discardableResult
    func show(_ laptop: DemoLaptop, _ words: [String]) throws(ControlError) -> String {
        let shell = words.map { ShellWord.quoted($0) }.joined(separator: " ")
        let prompt = Line("  \(laptop.name) $ ", .faint) + Line("scorectl \(shell)", .strong)
        printLines([prompt])
        let output = try quietly(laptop, words)
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        let last = lines.last == "" ? lines.dropLast() : lines[...]
        printLines(last.map { Line($0.isEmpty ? "" : "      " + String($0)) })
        return output
    }

    /// Runs a command that nobody needs to see; what fails ends the demo.
    @discardableResult
    func quietly(_ laptop: DemoLaptop, _ words: [String]) throws(ControlError) -> String {
        try checkSignals()
        let result = laptop.run(words, call.console)
        guard result.status == 0 else {
            let command = (["scorectl"] + words).joined(separator: " ")
            throw ControlError(
                .failed,
                "the demo failed: on \(laptop.name), '\(command)' exited with "
                    + "\(result.status): \(result.errors)"
            )
        }
        return result.output
    }

    private func printLines(_ lines: [Line]) {
        let text = lines.map { $0.rendered(inColor: call.usesColor) + "\n" }.joined()
        let bytes = Array(text.utf8)
        if platform_write_all(1, bytes, bytes.count) < 0 { isUnheard = true }
    }

    /// Fails unless it is so.
    func check(_ isTrue: Bool, _ what: String) throws(ControlError) {
        guard isTrue else { throw ControlError(.failed, "the demo failed: \(what)") }
    }

    /// Waits until all laptops print the same bytes, and answers with them.
    func waitUntilEqual() throws(ControlError) -> String {
        let end = platform_steady_milliseconds() + 10_000
        while platform_steady_milliseconds() < end {
            var sheets: Set<String> = []
            for laptop in laptops { sheets.insert(try quietly(laptop, ["show", "--json"])) }
            if sheets.count == 1, let sheet = sheets.first { return sheet }
            _ = platform_wait(-1, false, -1, 10)
        }
        throw ControlError(.failed, "the demo failed: the laptops have not become equal in 10 s")
    }

    /// Ctrl-C ends the demo in order, so that no daemon is left.
    private func checkSignals() throws(ControlError) {
        guard !isUnheard else { throw ControlError(.failed, "nobody watches the demo any more") }
        guard signals >= 0, platform_wait(signals, false, -1, 0) == 1 else { return }
        var byte: UInt8 = 0
        _ = platform_read(signals, &byte, 1)
        guard Int32(byte) != SignalNumber.resize.number else { return }
        throw ControlError(.failed, "the demo was interrupted")
    }
}
