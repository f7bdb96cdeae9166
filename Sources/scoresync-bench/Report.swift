import Foundation

/// All measurements, for people and for programs.
struct Report {
    let measurements: [Measurement]
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
            let lines = measurements.map { measurement in
                var line: [String: Any] = values(measurement.series, measurement.processor)
                line["name"] = measurement.name
                line["title"] = measurement.title
                line["unit"] = measurement.unit.rawValue
                line["samples"] = measurement.series.count
                line["ratio"] = measurement.ratio
                line["target"] = measurement.target?.text(for: measurement)
                line["isMet"] = measurement.isMet
                line["floor"] = measurement.floor.map { floor in
                    values(floor.series, floor.processor)
                        .merging(["title": floor.title]) { value, _ in value }
                }
                return line
            }
            let document: [String: Any] = [
                "schema": 2, "directory": directory, "measurements": lines,
            ]
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            let data = try JSONSerialization.data(withJSONObject: document, options: options)
            return String(decoding: data, as: UTF8.self)
        }
    }

    private func values(_ series: Series, _ processor: Double?) -> [String: Any] {
        var values: [String: Any] = ["median": series.median, "p95": series.p95]
        values["processor"] = processor
        return values
    }
}

enum TextTable {
    enum Side {
        case left
        case right
    }

    /// Returns the lines, without trailing spaces.
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
