/// A key that both ends of a link hold, and the name by which the dialling end says which one.
///
/// Two kinds exist: `m:<session>` with the session's own key, for members, and
/// `j:<hint>` with a key derived from a join code, good for handing over the other.
package struct PreSharedKey: Sendable {
    /// What is sent, unprotected, for the other end to find the key by.
    package let identity: String
    /// The key, 32 bytes.
    ///
    /// Never described, never logged.
    let secret: Secret

    /// A key under an identity; nil unless the identity is 1–64 bytes of printable ASCII and the
    /// key 32 bytes.
    package init?(identity: String, secret: Secret) {
        guard PreSharedKey.isValid(identity: identity.utf8),
            secret.count == TransportLimits.keyBytes
        else { return nil }
        self.identity = identity
        self.secret = secret
    }

    /// Whether bytes that a stranger sent can be an identity at all.
    static func isValid(identity: some Collection<UInt8>) -> Bool {
        (1...TransportLimits.identityBytes).contains(identity.count)
            && identity.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension PreSharedKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "PreSharedKey(\(identity))" }

    /// Shows the identity only, so that no dump of a value prints the key.
    package var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}
