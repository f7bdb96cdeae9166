import FoundationEssentials

/// All measurements, for people and for programs.
struct Report {
    let measurements: [Measurement]
    /// The directory of the homes.
    let directory: String

    /// A table, then the descriptions of the floors and the missed targets.
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
        let sides: [TextTable.Side] = [.left] + Array(repeating: .right, count: 7) + [.left]
        let floors = measurements.compactMap { measurement in
            measurement.floor.map { ["  " + measurement.name, $0.title] }
        }
        let missed = measurements.filter { $0.isMet == false }.map { "  " + $0.name }
        let verdict = missed.isEmpty ? "All targets are met." : "Missed targets:"
        let hasTargets = measurements.contains { $0.target != nil }
        let parts = [
            TextTable.lines([head] + rows, sides),
            ["", "Floors, measured in the same run:"] + TextTable.lines(floors, [.left, .left]),
            hasTargets ? ["", verdict] + missed : [],
        ]
        return parts.joined().joined(separator: "\n")
    }

    /// One JSON object: seconds, bytes, shares of one core, rates per second.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let lines = measurements.map(Document.Line.init)
            let document = Document(directory: directory, measurements: lines)
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
            let floor: Floor?
            let ratio: Double?
            let processor: Double?
            let target: String?
            let isMet: Bool?

            struct Floor: Encodable {
                let title: String
                let median: Double
                let p95: Double
                let processor: Double?

                init(_ floor: Measurement.Floor) {
                    (title, processor) = (floor.title, floor.processor)
                    (median, p95) = (floor.series.median, floor.series.p95)
                }
            }

            init(_ measurement: Measurement) {
                (name, title) = (measurement.name, measurement.title)
                unit = measurement.unit.rawValue
                samples = measurement.series.count
                (median, p95) = (measurement.series.median, measurement.series.p95)
                floor = measurement.floor.map(Floor.init)
                ratio = measurement.ratio
                processor = measurement.processor
                target = measurement.target?.text(for: measurement)
                isMet = measurement.isMet
            }
        }
    }
}

/// Rows of cells in columns.
enum TextTable {
    enum Side {
        case left
        case right
    }

    /// The lines, without trailing spaces.
    static func lines(_ rows: [[String]], _ sides: [Side]) -> [String] {
        let widths = sides.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(zip(row, sides), widths).map { cell, width in
                let space = String(repeating: " ", count: width - cell.0.count)
                return cell.1 == .left ? cell.0 + space : space + cell.0
            }
            let line = cells.joined(separator: "  ")
            return String(line.dropLast(line.reversed().prefix { $0 == " " }.count))
        }
    }
}
