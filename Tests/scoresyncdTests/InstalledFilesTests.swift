import FoundationEssentials
import LaptopKit
import Testing

/// Files that are installed next to the programs, checked by the programs that read them.
@Suite("Installed files", .timeLimit(.minutes(10)))
struct InstalledFilesTests {
    /// Whether a program of the system is here.
    private static func has(_ name: String) -> Bool {
        (try? Running(["sh", "-c", "command -v \(name)"], .captured).outcome().status) == 0
    }

    private static let shells = ["bash", "zsh", "fish"].filter(has)
    private static let hasShells = shells.count == 3
    private static let hasMandoc = has("mandoc")
    private static let hasSystemd = has("systemd-analyze")
    private static let hasDesktop = has("desktop-file-validate") && has("appstreamcli")

    private func printed(by words: String..., input: String = "/dev/null") throws -> String {
        let program = try Programs.path(of: words[0])
        let line = ([program] + words.dropFirst()).joined(separator: " ") + " <" + input
        let outcome = try Running(
            ["sh", "-c", line],
            adding: ["SOURCE_DATE_EPOCH=1795000000"],
            .captured
        ).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }

    private func write(_ text: String, to name: String, _ place: ScratchDirectory) throws -> String
    {
        let path = "\(place.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("The scripts of the shells are valid", arguments: shells)
    func scripts(shell: String) throws {
        let place = try ScratchDirectory()
        let script = try write(printed(by: "scorectl", "completions", shell), to: "script", place)
        let outcome = try Running([shell, "-n", script], .captured).outcome()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    }

    @Test(
        "The scripts of all three shells were checked",
        .enabled(if: hasShells, "needs bash, zsh and fish")
    )
    func allShells() { #expect(Self.shells.count == 3) }

    @Test(
        "A shell completes commands, and names that contain spaces and quotes",
        .enabled(if: TerminalWindow.isPossible, Comment(rawValue: TerminalWindow.need)),
        arguments: shells
    )
    func completion(shell: String) throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let players = ["Bob the Great", "O'Neil: 1"].flatMap { ["--player", $0] }
        try laptop.run(["session", "new", "points", "--title", "Friday"] + players)
        let scorectl = try Programs.path(of: "scorectl")
        let directory = scorectl.dropLast("/scorectl".count)
        let around = "env PATH='\(directory)':$PATH SCORESYNC_HOME='\(laptop.home)'"
        let starts = [
            "bash": "\(around) PS1='shell: ' bash --norc --noprofile -i",
            "zsh": "\(around) PS1='shell: ' zsh -f -i",
            "fish": "\(around) fish --no-config --private"
                + " -C 'function fish_prompt; printf \"shell: \"; end'",
        ]
        let window = try TerminalWindow(columns: 100, rows: 24, running: starts[shell] ?? shell)
        if shell == "zsh" {
            try window.type("autoload -U compinit; compinit -u -D")
            try window.press("Enter")
        }
        let source =
            shell == "fish"
            ? "scorectl completions fish | source" : "source <(scorectl completions \(shell))"
        try window.type("\(source); echo sour''ced")
        try window.press("Enter")
        try window.awaitScreen("sourced") { $0.contains { $0.hasPrefix("sourced") } }
        try window.type("scorectl sco")
        try window.complete(to: "scorectl score")
        try window.type("bob")
        try window.complete(to: #"score Bob\ the\ Great"#)
        try window.type("7")
        try window.press("Enter")
        try window.awaitText("total 7")
        try window.type("scorectl score O")
        try window.complete(to: "Neil")
        try window.type("8")
        try window.press("Enter")
        try window.awaitText("total 8")
    }

    @Test(
        "The man pages pass mandoc's checks",
        .enabled(if: hasMandoc, "needs mandoc"),
        arguments: [
            ("scorectl", ""), ("scoresyncd", "scoresyncd"), ("scoresync-board", "scoresync-board"),
            ("scoresync-sheet", "Documentation/SHEETS.md"), ("scoresync", ""),
        ]
    )
    func pages(name: String, source: String) throws {
        let place = try ScratchDirectory()
        var input = "/dev/null"
        if source.hasSuffix(".md") {
            let root = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            input = root.appending(path: source).path
        } else if !source.isEmpty {
            input = try write(printed(by: source, "--help"), to: "help", place)
        }
        let text = try printed(by: "scorectl", "__man", name, input: input)
        #expect(try text == printed(by: "scorectl", "__man", name, input: input))
        let section = text.split(separator: "\n")[1].split(separator: " ")[2]
        let page = try write(text, to: "page.\(section)", place)
        let lint = try Running(["mandoc", "-T", "lint", "-W", "warning", page], .captured).outcome()
        #expect(lint.status == 0 && lint.output.isEmpty, "\(lint)")
    }

    @Test("The unit is accepted by systemd", .enabled(if: hasSystemd, "needs systemd-analyze"))
    func unit() throws {
        let place = try ScratchDirectory()
        let program = try Programs.path(of: "scoresyncd")
        let text = try printed(by: "scorectl", "__service", "systemd", program)
        // Man pages of what is not installed here.
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("Documentation=") }
        let unit = try write(lines.joined(separator: "\n"), to: "scoresyncd.service", place)
        let outcome = try Running(
            ["systemd-analyze", "--user", "verify", unit],
            adding: ["XDG_RUNTIME_DIR=\(place.path)"],
            .captured
        ).outcome()
        #expect(outcome.status == 0 && !outcome.errors.contains("scoresyncd.service"), "\(outcome)")
    }

    @Test(
        "The entry in the menu of programs is valid, and opens the app",
        .enabled(if: hasDesktop, "needs desktop-file-utils and appstream")
    )
    func desktop() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let entry = root.appending(path: "Packaging/scoresync.desktop")
        let metadata = root.appending(path: "Packaging/scoresync.metainfo.xml").path
        for words in [
            ["desktop-file-validate", entry.path],
            ["appstreamcli", "validate", "--no-net", metadata],
        ] {
            let outcome = try Running(words, .captured).outcome()
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        }
        let lines = try String(contentsOf: entry, encoding: .utf8).split(separator: "\n")
        let command = try #require(lines.first { $0.hasPrefix("Exec=") }).dropFirst("Exec=".count)
        let words = command.split(separator: " ").map(String.init)
        #expect(try printed(by: words[0], "help", words[1]).contains("scorectl app"))
    }

    @Test("A daemon can write to the log of its home, which 'daemon logs' follows")
    func log() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery", "--log-to-file")
        #expect(laptop.log.isEmpty)
        let follower = try laptop.begin(["daemon", "logs", "-n", "0", "--follow"])
        #expect(try !laptop.run("daemon", "logs", "--lines", "3").isEmpty)
        #expect(follower.isRunning)
    }

    @Test(
        "In systemd's journal lines of the log begin with their priority, elsewhere with the time"
    )
    func journal() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        let place = try ScratchDirectory()
        let daemon = try Programs.path(of: "scoresyncd")
        let second = "exec '\(daemon)' --home '\(laptop.home)' 2>'\(place.path)/log'"
        func log(_ stream: String) throws -> String {
            let script = "exec 2>'\(place.path)/log'; export JOURNAL_STREAM=\(stream); " + second
            // The second daemon of a home logs an error and exits.
            #expect(try Running(["sh", "-c", script], .captured).outcome().status == 75)
            return String(decoding: try place.bytes(of: "log"), as: UTF8.self)
        }
        let inJournal = try log("$(stat -c %d:%i '\(place.path)/log')")
        #expect(inJournal.wholeMatch(of: #/<3>[^<>]*\n/#) != nil, "\(inJournal)")
        for other in ["1:1", "", "nonsense"] {
            let elsewhere = try log(other)
            #expect(elsewhere.wholeMatch(of: #/\d{4}-\S+ error [^<>]*\n/#) != nil, "\(elsewhere)")
        }
    }

    @Test("'daemon restart' restarts the daemon, and keeps all entries")
    func restart() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--title", "Friday", "--player", "Ann")
        try laptop.run("score", "Ann", "5")
        let scorectl = try Programs.path(of: "scorectl")
        let restart = [
            scorectl, "--home", laptop.home, "daemon", "restart", "--", "--no-discovery",
        ]
        defer { _ = try? laptop.run("daemon", "stop") }
        let outcome = try Running(restart, .captured).outcome()
        #expect(
            outcome.status == 0 && outcome.output.hasPrefix("Restarted the daemon"),
            "\(outcome)"
        )
        #expect(try !laptop.run("daemon", "status").isEmpty)
        #expect(!laptop.isRunning)
        #expect(try laptop.run("show").contains("5"))
    }
}
