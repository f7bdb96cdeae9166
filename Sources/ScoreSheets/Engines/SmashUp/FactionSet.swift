package import SessionCRDT

/// A box of factions that people own and choose together.
package struct FactionSet: Hashable, Sendable {
    /// What players type: `core`.
    package let id: Symbol
    /// What tables show.
    package let name: String
    /// Whether its factions are dealt from where nobody chose.
    package let isChosen: Bool
    /// Its factions, in the order of the box; at least one.
    package let factions: [Faction]
}
