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

    /// A table, then what the floors are.
    var text: String {
        let head = ["", "median", "p95", "floor", "ratio", "budget", ""]
        let rows = measurements.map { measurement in
            [
                measurement.title,
                measurement.text(measurement.series.median),
                measurement.text(measurement.series.p95),
                measurement.floor.map { measurement.text($0.series.median) } ?? "",
                measurement.ratio.map { Measurement.short($0) + "×" } ?? "",
                measurement.budget.map { measurement.text($0.value) } ?? "",
                Self.verdict(of: measurement),
            ]
        }
        let table = TextTable.aligned(
            [head] + rows,
            [.left, .right, .right, .right, .right, .right, .left]
        )
        let floors = measurements.compactMap { measurement in
            measurement.floor.map { ["  " + measurement.name, $0.title] }
        }
        let notes = TextTable.aligned(floors, [.left, .left])
        return (table + ["", "Floors, measured in the same run:"] + notes).joined(separator: "\n")
    }

    private static func verdict(of measurement: Measurement) -> String {
        guard let budget = measurement.budget else { return "" }
        if measurement.series.median < budget.value {
            // A good median must not hide that somebody waits too long now and then.
            return measurement.series.p95 < budget.limit ?? budget.value ? "ok" : "ok, p95 !!"
        }
        guard let limit = budget.limit else { return "!!" }
        let kept = measurement.series.median < limit ? "within" : "over"
        return "!! \(kept) the limit of \(measurement.text(limit))"
    }

    /// One JSON object; times in seconds, sizes in bytes, shares of one core.
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
        let schema = 1
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
            let budget: Double?
            let keepsBudget: Bool?

            struct Bottom: Encodable {
                let title: String
                let median: Double
                let p95: Double
            }

            init(_ measurement: Measurement) {
                name = measurement.name
                title = measurement.title
                unit = measurement.unit.rawValue
                samples = measurement.series.count
                median = measurement.series.median
                p95 = measurement.series.p95
                floor = measurement.floor.map {
                    Bottom(title: $0.title, median: $0.series.median, p95: $0.series.p95)
                }
                ratio = measurement.ratio
                budget = measurement.budget?.value
                keepsBudget = measurement.keepsBudget
            }
        }
    }
}
