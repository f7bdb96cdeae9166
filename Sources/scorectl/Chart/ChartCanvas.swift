/// A picture of dots in the characters of a terminal.
///
/// With Unicode a character has two dots beside each other and four below each other (the Braille
/// patterns from U+2800), with ASCII it is one dot, drawn with the mark of its line. A character
/// belongs to the line that was drawn in it last.
struct ChartCanvas {
    /// What a character shows.
    private struct Cell {
        var dots: UInt8 = 0
        var line = 0
    }

    let columns: Int
    let rows: Int
    private let isUnicode: Bool
    private var cells: [Cell]

    /// The marks of lines in ASCII, one after the other and from the first again.
    static let marks = Array("*+ox#@%&")

    /// An empty picture.
    init(columns: Int, rows: Int, isUnicode: Bool) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        self.isUnicode = isUnicode
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
    }

    private var dotsAcross: Int { isUnicode ? columns * 2 : columns }
    private var dotsDown: Int { isUnicode ? rows * 4 : rows }

    /// The bit of a dot in its character, by column and row (Unicode, "Braille Patterns").
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// Draws a straight line between two places, each from 0 to 1 from the left and the bottom.
    mutating func draw(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        as line: Int
    ) {
        let (from, to) = (dot(start), dot(end))
        let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
        func between(_ from: Int, _ to: Int, _ step: Int) -> Int {
            (from * (steps - step) + to * step + steps / 2) / steps
        }
        for step in 0...steps {
            set(between(from.x, to.x, step), between(from.y, to.y, step), line)
        }
    }

    /// The row of characters in which a height is, from the top.
    func row(of height: Double) -> Int { dot((0, height)).y / (isUnicode ? 4 : 1) }

    private func dot(_ place: (x: Double, y: Double)) -> (x: Int, y: Int) {
        func part(_ share: Double, of count: Int) -> Int {
            Int(min(max(share, 0), 1) * Double(count - 1) + 0.5)
        }
        return (part(place.x, of: dotsAcross), part(1 - place.y, of: dotsDown))
    }

    private mutating func set(_ x: Int, _ y: Int, _ line: Int) {
        let (across, down) = isUnicode ? (2, 4) : (1, 1)
        let place = y / down * columns + x / across
        cells[place].dots |= Self.bits[x % across][y % down]
        cells[place].line = line
    }

    /// The picture, from the top.
    var lines: [Line] {
        (0..<rows).map { row in
            var line = Line()
            var rest = cells[row * columns..<(row + 1) * columns]
            while let first = rest.first {
                let run = rest.prefix { $0.line == first.line || $0.dots == 0 }
                line += Line(String(run.map(character)), .series(first.line))
                rest = rest.dropFirst(run.count)
            }
            return line
        }
    }

    private func character(_ cell: Cell) -> Character {
        guard cell.dots != 0 else { return " " }
        guard isUnicode else { return Self.marks[cell.line % Self.marks.count] }
        return Unicode.Scalar(0x2800 + UInt32(cell.dots)).map(Character.init) ?? " "
    }
}
