/// What one session asks of the engine as a whole: when it is due, and how it counts.
struct Demand: Hashable, Sendable {
    /// When an address is to be dialled.
    let dialAt: UInt64?
    /// When a link's silence or the disk is to be looked after.
    let checkAt: UInt64?
    /// Whether the disk is trusted, so that the session is announced.
    let isReadable: Bool
    /// Whether somebody can join with a code.
    let isInviting: Bool
    /// Whether a member who was here is not linked.
    let isMissingSomebody: Bool
}
