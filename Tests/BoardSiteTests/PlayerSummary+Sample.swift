import SyncProtocol

extension PlayerSummary {
    /// A player at a table.
    static func sample(
        _ id: String,
        _ name: String,
        removed: Bool = false,
        computer: ComputerSummary? = nil
    ) -> PlayerSummary {
        PlayerSummary(
            id: id,
            name: name,
            seat: 1,
            removed: removed,
            me: false,
            computer: computer
        )
    }
}
