/// A fault of the engine that is known and open: worlds that show it are left out until it is
/// mended, so that they do not hide what is not known.
///
/// Who mends one takes it out here, and with it what keeps such worlds away.
package enum KnownFault: String, CaseIterable, Codable, Sendable {
    /// A finished session is not brought level again where announcements do not tell that it
    /// differs: who was agreed with rests, and does not dial when the other cannot.
    case finishedRestsForEver
    /// Who cannot be dialled never dials a member again while a copy of its home is linked.
    case cloneBehindFirewall
    /// A session that cannot be read at a start says that it was left, and typed or told contacts
    /// rest.
    case unreadableSaysLeft
    /// Who has a full disk redials at once, and is sent everything again every few seconds.
    case fullDiskStaysBusy
    /// A dot under a second key makes deltas unsound.
    case rottedKey
    /// A vector that counts what never came makes two replicas with equal vectors differ.
    case rottedVector
    /// A union brings back what its receiver replaced while it was on its way.
    case unionBringsBack
}
