import ControlSocket
import FoundationEssentials
import SyncProtocol
import Synchronization
import Testing

@testable import scorectl

@Suite("The pager", .timeLimit(.minutes(10)))
struct PagerTests {
    /// Runs a command on a terminal with a pager, and returns the pager's command and what it shows.
    private func paged(
        _ words: [String],
        columns: Int? = 80,
        rows: Int = 3,
        variables: [String: String] = [:],
        isPossible: Bool = true
    ) throws -> (pager: String?, text: String, outcome: Harness.Outcome) {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let shown = Mutex<(String?, String)>((nil, ""))
        let outcome = Harness(home).run(
            words,
            columns: columns,
            variables: variables,
            adjust: { console in
                console.size = { (80, rows) }
                console.showInPager = { pager, text in
                    shown.withLock { $0 = (pager, String(decoding: text, as: UTF8.self)) }
                    return isPossible
                }
            }
        )
        withExtendedLifetime(daemon) {}
        let (pager, text) = shown.withLock { $0 }
        return (pager, text, outcome)
    }

    @Test(
        "shows pages that are longer than the terminal",
        arguments: [
            [], ["help"], ["help", "show"], ["show", "--help"], ["help", "words"], ["games"],
            ["games", "show", "tichu"], ["stats"], ["results"], ["leaders"], ["history"],
        ]
    )
    func pages(words: [String]) throws {
        let (pager, text, outcome) = try paged(words)
        #expect(pager == "less -FRX" && outcome.output == "" && outcome.status == 0, "\(outcome)")
        let plain = try paged(words + ["--no-pager"])
        #expect(plain.pager == nil && plain.outcome.output == text && !text.isEmpty)
    }

    @Test("is left out for other output, short pages, pipes, and if the user wants none")
    func none() throws {
        for words in [["show"], ["peer"], ["status"], ["games", "--json"], ["games", "export"]] {
            #expect(try paged(words).pager == nil, "\(words)")
        }
        #expect(try paged(["history"], rows: 3).pager != nil)
        #expect(try paged(["history"], rows: 50).pager == nil)
        #expect(try paged(["help"], columns: nil).pager == nil)
        for value in ["", "cat"] {
            #expect(try paged(["help"], variables: ["PAGER": value]).pager == nil)
        }
        #expect(try paged(["help"], variables: ["PAGER": "more -x"]).pager == "more -x")
    }

    @Test("is done without if it cannot be started")
    func impossible() throws {
        let (pager, text, outcome) = try paged(["help"], isPossible: false)
        #expect(pager != nil && outcome.output == text)
    }

    @Test("is a shell command that gets the page, and need not read it")
    func shell() throws {
        let home = try TemporaryHome()
        let file = home.path + "/page"
        let text = [UInt8](repeating: 0x41, count: 1 << 20)
        #expect(InstalledProgram.runShell("cat > \(file)", input: text, adding: []) == 0)
        #expect(try Data(contentsOf: URL(filePath: file)) == Data(text))
        #expect(InstalledProgram.runShell("exit $CODE", input: text, adding: ["CODE=3"]) == 3)
        let none = InstalledProgram.runShell("no-such-pager-here 2>&-", input: text, adding: [])
        #expect(none == 127)
    }
}
