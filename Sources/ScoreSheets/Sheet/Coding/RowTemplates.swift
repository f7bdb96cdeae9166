import JSONCoding

/// Rows that are written down together: `{"repeat": {…}, "rows": [{…}, {…}]}` stands for as many
/// rows, each with the fields of `repeat` unless it says otherwise.
struct RowTemplates {
    /// The sheet without templates; nil where there are none.
    let json: [UInt8]?

    /// Where each row is written, in order.
    private let sources: [Source]

    private struct Source {
        /// The place in the list of rows.
        let entry: Int
        /// The place among the rows of a template; nil of a row that stands for itself.
        let inner: Int?
    }

    /// The templates of a sheet; one that is none is refused.
    init(_ sheet: JSONValue) throws(SheetText.Refusal) {
        var sources: [Source] = []
        var rows: [[(name: String, value: JSONValue)]] = []
        for (index, entry) in (sheet["rows"]?.elements ?? JSONValue.emptyObject.elements)
            .enumerated()
        {
            guard entry["repeat"] != nil else {
                sources.append(Source(entry: index, inner: nil))
                rows.append(RowTemplates.members(of: entry))
                continue
            }
            for (inner, row) in try RowTemplates.rows(of: entry).enumerated() {
                sources.append(Source(entry: index, inner: inner))
                rows.append(row)
            }
            guard rows.count <= Sheet.Limits.rows else {
                let reason = SheetFlaw.excess(rows.count, Sheet.Limits.rows)
                throw SheetText.Refusal(offset: entry.range.lowerBound, reason: reason)
            }
        }
        self.sources = sources
        guard sources.contains(where: { $0.inner != nil }) else {
            json = nil
            return
        }
        var json = JSONWriter()
        json.object { json in
            for (name, value) in sheet.members {
                json.name(name.string ?? "")
                guard name.string == "rows" else {
                    json.value(value.bytes)
                    continue
                }
                json.array { json in
                    for row in rows {
                        json.object { json in
                            for (name, value) in row {
                                json.name(name)
                                json.value(value.bytes)
                            }
                        }
                    }
                }
            }
        }
        self.json = json.bytes
    }

    private static func members(of row: JSONValue) -> [(name: String, value: JSONValue)] {
        row.members.map { (name: $0.name.string ?? "", value: $0.value) }
    }

    /// The rows that a template stands for.
    private static func rows(
        of template: JSONValue
    ) throws(SheetText.Refusal) -> [[(name: String, value: JSONValue)]] {
        func refusal(_ value: JSONValue, _ reason: String) -> SheetText.Refusal {
            SheetText.Refusal(offset: value.range.lowerBound, reason: reason)
        }
        for (name, value) in template.members where !["repeat", "rows"].contains(name.string) {
            let hint = (name.string ?? "").suggestion(among: ["rows"])
            throw refusal(value, "beside “repeat” there is only “rows”" + hint)
        }
        guard let common = template["repeat"], common.isObject else {
            throw refusal(template, "“repeat” takes the fields that rows have in common")
        }
        guard let rows = template["rows"], rows.isArray, rows.elements.count > 0 else {
            throw refusal(template, "“repeat” needs “rows” beside it, a list of rows")
        }
        let count = rows.elements.count
        guard count <= Sheet.Limits.rows else {
            throw refusal(rows, SheetFlaw.excess(count, Sheet.Limits.rows))
        }
        guard count * common.range.count <= Sheet.longest else {
            throw refusal(common, "for \(count) rows it comes to more than \(Sheet.longest) bytes")
        }
        let shared = members(of: common)
        return try rows.elements.map { row throws(SheetText.Refusal) in
            guard row.isObject else { throw refusal(row, "a row is an object") }
            let own = members(of: row)
            let names = Set(own.map(\.name))
            return own + shared.filter { !names.contains($0.name) }
        }
    }

    /// Where something is written that stands at this path without templates, the likeliest place
    /// first.
    func origins(of path: String) -> [String] {
        guard path.hasPrefix("rows["), let end = path.firstIndex(of: "]"),
            let index = Int(path[path.index(path.startIndex, offsetBy: 5)..<end]),
            sources.indices.contains(index)
        else { return [path] }
        let (source, rest) = (sources[index], path[path.index(after: end)...])
        guard let inner = source.inner else { return ["rows[\(source.entry)]\(rest)"] }
        return [
            "rows[\(source.entry)].rows[\(inner)]\(rest)", "rows[\(source.entry)].repeat\(rest)",
        ]
    }
}
