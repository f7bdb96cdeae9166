/// Says what is wrong with the JSON of a sheet.
package enum SheetCheck {
    /// Everything that is wrong; nothing where the sheet can be played by.
    package static func problems(in json: String) -> [SheetProblem] {
        do throws(SheetError) {
            _ = try Sheet(json: json)
            return []
        } catch .unreadable(let path, let reason) {
            return [SheetProblem(line: 1, column: 1, path: path, reason: reason)]
        } catch {
            return [SheetProblem(line: 1, column: 1, path: "", reason: "\(error)")]
        }
    }
}

/// Something that is wrong with the JSON of a sheet.
package struct SheetProblem: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int
    /// Which field: `rows[2].kind`; empty for the whole.
    package let path: String
    /// What is wrong with it.
    package let reason: String
}
