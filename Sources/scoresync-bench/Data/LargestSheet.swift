import ScoreSheets

/// A sheet as large as any can be, of the rows that look at others: each is ranked, and as many as
/// there can be are worked out from as many as they can read.
enum LargestSheet {
    /// The rows of rounds from which others are worked out, and which hold most of what is written.
    static let rounds = (0..<Sheet.Limits.sources).map { "round-\($0)" }
    /// The rows without rounds.
    static let numbers = (0..<Sheet.Limits.rows - rounds.count - sums.count).map { "number-\($0)" }
    /// The rows that are worked out.
    private static let sums =
        (0..<Sheet.Limits.allSources / Sheet.Limits.sources).map { "sum-\($0)" }

    /// The sheet.
    static func make() throws -> Sheet {
        let places = (1...Sheet.Limits.table).reversed().map(String.init).joined(separator: ", ")
        let worth = #""per": 2, "factor": 3, "places": [\#(places)]"#
        let of = rounds.map { #""\#($0)""# }.joined(separator: ", ")
        func row(_ id: String, _ kind: String, _ more: String = "") -> String {
            #"{"id": "\#(id)", "label": "\#(id)", "kind": "\#(kind)", \#(more)\#(worth)}"#
        }
        let rows =
            rounds.map { row($0, "rounds") } + numbers.map { row($0, "number", #""empty": 1, "#) }
            + sums.map { row($0, "sum", #""of": [\#(of)], "#) }
        let ties = numbers.prefix(Sheet.Limits.tieBreakers).map { #"{"row": "\#($0)"}"# }
        return try Sheet(
            json: """
                {"id": "largest", "name": "Largest", "target": 1,
                 "rows": [\(rows.joined(separator: ", "))],
                 "tieBreakers": [\(ties.joined(separator: ", "))]}
                """
        )
    }
}
