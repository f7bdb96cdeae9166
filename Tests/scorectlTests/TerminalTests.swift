import TerminalText
import Testing

@testable import scorectl

@Suite("Text on a terminal")
struct TerminalTests {
    @Test(
        "counts the columns of a text",
        arguments: [
            ("", 0), ("Ann", 3), ("Änn", 3), ("A\u{308}nn", 3), ("张伟", 4), ("한글", 4), ("ｗ", 2),
            ("👍", 2), ("👨‍👩‍👧", 2), ("🇳🇱", 2), ("❤️", 2), ("★●○…", 4), ("a\u{200B}b", 2),
        ]
    )
    func width(text: String, columns: Int) {
        #expect(TextWidth.of(text) == columns)
    }

    @Test("is wrapped on a terminal that is more than a printer, as message or in lines")
    func terminal() {
        func terminal(_ variables: [String: String] = [:]) -> Terminal {
            Terminal(isOutput: true, isError: true, size: { (20, 24) }, variable: { variables[$0] })
        }
        let (text, wrapped) = ("Only this laptop can open it…", "Only this laptop can\nopen it…")
        #expect(terminal().message(text) == wrapped)
        #expect(terminal().page([Line(text), Line("  " + text)]) == "\(wrapped)\n  \(text)\n")
        let ascii = wrapped.replacing("…", with: "~")
        #expect(terminal(["LC_ALL": "C"]).message(text) == ascii)
        let (printer, narrow) = (
            terminal(["TERM": "dumb"]), terminal(["TERM": "dumb", "COLUMNS": "9"])
        )
        #expect(printer.message(text) == text && printer.page([Line(text)]) == text + "\n")
        #expect(printer.columns(usual: 70) == 70 && printer.helpColumns == 80)
        #expect(narrow.columns(usual: 70) == 20)
    }

    @Test("is cut between characters, never wider than asked")
    func truncated() {
        #expect(TextWidth.truncated("Annabel", to: 7) == "Annabel")
        #expect(TextWidth.truncated("Annabel", to: 4) == "Ann…")
        #expect(TextWidth.truncated("张伟张伟", to: 4) == "张…")
        #expect(TextWidth.truncated("👨‍👩‍👧x", to: 1) == "…")
        #expect(TextWidth.truncated("abc", to: 0) == "")
    }

    @Test("is wrapped between words")
    func wrapped() {
        #expect(TextWidth.wrapped("to be or not", to: 5) == ["to be", "or", "not"])
        #expect(TextWidth.wrapped("extraordinary a", to: 5) == ["extraordinary", "a"])
        #expect(TextWidth.wrapped("", to: 5) == [])
    }

    @Test("is wrapped with its styles if it is a sentence")
    func styles() {
        let line = Line("Started ") + Line("Friday night", .strong) + Line(" (rounds)")
        #expect(line.wrapped(to: 40) == [line])
        #expect(
            line.wrapped(to: 14) == [
                Line("Started ") + Line("Friday", .strong),
                Line("night", .strong) + Line(" (rounds)"),
            ]
        )
        for text in ["  an indented line", "a  table with columns"] {
            #expect(Line(text).wrapped(to: 10) == [Line(text)])
        }
        // A letter with a separate accent, and a name of two columns a character.
        let names = Line("A\u{308}nn und 张伟 und A\u{308}nn", .good).wrapped(to: 12)
        #expect(names.map(\.text) == ["A\u{308}nn und 张伟", "und A\u{308}nn"])
    }

    @Test("is wrapped around commands to type, if they fit into a line")
    func commands() {
        let text = "no session; choose: scorectl session use NAME, or 'scorectl help session'"
        #expect(
            TextWidth.wrapped(text, to: 30) == [
                "no session; choose:", "scorectl session use NAME, or", "'scorectl help session'",
            ]
        )
        #expect(
            TextWidth.wrapped(text, to: 20) == [
                "no session; choose:", "scorectl session use", "NAME, or 'scorectl",
                "help session'",
            ]
        )
    }

    @Test("never contains a control character of a name")
    func controls() {
        let evil = "A\u{1B}]0;x\u{7}\n\u{9B}2J\u{7F}\u{202E}b"
        let line = Line(evil, .bad)
        #expect(line.text == "A␛]0;x␇␊\u{FFFD}2J\u{FFFD}\u{FFFD}b")
        #expect(line.rendered(inColor: false) == line.text)
        #expect(line.rendered(inColor: true) == "\u{1B}[31m\(line.text)\u{1B}[0m")
        let json = HarmlessJSON.escaped(Array("\"a\u{7F}\u{9B}é\"".utf8))
        #expect(String(decoding: json, as: UTF8.self) == #""a\u007f\u009bé""#)
        let turned = HarmlessJSON.escaped(Array("\"a\u{202E}\u{2069}b\"".utf8))
        #expect(String(decoding: turned, as: UTF8.self) == #""a\u202e\u2069b""#)
    }

    @Test("is padded by columns and not by characters")
    func padded() {
        #expect(Line("张").padded(to: 4, .left).text == "张  ")
        #expect(Line("张").padded(to: 4, .right).text == "  张")
        #expect(Line("long").padded(to: 2, .right).text == "long")
    }

    @Test("is quoted where the shell would split words")
    func quoted() {
        #expect(ShellWord.quoted("round.3") == "round.3")
        #expect(ShellWord.quoted("Änn") == "Änn")
        #expect(ShellWord.quoted("Bob B") == "'Bob B'")
        #expect(ShellWord.quoted("O'Hara") == #"'O'\''Hara'"#)
        #expect(ShellWord.quoted("") == "''")
        #expect(ShellWord.quoted("$x;`y`") == "'$x;`y`'")
    }
}
