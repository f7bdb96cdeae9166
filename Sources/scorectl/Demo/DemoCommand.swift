import CPlatform
import SessionCRDT
import SyncProtocol
import TerminalText

/// `scorectl demo`: three laptops on this machine, one of which goes offline, and nothing is lost.
enum DemoCommand {
    static let command = Command(
        usage: "demo",
        summary: "watch three laptops keep one score sheet, on this machine alone",
        details: "Starts three daemons with separate homes, which talk over loopback only, plays a"
            + " short game with this command line, disconnects one laptop while everyone"
            + " keeps scoring, reconnects it, and shows that nothing was lost. It cleans up after"
            + " itself and touches neither your sessions nor your network.",
        action: .run { call throws(ControlError) in
            let demo = try Demo(call)
            defer { demo.cleanUp() }
            try demo.perform()
        }
    )
}

/// The demo: three laptops in one directory play a game of three rounds, during which one of them
/// goes offline.
final class Demo {
    private let laptops: [DemoLaptop]
    private var ann: DemoLaptop { laptops[0] }
    private var bob: DemoLaptop { laptops[1] }
    private var cem: DemoLaptop { laptops[2] }
    private let call: Invocation
    private let directory: String
    private let signals: Int32
    private var isOutputClosed = false

    /// Creates the directory; no daemon is running yet.
    init(_ call: Invocation) throws(ControlError) {
        self.call = call
        let parent = call.console.environmentVariable("TMPDIR") ?? ""
        directory =
            (parent.isEmpty ? "/tmp" : parent)
            + "/scoresync-demo-\(UInt32.random(in: 0 ... .max))"
        let port = UInt16.random(in: 20_000...29_999)
        laptops = ["Ann", "Bob", "Cem"].map { [directory] player in
            DemoLaptop(player: player, home: "\(directory)/\(player.lowercased())", port: port)
        }
        // A closed pipe must not end the demo before it has cleaned up.
        platform_ignore_broken_pipes()
        signals = call.console.openSignalDescriptor(
            SignalNumber.terminating + [SignalNumber.resize]
        )
        guard platform_make_directory(directory) >= 0 else {
            throw .failed("cannot create the directory \(directory)")
        }
    }

    func cleanUp() {
        for laptop in laptops { _ = laptop.run(["daemon", "stop", "--no-spawn"], call.console) }
        _ = platform_remove_tree(directory)
    }

    // MARK: Output

    private func printTitle(_ text: String) { printLines([Line(), Line(text, .strong)]) }

    private func printText(_ text: String) { printLines([Line("  " + text)]) }

    private func printSuccess(_ text: String) { printLines([Line("  ✓ ", .good) + Line(text)]) }

    /// Runs a command on a laptop and prints it; a failure ends the demo.
    @discardableResult
    private func show(_ laptop: DemoLaptop, _ words: [String]) throws(ControlError) -> String {
        let shell = words.map(ShellWord.quoted).joined(separator: " ")
        let prompt = Line("  \(laptop.name) $ ", .faint) + Line("scorectl \(shell)", .strong)
        printLines([prompt])
        let output = try runQuiet(laptop, words)
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        let last = lines.last == "" ? lines.dropLast() : lines[...]
        printLines(last.map { Line($0.isEmpty ? "" : "      " + String($0)) })
        return output
    }

    /// Runs a command without printing it; a failure ends the demo.
    @discardableResult
    private func runQuiet(_ laptop: DemoLaptop, _ words: [String]) throws(ControlError) -> String {
        try checkSignals()
        let result = laptop.run(words, call.console)
        guard result.status == 0 else {
            let command = (["scorectl"] + words).joined(separator: " ")
            let place = "the demo failed: on \(laptop.name)"
            throw .failed("\(place), '\(command)' exited with \(result.status): \(result.errors)")
        }
        return result.output
    }

    private func printLines(_ lines: [Line]) {
        let text = call.rendered(lines).map { $0 + "\n" }.joined()
        let bytes = Array(text.utf8)
        if platform_write_all(1, bytes, bytes.count) < 0 { isOutputClosed = true }
    }

    private func check(_ condition: Bool, _ expectation: String) throws(ControlError) {
        guard condition else { throw .failed("the demo failed: \(expectation)") }
    }

    /// Waits until all laptops print the same bytes, and returns them.
    private func waitUntilEqual() throws(ControlError) -> String {
        let deadline = platform_steady_milliseconds() + 10_000
        while platform_steady_milliseconds() < deadline {
            var sheets: Set<String> = []
            for laptop in laptops { sheets.insert(try runQuiet(laptop, ["show", "--json"])) }
            if sheets.count == 1, let sheet = sheets.first { return sheet }
            _ = platform_wait(-1, false, -1, 10)
        }
        throw .failed("the demo failed: the laptops are not in sync after 10 s")
    }

    /// Throws after Ctrl-C, so that the daemons are stopped.
    private func checkSignals() throws(ControlError) {
        guard !isOutputClosed else { throw .failed("the output was closed") }
        guard signals >= 0, platform_wait(signals, false, -1, 0) == 1 else { return }
        var byte: UInt8 = 0
        _ = platform_read(signals, &byte, 1)
        guard Int32(byte) != SignalNumber.resize else { return }
        throw .failed("the demo was interrupted")
    }

    // MARK: The game

    func perform() throws(ControlError) {
        let start = platform_steady_milliseconds()
        try meet()
        try play()
        let apart = try disconnect()
        try reconnect(apart)
        let seconds = (platform_steady_milliseconds() - start + 500) / 1000
        printTitle("That was ScoreSync, in \(seconds) s: no server, no account, nothing lost.")
        printText("Your turn: scorectl session new rounds --player You --player Friend")
    }

    private func meet() throws(ControlError) {
        printTitle("1 · Three laptops")
        for laptop in laptops { try runQuiet(laptop, laptop.start) }
        printText("Three daemons are running, each with its own home, unknown to each other.")
        try show(
            ann,
            ["session", "new", "rounds", "--title", "Friday"]
                + laptops.flatMap { ["--player", $0.player] }
        )
        let invitation = try show(ann, ["session", "invite"])
        guard
            let code = invitation.split(whereSeparator: \.isWhitespace)
                .first(where: { $0.utf8.count == 17 && $0.contains("-") })
        else { throw .failed("the demo failed: no join code was printed") }
        for laptop in [bob, cem] { try show(laptop, ["join", String(code)]) }
        for laptop in laptops {
            try runQuiet(laptop, ["wait", "--for", "peers=2", "--timeout", "10"])
            try runQuiet(laptop, ["player", "me", laptop.player])
        }
        printSuccess("all three found each other, without typing an address")
    }

    private func play() throws(ControlError) {
        printTitle("2 · Everyone enters their own scores")
        for (laptop, scores) in [(ann, ["12", "9"]), (bob, ["15", "7"]), (cem, ["8", "20"])] {
            try show(laptop, ["score"] + scores)
        }
        _ = try waitUntilEqual()
        try show(cem, ["show"])
        printSuccess("the same bytes on all three laptops")
    }

    /// Takes one laptop offline while all three write, two of them the same cell.
    private func disconnect() throws(ControlError) -> [String] {
        printTitle("3 · Cem's laptop goes offline, and everyone keeps scoring")
        try show(cem, ["daemon", "offline"])
        try show(ann, ["score", "round.3=11"])
        try show(bob, ["score", "round.3=14"])
        printText("Bob enters the score he heard for Cem. Cem, offline, enters the right one:")
        try show(bob, ["score", "Cem", "round.3=16"])
        try show(cem, ["score", "round.3=18"])
        try show(cem, ["show"])
        let here = try runQuiet(cem, ["show", "--json"])
        let there = try runQuiet(ann, ["show", "--json"])
        try check(here != there, "an offline laptop cannot have the scores of the others")
        return [here, there]
    }

    /// Reconnects the laptop, and checks the sync, the conflict and the history.
    private func reconnect(_ apart: [String]) throws(ControlError) {
        printTitle("4 · Cem's laptop comes back online")
        try show(cem, ["daemon", "online"])
        let start = platform_steady_milliseconds()
        let sheet = try waitUntilEqual()
        let took = platform_steady_milliseconds() - start
        try check(!apart.contains(sheet), "the scores of both sides must be merged")
        printSuccess("all three are in sync again after \(took) ms")
        for laptop in laptops {
            try runQuiet(laptop, ["wait", "--for", "peers=2", "--timeout", "10"])
        }
        try show(ann, ["show"])
        let conflicts = try show(ann, ["conflicts"])
        try check(
            conflicts.contains("16") && conflicts.contains("18"),
            "both values of Cem's round must be listed"
        )
        printSuccess("two values for one cell: the last one is shown, and neither is lost")
        try show(cem, ["resolve", "Cem", "round.3", "18"])
        try showHistory()
        try show(ann, ["session", "finish"])
    }

    /// Shows that the history still has the value that lost the conflict.
    private func showHistory() throws(ControlError) {
        let command = ["history", "--player", "Cem", "--row", "round.3"]
        let deadline = platform_steady_milliseconds() + 10_000
        var history = ""
        repeat {
            history = try runQuiet(bob, command)
            _ = platform_wait(-1, false, -1, 10)
        } while !isComplete(history) && platform_steady_milliseconds() < deadline
        try check(isComplete(history), "the history must have both values: \(history)")
        try show(bob, command)
        printSuccess("the history has every value, with author and time")
    }

    /// Whether a history has Bob's 16, Cem's 18, and the 18 that resolved the conflict.
    private func isComplete(_ history: String) -> Bool {
        let numbers = history.split { !$0.isNumber }
        return numbers.contains("16") && numbers.count { $0 == "18" } >= 2
    }
}

struct DemoLaptop {
    let player: String
    let home: String
    /// The UDP port of the demo's announcements, on which no other daemon listens.
    let port: UInt16

    var name: String { player.lowercased() }

    var start: [String] {
        [
            "daemon", "start", "--", "--name", "\(name)-laptop", "--loopback", "--interface", "lo",
            "--discovery-port", "\(port)",
        ]
    }

    func run(
        _ words: [String],
        _ console: Console
    ) -> (status: Int32, output: String, errors: String) {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var silent = console
        silent.isInputTerminal = false
        silent.isOutputTerminal = false
        silent.write = { output += $0 }
        silent.writeError = { errors += $0 }
        let status = Program.run(["--home", home] + words, silent)
        return (
            status, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self)
        )
    }
}
