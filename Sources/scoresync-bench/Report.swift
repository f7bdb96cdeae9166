import FoundationEssentials

/// All that was measured, for people and for programs.
struct Report {
    private let measurements: [Measurement]
    private let directory: String

    /// The report of these measurements, whose homes were below the directory.
    init(_ measurements: [Measurement], directory: String) {
        self.measurements = measurements
        self.directory = directory
    }

    /// A table, then what the floors are and which targets were missed.
    var text: String {
        let head = ["", "median", "p95", "floor", "ratio", "cpu", "cpu floor", "target", ""]
        let rows = measurements.map { measurement in
            [
                measurement.title,
                measurement.text(measurement.series.median),
                measurement.text(measurement.series.p95),
                measurement.floor.map { measurement.text($0.series.median) } ?? "",
                measurement.ratio.map { Measurement.short($0) + "×" } ?? "",
                measurement.processor.map(Measurement.time) ?? "",
                measurement.floor?.processor.map(Measurement.time) ?? "",
                measurement.target?.text(for: measurement) ?? "",
                measurement.isMet.map { $0 ? "met" : "MISSED" } ?? "",
            ]
        }
        let table = TextTable.aligned(
            [head] + rows,
            [.left] + Array(repeating: .right, count: 7) + [.left]
        )
        let floors = measurements.compactMap { measurement in
            measurement.floor.map { ["  " + measurement.name, $0.title] }
        }
        let notes = TextTable.aligned(floors, [.left, .left])
        guard measurements.contains(where: { $0.target != nil }) else {
            return (table + ["", "Floors, measured in the same run:"] + notes)
                .joined(separator: "\n")
        }
        let missed = measurements.filter { $0.isMet == false }.map { "  " + $0.name }
        let verdict = missed.isEmpty ? "All targets are met." : "Targets that were missed:"
        return
            (table + ["", "Floors, measured in the same run:"] + notes + ["", verdict] + missed)
            .joined(separator: "\n")
    }

    /// One JSON object; times in seconds, sizes in bytes, shares of one core, rates in a second.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let document = Document(
                directory: directory,
                measurements: measurements.map(Document.Line.init)
            )
            return String(decoding: try encoder.encode(document), as: UTF8.self)
        }
    }

    private struct Document: Encodable {
        let schema = 2
        let directory: String
        let measurements: [Line]

        struct Line: Encodable {
            let name: String
            let title: String
            let unit: String
            let samples: Int
            let median: Double
            let p95: Double
            let floor: Bottom?
            let ratio: Double?
            let processor: Double?
            let target: String?
            let isMet: Bool?

            struct Bottom: Encodable {
                let title: String
                let median: Double
                let p95: Double
                let processor: Double?
            }

            init(_ measurement: Measurement) {
                name = measurement.name
                title = measurement.title
                unit = measurement.unit.rawValue
                samples = measurement.series.count
                median = measurement.series.median
                p95 = measurement.series.p95
                floor = measurement.floor.map {
                    Bottom(
                        title: $0.title,
                        median: $0.series.median,
                        p95: $0.series.p95,
                        processor: $0.processor
                    )
                }
                ratio = measurement.ratio
                processor = measurement.processor
                target = measurement.target?.text(for: measurement)
                isMet = measurement.isMet
            }
        }
    }
}

/// What a median must keep to.
enum Target: Sendable {
    /// So many at most.
    case atMost(Double)
    /// So many at least.
    case atLeast(Double)
    /// So many times the floor at most.
    case timesFloor(Double)
    /// So much more than the floor at most.
    case overFloor(Double)

    /// Whether the measurement keeps to it; a floor that is missing is never kept to.
    func isMet(by measurement: Measurement) -> Bool {
        let median = measurement.series.median
        return switch self {
        case .atMost(let most): median <= most
        case .atLeast(let least): median >= least
        case .timesFloor(let most): measurement.ratio.map { $0 <= most } ?? false
        case .overFloor(let most):
            measurement.floor.map { median - $0.series.median <= most } ?? false
        }
    }

    /// It for people, in the unit of the measurement.
    func text(for measurement: Measurement) -> String {
        switch self {
        case .atMost(let most): "≤ " + measurement.text(most)
        case .atLeast(let least): "≥ " + measurement.text(least)
        case .timesFloor(let most): "≤ " + Measurement.short(most) + "×"
        case .overFloor(let most): "≤ floor + " + measurement.text(most)
        }
    }
}

/// Rows of cells with every column as wide as its widest cell.
enum TextTable {
    enum Side {
        case left
        case right
    }

    /// The lines of the rows; no line ends in spaces.
    static func aligned(_ rows: [[String]], _ sides: [Side]) -> [String] {
        let widths = sides.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(zip(row, sides), widths).map { cell, width in
                let space = String(repeating: " ", count: width - cell.0.count)
                return cell.1 == .left ? cell.0 + space : space + cell.0
            }
            let line = cells.joined(separator: "  ")
            let blanks = line.reversed().prefix { $0 == " " }.count
            return String(line.dropLast(blanks))
        }
    }
}
