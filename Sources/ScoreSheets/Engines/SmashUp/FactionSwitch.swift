/// How somebody changes which factions are dealt from.
package enum FactionSwitch: String, Hashable, CaseIterable {
    /// These too.
    case use
    /// Not these.
    case without
    /// These and no others.
    case only
}
