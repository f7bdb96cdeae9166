import SyncProtocol
import TerminalText
import Testing

@testable import scorectl

@Suite("A game that is played move by move")
struct PlayTests {
    private func text(_ show: ShowReply, columns: Int = 80) -> String {
        SheetPage(
            show: show,
            form: PageFormat(columns: columns),
            now: Sample.now
        ).lines
            .map { $0.text + "\n" }.joined()
    }

    @Test("shows its board, the turn, the leader and legal moves")
    func board() {
        let show = Sample.game([
            .text(ShownText(title: "Moves", lines: ["d3"])), .board(Sample.board),
        ])
        let expected = """
            Friday · Reversi · open
              Bob to move: your turn

                  a b c d
                ┌─────────┐
              1 │         │ 1
              2 │ · ○ ●   │ 2
              3 │   ●[○]· │ 3
              4 │         │ 4
                └─────────┘
                  a b c d

                            Discs   Rank
              ● black  Ann      5★     1
              ○ white  Bob      3      2  to move, you

              Moves
                d3

              No other laptop yet: scorectl session invite

            """
        #expect(text(show) == expected)
    }

    @Test("explains tie breaks, as a sheet does")
    func tieBreaks() {
        var show = Sample.game([.text(ShownText(title: "Moves", lines: ["d3"]))])
        show.document.players[0].tieBreak = "tied at 13, Madness 5"
        show.document.players[1].tieBreak = "tied at 13, Madness 0"
        let expected = """
                Discs   Rank
                Ann      5★     1
                Bob      3      2  to move, you
              Ann: tied at 13, Madness 5
              Bob: tied at 13, Madness 0
            """
        #expect(text(show).contains(expected), "\(text(show))")
    }

    @Test("draws the board in ASCII if the locale requires it, with brackets at the edge")
    func ascii() {
        var board = Sample.board
        board.last = "d3"
        board.squares[2] = ".xoo"
        let page = Terminal.ascii(text(Sample.game([.board(board)])))
        let expected = """
                  a b c d
                +---------+
              1 |         | 1
              2 | . o *   | 2
              3 |   * o[o]| 3
              4 |         | 4
                +---------+
                  a b c d
            """
        #expect(page.contains(expected), "\(page)")
        #expect(page.contains("  * black  Ann"))
    }

    @Test(
        "The locale decides whether more than ASCII is used",
        arguments: [
            ([:], true), (["LANG": "en_US.UTF-8"], true), (["LANG": "C"], false),
            (["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"], true),
            (["LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"], false),
        ] as [([String: String], Bool)]
    )
    func locale(variables: [String: String], isUnicode: Bool) throws {
        let harness = Harness(try TemporaryHome())
        var found: Bool?
        _ = harness.run(
            ["version"],
            variables: variables,
            adjust: { found = $0.terminal.isUnicode }
        )
        #expect(found == isUnicode)
    }

    @Test("uses colours only in addition to shapes, and never in names")
    func color() {
        var board = Sample.board
        board.pieces[0].player = "\u{1B}[31mAnn"
        let lines = BoardPanel(board).lines
        let styles = Set(lines.flatMap(\.pieces).map(\.style))
        #expect(styles == [.plain, .faint, .felt, .firstPiece, .secondPiece])
        let page = SheetPage(
            show: Sample.game([.board(board)]),
            form: PageFormat(columns: 80),
            now: Sample.now
        )
        #expect(!page.lines.map(\.text).joined().contains("\u{1B}"))
    }

    @Test("aligns tables, numbers to the right, and breaks those that are too wide into words")
    func tables() {
        let page = text(Sample.game([.table(Sample.visits)]))
        #expect(page.contains("  Leg 1\n     Ann  Bob  Note\n  1   20  –    bust\n"), "\(page)")
        var wide = Sample.visits
        wide.rows[0].cells[2] = String(repeating: "wide ", count: 20)
        let narrow = text(Sample.game([.table(wide)]), columns: 60)
        #expect(narrow.contains("  1\n    Ann: 20, Bob: –,\n    Note: wide"), "\(narrow)")
        for line in narrow.split(separator: "\n") { #expect(TextWidth.of(String(line)) <= 60) }
    }

    @Test("wraps a title, and keeps a column of numbers to the right with a word among them")
    func title() {
        var table = Sample.visits
        table.title = "Set 1, leg 1, best of 3 sets, best of 5 legs, 501 double out"
        table.rows[3].cells[0] = "bust"
        let page = text(Sample.game([.table(table)]), columns: 60)
        #expect(
            page.contains(
                "  Set 1, leg 1, best of 3 sets, best of 5 legs, 501 double\n  out\n"
                    + "      Ann  Bob  Note\n  1    20  –    bust\n"
            ),
            "\(page)"
        )
    }

    @Test("shortens names before it breaks a table into paragraphs with headings")
    func folded() {
        func table(_ last: String) -> ShownTable {
            ShownTable(
                title: "",
                columns: ["Left", "Last", "Sets", "Checkout"],
                rows: [
                    ShownTableRow(label: "> Bartholomew", cells: ["261", last, "0", ""]),
                    ShownTableRow(label: "  Ann", cells: ["40", "", "0", "D20"]),
                ]
            )
        }
        func lines(_ last: String, _ columns: Int) -> [String] {
            TablePanel(table(last), PageFormat(columns: columns), rows: nil).lines.map(\.text)
        }
        #expect(
            lines("80/2 60", 42) == [
                "             Left     Last  Sets  Checkout",
                "  > Bartho…   261  80/2 60     0",
                "    Ann        40              0  D20",
            ]
        )
        #expect(
            lines("80/2 60 45 26 100", 42) == [
                "  > Bartholomew", "    Left: 261, Last: 80/2 60 45 26 100,", "    Sets: 0",
                "    Ann", "    Left: 40, Sets: 0, Checkout: D20",
            ]
        )
    }

    @Test("wraps its texts")
    func texts() {
        let long = Array(repeating: "word", count: 30).joined(separator: " ")
        let page = text(
            Sample.game([.text(ShownText(title: "", lines: [long, "", "end"]))]),
            columns: 40
        )
        for line in page.split(separator: "\n") { #expect(TextWidth.of(String(line)) <= 46) }
        #expect(page.contains("\n\n  end\n"))
    }

    @Test("keeps the latest rows and whose turn it is on a low terminal")
    func low() {
        let page = SheetPage(
            show: Sample.game([.table(Sample.visits)]),
            form: PageFormat(columns: 80),
            now: Sample.now
        )
        let whole = page.lines.count
        let low = page.lines(within: whole - 2).map(\.text)
        #expect(low.count == whole - 2, "\(low)")
        #expect(low.contains("  … 3 more above") && low.contains { $0.hasPrefix("  9  180") })
        #expect(low[1] == "  Bob to move: your turn")
        let lowest = page.lines(within: 5)
        #expect(lowest.allSatisfy { $0.width > 0 })
    }

    @Test("prints a move in a line, then its notes")
    func played() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        #expect(harness.run(["play", "d3"]).output == "Ann: d3 – Ann to move\n  Bob must pass\n")
        var reply = Sample.played
        (reply.finished, reply.turn, reply.notes, reply.winners) = (true, nil, [], ["Ann"])
        let won = PlayedMove(reply: reply).lines.map(\.text)
        #expect(won == ["Ann: d3 – Ann has won (Ann 4, Bob 1)"])
        reply.winners = ["Ann", "Bob"]
        reply.player = nil
        let shared = PlayedMove(reply: reply).lines.map(\.text)
        #expect(shared == ["d3 – Ann and Bob have won (Ann 4, Bob 1)"])
        withExtendedLifetime(daemon) {}
    }

    @Test("prints the reply of a computer, with the board and the discs")
    func answered() {
        var reply = Sample.played
        reply.notes = []
        reply.board = Sample.board
        reply.answers = [
            WrittenCell(row: "move", label: "Move 2", round: 2, value: .text("c3")).with {
                $0.player = "Bob"
            }
        ]
        let expected = """
            Ann: d3
            Bob: c3 – Ann to move

                  a b c d
                ┌─────────┐
              1 │         │ 1
              2 │ · ○ ●   │ 2
              3 │   ●[○]· │ 3
              4 │         │ 4
                └─────────┘
                  a b c d

                            Discs
              ● black  Ann      4
              ○ white  Bob      1

            """
        let lines = PlayedMove(reply: reply).lines
        #expect(lines.map { $0.text + "\n" }.joined() == expected)
    }

    @Test("asks before a reset, and then does exactly that")
    func reset() throws {
        let home = try TemporaryHome()
        let daemon = try FakeDaemon(home: home)
        let harness = Harness(home)
        let refused = harness.run(["reset"])
        #expect(refused.status == 2 && refused.errors.contains("Confirm with --yes"), "\(refused)")
        let no = harness.run(["reset"], input: "", adjust: { $0.isInputTerminal = true })
        #expect(no.status == 1 && no.output.isEmpty, "\(no)")
        #expect(no.errors == "Clear it? [y/N] scorectl: nothing was changed\n")
        #expect(daemon.calls == ["reset {}", "reset {}"])
        let yes = harness.run(["reset"], input: "Yes", adjust: { $0.isInputTerminal = true })
        #expect(yes.output == "Reset. To bring it back: scorectl undo\n")
        #expect(harness.run(["reset", "--yes"]).errors == "")
        let both = ["reset {}", #"reset {"token":"t"}"#]
        #expect(daemon.calls == ["reset {}", "reset {}"] + both + both)
    }
}
