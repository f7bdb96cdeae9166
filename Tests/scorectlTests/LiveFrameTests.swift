import SyncProtocol
import SyncTestKit
import TerminalText
import Testing

@testable import scorectl

@Suite("The screen of the live view")
struct LiveFrameTests {
    private func table(_ players: Int, rounds: Int) -> ShowReply {
        let all = (1...players).map { number in
            let cells = (1...rounds).map { Sample.cell($0, Int64($0 * 10 + number)) }
            return Sample.player("Player \(number)", seat: number, cells, rank: number)
        }
        return Sample.show(all, rounds: rounds)
    }

    private func frame(
        _ show: ShowReply,
        _ view: LiveView = LiveView(),
        columns: Int = 80,
        rows: Int = 24,
        around: LiveFrame.Notices = LiveFrame.Notices()
    ) -> LiveFrame {
        let form = PageFormat(columns: columns)
        return LiveFrame(view, around, form, rows: rows) { rows in
            LiveTable(show, form, rows: rows, now: Sample.now).content(from: view.column)
        }
    }

    private func text(_ frame: LiveFrame) -> [String] { frame.lines.map(\.text) }

    @Test("keeps names and totals in sight while rows scroll, the latest first")
    func rows() throws {
        let show = table(3, rounds: 40)
        var view = LiveView()
        let last = frame(show, view)
        #expect(text(last).contains { $0.hasPrefix("  Round 40") })
        #expect(!text(last).contains { $0.hasPrefix("  Round 1 ") })
        for line in ["Player 1", "  Total", "  Rank"] {
            #expect(text(last).contains { $0.contains(line) }, "\(line)")
        }
        #expect(last.range.top > 0 && last.range.below == 0)
        view.range = last.range
        _ = view.handle(.home, on: show)
        let first = frame(show, view)
        #expect(text(first).contains { $0.hasPrefix("  Round 1 ") })
        #expect(text(first).contains { $0.hasPrefix("  Total") })
        #expect(first.range.top == 0 && first.range.below == last.range.top)
    }

    @Test("shows many players as rows, and scrolls rounds sideways")
    func sideways() {
        let show = table(20, rounds: 30)
        var view = LiveView()
        let last = frame(show, view)
        #expect(text(last).contains { $0.contains("Round 30") })
        #expect(last.range.column > 0 && last.range.column == last.range.maxColumn)
        view.range = last.range
        _ = view.handle(.left, on: show)
        let before = frame(show, view)
        #expect(before.range.column == last.range.column - 1)
        #expect(!text(before).contains { $0.contains("Round 30") })
        #expect(text(before).contains { $0.contains("Player 1 ") })
    }

    @Test("fills a terminal of any size, with no line too wide")
    func sizes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let sheets = [Sample.friday, table(5, rounds: 16), table(20, rounds: 12)]
        for _ in 0..<60 {
            let columns = Int.random(in: 20...170, using: &generator)
            let rows = Int.random(in: 1...50, using: &generator)
            for show in sheets {
                var view = LiveView()
                for _ in 0..<Int.random(in: 0...40, using: &generator) {
                    _ = view.handle(.character("張"), on: show)
                }
                let around = LiveFrame.Notices(
                    next: NamedSession(id: "x", title: "A long title of another session"),
                    isLost: Bool.random(using: &generator)
                )
                let frame = frame(show, view, columns: columns, rows: rows, around: around)
                #expect(frame.lines.count == rows, "seed \(seed), \(columns)×\(rows)")
                #expect(
                    frame.lines.allSatisfy { $0.width <= columns },
                    "seed \(seed), \(columns)×\(rows)"
                )
                #expect(frame.column < columns, "seed \(seed), \(columns)×\(rows)")
            }
        }
    }

    @Test("shows the part of a long line in which the cursor is")
    func prompt() {
        var view = LiveView()
        _ = view.handle(.paste(String(repeating: "a", count: 60) + "b"), on: Sample.friday)
        let end = frame(Sample.friday, view, columns: 40)
        #expect(end.lines.last?.text.hasSuffix("ab") == true)
        _ = view.handle(.control("a"), on: Sample.friday)
        let start = frame(Sample.friday, view, columns: 40)
        #expect(start.column == 2)
        #expect(start.lines.last?.text.hasPrefix("› aaa") == true)
    }

    @Test("shows the next session, and that the daemon has stopped")
    func surroundings() {
        let around = LiveFrame.Notices(
            next: NamedSession(id: "x", title: "Chess"),
            isLost: true
        )
        let lines = text(frame(Sample.friday, around: around))
        #expect(lines.contains("“Chess” has started. Press n to switch to it."))
        #expect(lines.contains { $0.hasPrefix("The daemon has stopped") })
    }

    @Test("isolates words from right to left, and nothing else")
    func bidirectional() {
        #expect(Bidirectional.isolated("Ann 12") == "Ann 12")
        #expect(Bidirectional.isolated("שלום") == "\u{2068}שלום\u{2069}")
        #expect(Bidirectional.isolated("שלום עולם 12") == "\u{2068}שלום עולם\u{2069} 12")
        #expect(
            Bidirectional.isolated("שלום and דוד") == "\u{2068}שלום\u{2069} and \u{2068}דוד\u{2069}"
        )
    }
}
