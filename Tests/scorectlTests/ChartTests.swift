import SessionCRDT
import SyncProtocol
import SyncTestKit
import TerminalText
import Testing

@testable import scorectl

@Suite("Charts")
struct ChartTests {
    private func chart(
        _ players: [(String, [Points])],
        teams: [(String, [Points])] = [],
        rounds: [Int]? = nil
    ) -> ChartReply {
        let count = players.first?.1.count ?? 0
        return ChartReply(
            session: Sample.friday.document.session,
            label: "Total",
            unit: .round,
            steps: (rounds ?? Array(0..<count)).map { ChartReply.Step(round: $0) }
        ).with {
            $0.players = players.map { ChartReply.Line(id: $0.0, name: $0.0, totals: $0.1) }
            $0.teams = teams.map { ChartReply.Line(name: $0.0, totals: $0.1) }
        }
    }

    private func text(
        _ chart: ChartReply,
        columns: Int = 30,
        rows: Int = 9,
        isUnicode: Bool = false
    ) -> [String] {
        let form = PageFormat(columns: columns, isUnicode: isUnicode)
        return TextChart(chart, form, rows: rows, timeOfDay: { "\($0)" }).lines.map(\.text)
    }

    @Test("draw lines from the first step to the last, with names at their ends")
    func ascii() {
        let lines = text(chart([("Ann", [0, 5, 10]), ("Bob", [0, 10, 6])])).map(Terminal.ascii)
        #expect(
            lines == [
                "Friday . Total by round",
                "10 +        ++     ** * Ann 10",
                "   |      ++  +++**  ",
                "   |     +    *** +++ + Bob 6",
                " 5 +   ++  ***       ",
                "   | ++****          ",
                " 0 +***              ",
                "   +-----------------",
                "    0               2",
            ],
            "\n\(lines.joined(separator: "\n"))"
        )
    }

    @Test("are drawn in Braille if the terminal can show it")
    func braille() {
        let lines = text(chart([("Ann", [0, 4])]), columns: 24, rows: 7, isUnicode: true)
        #expect(lines[1].hasPrefix("4 ┤"))
        let drawn = lines.joined().unicodeScalars.filter { (0x2800...0x28FF).contains($0.value) }
        #expect(!drawn.isEmpty)
        #expect(lines[1].hasSuffix("Ann 4"))
    }

    @Test("never exceed their area, for any numbers and names")
    func bounds() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let limits: [Int64] = [1, 40, 100_000, (1 << 53) - 1]
            let limit = limits.randomElement(using: &generator) ?? 1
            let steps = Int.random(in: 0...12, using: &generator)
            let names = ["Ann", "שלום", "陳大文", "Bob the Great and Terrible", "👩‍👩‍👧‍👦", ""]
            let players = names.prefix(Int.random(in: 0...6, using: &generator)).map { name in
                (
                    name,
                    (0..<steps).map { _ in
                        Points(Int64.random(in: -limit...limit, using: &generator))
                    }
                )
            }
            let columns = Int.random(in: 20...120, using: &generator)
            let rows = Int.random(in: 3...30, using: &generator)
            let isUnicode = Bool.random(using: &generator)
            let form = PageFormat(columns: columns, isUnicode: isUnicode)
            let chart = chart(players)
            let lines = TextChart(chart, form, rows: rows, timeOfDay: { "\($0)" }).lines
            #expect(lines.allSatisfy { $0.width <= columns }, "seed \(seed)")
            #expect(lines.count <= max(rows, 7), "seed \(seed)")
        }
    }

    @Test("have numbers at the edge that are 1, 2 or 5 times a power of ten apart")
    func ticks() {
        let plot = ChartPlot(chart([("Ann", [-3, 38])]), ticks: 5) { "\($0)" }
        #expect(plot.ticks.map(\.number) == [-10, 0, 10, 20, 30, 40])
        #expect(plot.series[0].heights == [0.14, 0.96])
        let flat = ChartPlot(chart([("Ann", [7, 7])]), ticks: 5) { "\($0)" }
        #expect(flat.ticks.map(\.number) == [7, 8])
    }

    @Test("have teams above players, and time from left to right")
    func teams() {
        var reply = chart([("Ann", [1, 2, 3])], teams: [("Red", [1, 2, 3])])
        reply.steps = [0, 100, 400].map { ChartReply.Step(at: Timestamp(milliseconds: $0)) }
        reply.unit = .time
        let plot = ChartPlot(reply, ticks: 2) { "at \($0)" }
        #expect(plot.series.map(\.name) == ["team Red", "Ann"])
        #expect(plot.positions == [0, 0.25, 1])
        #expect(plot.first == "at 0" && plot.last == "at 400")
        #expect(plot.caption == "Total over time")
    }

    @Test("spread overlapping labels, and keep their order")
    func spread() {
        #expect(LabelLayout.rows(for: [3, 3, 3], in: 10) == [3, 4, 5])
        #expect(LabelLayout.rows(for: [9, 9, 9], in: 10) == [7, 8, 9])
        #expect(LabelLayout.rows(for: [0, 1, 1, 2], in: 3) == [0, 1, 2])
        #expect(LabelLayout.rows(for: [], in: 3).isEmpty)
    }

    @Test("as SVG escape names, and have a description")
    func picture() {
        let reply = chart([("<script>alert('&')</script>", [0, 1]), ("שלום", [0, 2])])
        let text = SVGChart(reply, timeOfDay: { "\($0)" }).text
        #expect(!text.contains("<script"))
        #expect(text.contains("&lt;script&gt;alert('&amp;')&lt;/script&gt; 1, שלום 2</desc>"))
        #expect(text.contains("<title id=\"title\">Friday · Total by round</title>"))
        #expect(text.contains("prefers-color-scheme:dark"))
        #expect(text.contains("\u{2068}שלום\u{2069} 2</text>"))
        #expect(!text.contains("http") || text.contains("http://www.w3.org/2000/svg"))
    }
}
