/// A fault of the engine that is known and open: worlds that show it are left out until it is
/// mended, so that they do not hide what is not known.
///
/// Who mends one takes it out here, and with it what keeps such worlds away.
package enum KnownFault: String, CaseIterable, Codable, Sendable {
    /// A finished session is brought level again only after ten minutes where announcements do not
    /// tell that it differs, which no history waits for.
    case finishedRestsLong
    /// Who cannot be dialled never dials a member again while a copy of its home is linked.
    case cloneBehindFirewall
    /// A disk that stays full and cannot be read half of the time makes links come and go, and each
    /// new one introduces everybody again.
    case fullDiskIsLoud
    /// A vector that counts what never came makes two replicas with equal vectors differ.
    case rottedVector
}
