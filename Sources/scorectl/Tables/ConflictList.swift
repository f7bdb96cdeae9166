import SyncProtocol

/// The cells that say different things, each with the commands that settle it.
enum ConflictList {
    static func lines(_ conflicts: [ConflictSummary], now: Int64) -> [Line] {
        guard !conflicts.isEmpty else { return [Line("No conflicts.")] }
        var blocks: [[Line]] = []
        for conflict in conflicts {
            let address = CellAddress.text(conflict.row, conflict.round)
            let head = Line(conflict.player, .strong) + Line(" " + (conflict.label ?? address))
            let rows = conflict.values.enumerated().map { index, value -> [Line] in
                let command = resolve(conflict.player, address, value)
                let by = "by \(value.by), \(Ago.text(value.at, now: now))"
                let shown = index == 0 ? " (shown)" : ""
                return [Line("  " + read(value)), Line(by + shown, .faint), Line(command)]
            }
            blocks.append([head] + Table.aligned(rows, [.left, .left, .left], gap: 2))
        }
        return Array(blocks.joined(separator: [Line()]))
    }

    /// The command that lets a value stand.
    static func resolve(_ player: String, _ address: String, _ chosen: AttributedValue) -> String {
        (["scorectl"] + words(player, address, chosen)).map(ShellWord.quoted)
            .joined(separator: " ")
    }

    /// The words of that command.
    static func words(
        _ player: String,
        _ address: String,
        _ chosen: AttributedValue
    ) -> [String] {
        guard chosen.value != .null else { return ["clear", player, address] }
        return ["resolve", player, address, chosen.typed ?? typed(chosen.value)]
    }

    /// A value as people read it.
    static func read(_ value: AttributedValue) -> String { value.text ?? "\(value.value)" }

    /// A value as it is typed, not as tables show it.
    private static func typed(_ value: Scalar) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): flag ? "yes" : "no"
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}
