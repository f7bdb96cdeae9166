extension ShowContext {
    /// The rows as they are shown: the fields of a round stand together, and behind them what it is
    /// worth.
    package var lines: [ShownRow] {
        guard rows.contains(where: { $0.group != nil }) else { return rows }
        var lines: [ShownRow] = []
        var rest = rows[...]
        while let first = rest.first {
            guard let group = first.group else {
                lines.append(first)
                rest = rest.dropFirst()
                continue
            }
            let fields = rest.prefix { $0.group == group || $0.row == group }
            let order = fields.enumerated().sorted { left, right in
                (left.element.round ?? 0, left.offset) < (right.element.round ?? 0, right.offset)
            }
            lines += order.map(\.element)
            rest = rest.dropFirst(fields.count)
        }
        return lines
    }
}
