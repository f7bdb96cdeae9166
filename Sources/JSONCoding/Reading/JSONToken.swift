/// Where a value or a name of an object stands in a JSON text.
///
/// The tokens of a container follow it, up to `next`; in an object the token of each name comes
/// right before that of its value.
struct JSONToken: Hashable, Sendable {
    /// The form of a value.
    enum Kind: UInt8, Sendable {
        case null
        case no
        case yes
        /// A number without fraction and exponent, within ±(2⁵³ − 1).
        case integer
        /// Any other number.
        case fraction
        /// A text that is spelled in the only way there is, in ASCII without escapes.
        case plainText
        /// Any other text.
        case text
        case array
        case object
    }

    /// The form.
    let kind: Kind
    /// The first byte.
    let start: UInt32
    /// The byte after the last.
    var end: UInt32 = 0
    /// The token after this value and everything in it.
    var next: UInt32 = 0
}
