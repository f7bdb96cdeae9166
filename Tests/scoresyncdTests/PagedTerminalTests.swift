import LaptopKit
import Testing

/// Pages and messages on a real terminal.
@Suite(
    "Pages on a terminal",
    .enabled(if: TerminalWindow.isPossible, Comment(rawValue: TerminalWindow.need)),
    .timeLimit(.minutes(10))
)
struct PagedTerminalTests {
    private func enter(_ line: String, in window: TerminalWindow) throws {
        try window.type("clear; \(line)")
        try window.press("Enter")
    }

    @Test("A long page opens in the pager, whose keys do not end anything else")
    func pager() throws {
        let window = try TerminalWindow(columns: 80, rows: 20)
        let program = try Programs.path(of: "scorectl")
        // As less does, this one goes on after Ctrl-C.
        let pager = #"trap "echo caught" INT; head -n 2; read key < /dev/tty; echo ends"#
        try enter("PAGER='\(pager)' \(program) help; echo status $?", in: window)
        try window.awaitText("one score sheet on many laptops")
        try window.press("C-c")
        try window.awaitText("caught")
        try window.press("Enter")
        let screen = try window.awaitText("status 0")
        #expect(screen.contains("ends") && !screen.contains { $0.contains("Exit status") })
        try enter("PAGER=no-such-pager \(program) help", in: window)
        try window.awaitText("scorectl session invite")
    }

    @Test("Help and messages keep to the width, and a dumb terminal gets what a pipe gets")
    func width() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let window = try TerminalWindow(columns: 40, rows: 30)
        let program = "\(try Programs.path(of: "scorectl")) --home \(laptop.home)"
        try enter("\(program) wait --for synced --timeout soon", in: window)
        let error = try window.awaitText("Try: scorectl help wait")
        #expect(error.contains("scorectl: --timeout needs a time from 0s"))
        // From here on nothing must be redrawn, and Ctrl-C ends the view as it ends any program.
        try enter("TERM=dumb \(program) watch", in: window)
        try window.awaitText("Total")
        #expect(try !window.isSecondScreen)
        try laptop.run("score", "Ann", "77")
        try window.awaitText("77")
        try window.press("C-c")
        try window.awaitText("shell:")
    }
}
