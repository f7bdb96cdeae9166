package import SessionCRDT

/// A real store below a simulated disk: what it says it has is held against what it was given.
package protocol BackingStore: AnyObject {
    /// Puts a session without entries in it.
    func add(_ session: SessionID)
    /// Takes a session out of it.
    func remove(_ session: SessionID)
    /// Gives it a batch, while there is no room where `isFull`; whether it says that it has it.
    func commit(_ batch: Batch, _ session: SessionID, isFull: Bool) -> Bool
    /// What it has of a session, or why it cannot say.
    func load(_ session: SessionID) throws -> ReplicaSnapshot
    /// The process dies, with a batch on its way where there is one.
    func die(during batch: Batch?, of session: SessionID, losingPower: Bool, seed: UInt64)
}
