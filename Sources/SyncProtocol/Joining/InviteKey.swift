/// How a join code becomes the pre-shared key of the link that welcomes a joiner.
///
/// scrypt (RFC 7914) makes each guess at the 60 secret bits cost half a second and 128 MiB; it runs
/// once per code on each side, never per connection. These are the numbers; the daemon has the
/// function.
package enum InviteKey {
    /// The cost in time and memory, `N`.
    package static let cost: UInt64 = 1 << 17
    /// The block size, `r`.
    package static let blockSize: UInt64 = 8
    /// The parallelism, `p`.
    package static let parallelism: UInt64 = 1
    /// The length of the key, in bytes.
    package static let keyBytes = 32
    /// The memory that scrypt takes with these numbers, in bytes, and some for its own
    /// use.
    package static let memoryBytes: UInt64 = 128 * cost * blockSize + (4 << 20)

    private static let label = "scoresync join 1:"

    /// The password: the secret characters in capital ASCII letters and digits.
    package static func password(of code: JoinCode) -> [UInt8] { Array(code.secret.utf8) }

    /// The salt: a fixed label and the hint.
    package static func salt(of code: JoinCode) -> [UInt8] { Array((label + code.hint).utf8) }
}
