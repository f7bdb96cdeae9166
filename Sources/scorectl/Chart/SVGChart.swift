import SyncProtocol

/// A chart as an SVG 1.1 picture, in the light or dark mode of its viewer, with a title and a
/// description for screen readers.
struct SVGChart {
    private let plot: ChartPlot
    private let title: String

    init(_ chart: ChartReply, timeOfDay: (Int64) -> String) {
        plot = ChartPlot(chart, ticks: 6, timeOfDay: timeOfDay)
        title = chart.session.title
    }

    /// The colours of lines on light and on dark background, repeated with dashes for further lines.
    ///
    /// Each has a contrast of at least 3:1 (WCAG 2.2, 1.4.11).
    private static let colors = [
        ("#1b6ca8", "#7cc4ff"), ("#c2410c", "#ffb077"), ("#15803d", "#7ee2a0"),
        ("#7c3aed", "#c4a7ff"), ("#be185d", "#ff9ac4"), ("#0f766e", "#6fe0d2"),
        ("#854d0e", "#f2d06b"), ("#475569", "#b8c4d4"),
    ]

    /// The area of the lines within the picture.
    private enum Area {
        static let (left, top, width, height) = (70, 60, 680, 340)
        static let (wholeWidth, wholeHeight) = (960, 460)
        static let lineHeight = 20
    }

    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" \
        viewBox="0 0 \(Area.wholeWidth) \(Area.wholeHeight)" \
        role="img" aria-labelledby="title desc">
        <title id="title">\(head)</title>
        <desc id="desc">\(Self.escaped(description))</desc>
        <style>
        \(style)
        </style>
        <rect class="paper" width="100%" height="100%"/>
        <text class="head" x="24" y="36">\(head)</text>
        \((grid + lines + names).joined(separator: "\n"))
        </svg>

        """
    }

    private var head: String { Self.escaped("\(title) · \(plot.caption)") }

    /// The totals, in words.
    private var description: String {
        plot.series.map { "\($0.name) \($0.total)" }.joined(separator: ", ")
    }

    private var style: String {
        func rules(_ color: ((String, String)) -> String) -> String {
            Self.colors.enumerated().map { number, pair in
                ".c\(number){stroke:\(color(pair))}.n\(number){fill:\(color(pair))}"
            }
            .joined()
        }
        return """
            text{font:16px system-ui,sans-serif}.head{font-weight:600}\
            .paper{fill:#fff}.head{fill:#111}.axis{fill:#555}.grid{stroke:#ddd}\
            polyline{fill:none;stroke-width:2.5;stroke-linejoin:round}.dashed{stroke-dasharray:7 5}
            \(rules(\.0))
            @media (prefers-color-scheme:dark){\
            .paper{fill:#14171a}.head{fill:#eee}.axis{fill:#aab}.grid{stroke:#333a40}\
            \(rules(\.1))}
            """
    }

    private var grid: [String] {
        let ticks = plot.ticks.map { tick in
            let y = Self.y(tick.height)
            return "<line class=\"grid\" x1=\"\(Area.left)\" x2=\"\(Area.left + Area.width)\" "
                + "y1=\"\(y)\" y2=\"\(y)\"/>"
                + "<text class=\"axis\" text-anchor=\"end\" x=\"\(Area.left - 10)\" "
                + "y=\"\(y + 5)\">\(tick.number)</text>"
        }
        let below = Area.top + Area.height + 28
        return ticks + [
            "<text class=\"axis\" x=\"\(Area.left)\" y=\"\(below)\">\(plot.first)</text>",
            "<text class=\"axis\" text-anchor=\"end\" x=\"\(Area.left + Area.width)\" "
                + "y=\"\(below)\">\(plot.last)</text>",
        ]
    }

    private var lines: [String] {
        plot.series.enumerated().reversed().map { number, series in
            let points = zip(plot.positions, series.heights).map { position, height in
                "\(Self.x(position)),\(Self.y(height))"
            }
            let classes = Self.classes("c", number) + (Self.isDashed(number) ? " dashed" : "")
            // A single step is drawn as a dot.
            let whole = points.count == 1 ? points + points : points
            return "<polyline class=\"\(classes)\" stroke-linecap=\"round\" "
                + "points=\"\(whole.joined(separator: " "))\"/>"
        }
    }

    private var names: [String] {
        let rows = Area.height / Area.lineHeight + 1
        let wanted = plot.series.enumerated().map { number, series in
            (number: number, row: Int((1 - (series.heights.last ?? 0)) * Double(rows - 1) + 0.5))
        }
        let order = wanted.sorted { ($0.row, $0.number) < ($1.row, $1.number) }
        return zip(LabelLayout.rows(for: order.map(\.row), in: rows), order).map { row, end in
            let series = plot.series[end.number]
            // Isolates keep the number after the name, whatever its direction.
            let name = "\u{2068}" + TextWidth.truncated(series.name, to: 16) + "\u{2069}"
            return "<text class=\"\(Self.classes("n", end.number))\" "
                + "x=\"\(Area.left + Area.width + 12)\" "
                + "y=\"\(Area.top + row * Area.lineHeight + 6)\">"
                + "\(Self.escaped(name)) \(series.total)</text>"
        }
    }

    private static func classes(_ letter: String, _ number: Int) -> String {
        "\(letter)\(number % colors.count)"
    }

    private static func isDashed(_ number: Int) -> Bool { number >= colors.count }

    private static func x(_ position: Double) -> Int {
        Area.left + Int(position * Double(Area.width) + 0.5)
    }

    private static func y(_ height: Double) -> Int {
        Area.top + Int((1 - height) * Double(Area.height) + 0.5)
    }

    /// A text as XML: markup escaped, and characters that XML 1.0 forbids replaced.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
