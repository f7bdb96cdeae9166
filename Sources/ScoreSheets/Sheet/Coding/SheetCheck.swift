import JSONCoding

/// Reports all problems of the JSON of a sheet with their positions.
package enum SheetCheck {
    /// Returns the problems from the top; empty if the JSON is a valid sheet.
    ///
    /// Fields, rows and options are checked one by one, so that a flaw in one does not hide
    /// another; then the references between them; and last what is valid but never intended, such
    /// as a division by zero.
    package static func problems(in json: String) -> [SheetProblem] {
        let bytes = Array(json.utf8)
        func problem(_ path: String, at byte: Int, _ reason: String) -> SheetProblem {
            let (line, column) = SheetText.position(of: byte, in: bytes)
            return SheetProblem(line: line, column: column, path: path, reason: reason)
        }
        guard bytes.count <= Sheet.maxBytes else {
            return [problem("", at: 0, SheetError.tooLong(bytes.count).description)]
        }
        let text: SheetText
        do throws(SheetText.Refusal) { text = try SheetText(bytes) } catch {
            return [problem(error.path, at: error.offset, error.reason)]
        }
        let flaws: [SheetFlaw]
        do { flaws = try text.root.decode(Sheet.self).warnings } catch {
            flaws = SheetFlaw.all(in: error)
        }
        // A flaw in a template is reported once, not for each of its rows.
        var seen: Set<SheetProblem> = []
        return flaws.map { (text.origin(of: $0), $0.reason) }
            .sorted { ($0.0.byte, $0.0.path, $0.1) < ($1.0.byte, $1.0.path, $1.1) }
            .map { origin, reason in problem(origin.path, at: origin.byte, reason) }
            .filter { seen.insert($0).inserted }
    }
}

package struct SheetProblem: Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1 like the column, which counts characters.
    package let line: Int
    package let column: Int
    /// The path: `rows[2].kind`; empty for the whole sheet.
    package let path: String
    package let reason: String

    /// The problem in one line: `line 7, column 12: rows[2].kind: …`.
    package var description: String {
        "line \(line), column \(column): \(path.isEmpty ? "" : path + ": ")\(reason)"
    }
}
