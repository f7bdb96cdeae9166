import CPlatform
import SyncProtocol

/// `scorectl demo`: three laptops on this machine, a cut cable, and nothing lost.
enum DemoCommand {
    static let command = Command(
        name: "demo",
        summary: "watch three laptops keep one score sheet, on this machine alone",
        details: [
            "Starts three daemons with homes of their own, which talk over loopback only, plays"
                + " a short game through this command line, cuts one laptop off while all go"
                + " on, brings it back and shows that nothing was lost. It cleans up after"
                + " itself and touches neither your sessions nor your network."
        ],
        action: .run { call throws(ControlError) in
            let stage = try DemoStage(call)
            defer { stage.clear() }
            try DemoPlay(stage).perform()
        }
    )
}

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

/// One laptop of the demo: a home of its own, and a command line that is not printed.
struct DemoLaptop {
    /// Who sits at it.
    let player: String
    /// Where its state is.
    let home: String
    /// The UDP port of the demo's announcements, which no other daemon listens to.
    let port: UInt16

    /// What the laptop is called.
    var name: String { player.lowercased() }

    /// The command that starts its daemon.
    var start: [String] {
        [
            "daemon", "start", "--", "--name", "\(name)-laptop", "--loopback", "--interface", "lo",
            "--discovery-port", "\(port)",
        ]
    }

    /// Runs a command as if it were typed here.
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

/// What happens on the stage: a game of three rounds, of which one laptop misses the middle.
struct DemoPlay {
    private let stage: DemoStage
    private let ann: DemoLaptop
    private let bob: DemoLaptop
    private let cem: DemoLaptop

    init(_ stage: DemoStage) {
        self.stage = stage
        (ann, bob, cem) = (stage.laptops[0], stage.laptops[1], stage.laptops[2])
    }

    func perform() throws(ControlError) {
        let began = platform_steady_milliseconds()
        try meet()
        try play()
        let apart = try cutOff()
        try comeBack(apart)
        let seconds = (platform_steady_milliseconds() - began + 500) / 1000
        stage.title("That was ScoreSync, in \(seconds) s: no server, no account, nothing lost.")
        stage.say("Your turn: scorectl session new rounds --player You --player Friend")
    }

    /// Three daemons start; two join by the code alone.
    private func meet() throws(ControlError) {
        stage.title("1 · Three laptops on one table")
        for laptop in stage.laptops {
            try stage.quietly(laptop, laptop.start)
        }
        stage.say("Three daemons run, each with its own home; they know nothing of each other.")
        try stage.show(
            ann,
            ["session", "new", "rounds", "--title", "Friday"]
                + stage.laptops.flatMap { ["--player", $0.player] }
        )
        let invitation = try stage.show(ann, ["session", "invite"])
        guard
            let code = invitation.split(whereSeparator: \.isWhitespace)
                .first(where: { $0.utf8.count == 17 && $0.contains("-") })
        else { throw ControlError(.failed, "the demo failed: no join code was printed") }
        for laptop in [bob, cem] { try stage.show(laptop, ["join", String(code)]) }
        for laptop in stage.laptops {
            try stage.quietly(laptop, ["wait", "--for", "peers=2", "--timeout", "10"])
            try stage.quietly(laptop, ["player", "me", laptop.player])
        }
        stage.prove("all three found each other; nobody typed an address")
    }

    /// Everybody enters their own scores.
    private func play() throws(ControlError) {
        stage.title("2 · Everybody enters their own scores")
        for (laptop, scores) in [(ann, ["12", "9"]), (bob, ["15", "7"]), (cem, ["8", "20"])] {
            try stage.show(laptop, ["score"] + scores)
        }
        _ = try stage.waitUntilEqual()
        try stage.show(cem, ["show"])
        stage.prove("the same bytes on all three laptops")
    }

    /// One laptop is offline while all three write, one cell twice.
    private func cutOff() throws(ControlError) -> [String] {
        stage.title("3 · Cem's laptop is cut off, and all go on")
        try stage.show(cem, ["daemon", "offline"])
        try stage.show(ann, ["score", "round.3=11"])
        try stage.show(bob, ["score", "round.3=14"])
        stage.say("Bob writes down what he heard of Cem's round; Cem, offline, knows better:")
        try stage.show(bob, ["score", "Cem", "round.3=16"])
        try stage.show(cem, ["score", "round.3=18"])
        try stage.show(cem, ["show"])
        let here = try stage.quietly(cem, ["show", "--json"])
        let there = try stage.quietly(ann, ["show", "--json"])
        try stage.check(here != there, "an offline laptop cannot have the scores of the others")
        return [here, there]
    }

    /// It comes back: equal again, the conflict shown, the journal complete.
    private func comeBack(_ apart: [String]) throws(ControlError) {
        stage.title("4 · Cem's laptop comes back")
        try stage.show(cem, ["daemon", "online"])
        let began = platform_steady_milliseconds()
        let sheet = try stage.waitUntilEqual()
        let took = platform_steady_milliseconds() - began
        try stage.check(!apart.contains(sheet), "the scores of both sides must have come together")
        stage.prove("all three are equal again after \(took) ms")
        for laptop in stage.laptops {
            try stage.quietly(laptop, ["wait", "--for", "peers=2", "--timeout", "10"])
        }
        try stage.show(ann, ["show"])
        let conflicts = try stage.show(ann, ["conflicts"])
        try stage.check(
            conflicts.contains("16") && conflicts.contains("18"),
            "both values of Cem's round must be listed"
        )
        stage.prove("two values for one cell: the last one is shown, and neither vanished")
        try stage.show(cem, ["resolve", "Cem", "round.3", "18"])
        try proveJournal()
        try stage.show(ann, ["session", "finish"])
    }

    /// The journal of the laptop that lost the argument still has what was typed there.
    private func proveJournal() throws(ControlError) {
        let end = platform_steady_milliseconds() + 10_000
        var journal = ""
        repeat {
            journal = try stage.quietly(
                bob,
                ["history", "--player", "Cem", "--row", "round.3"]
            )
            _ = platform_wait(-1, false, -1, 10)
        } while !isComplete(journal) && platform_steady_milliseconds() < end
        try stage.check(isComplete(journal), "the journal must have both values: \(journal)")
        try stage.show(bob, ["history", "--player", "Cem", "--row", "round.3"])
        stage.prove("every value that anybody typed is in the journal, with who and when")
    }

    /// Bob's 16, Cem's 18, and the 18 that settled it.
    private func isComplete(_ journal: String) -> Bool {
        journal.contains("16") && journal.components(of: "18") >= 2
    }
}

extension String {
    /// How often a text stands in this one as a word.
    fileprivate func components(of word: String) -> Int {
        split(whereSeparator: { !$0.isNumber }).count { $0 == word }
    }
}
