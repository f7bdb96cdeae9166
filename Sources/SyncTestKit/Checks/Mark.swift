/// Something rare that a campaign must have seen: what never occurs is not tested.
package enum Mark: String, CaseIterable, Codable, Sendable {
    /// Everything was sent, to repair a difference.
    case union
    /// A link was disputed by a newer one.
    case dispute
    /// Two values of one key were live.
    case conflict
    /// A write was reported as saved.
    case savedWrite
    /// A delta went out in several parts.
    case deltaOfParts
    /// A delta broke off in the middle.
    case cutDelta
    /// A delta did not fit.
    case need
    /// A link was one too many.
    case duplicate
    /// The disk refused a batch.
    case refusedBatch
    /// The disk took a batch and said that it had not.
    case unknownBatch
    /// A session could not be read.
    case unreadable
    /// A disk came back with less than it had.
    case setBack
    /// A laptop left because others had all that it wrote.
    case politeLeave
    /// A next game was taken up.
    case successor
    /// A copy of a home was seen.
    case clone
    /// A digest showed a difference.
    case digestMismatch
    /// A part agreed while the rest stayed broken.
    case healedCore
    /// A delta came whole after it had broken off in the middle.
    case resumedResync
    /// Things went wrong for a day and longer.
    case days
    /// More than six laptops were equal in the end.
    case crowd
    /// A dial went to somebody who lets nobody in.
    case firewall
    /// A disk gave back something else than was written.
    case rot
    /// The others agreed beside a disk that stayed full.
    case fullDisk
    /// A door was opened for who has a code.
    case invite
    /// An address was typed.
    case typedAddress
    /// Somebody wrote while the others came to agree.
    case lateWrite
}
