package import SessionCRDT
package import SyncProtocol

/// The facts that both laptops of a knock must see alike.
///
/// A man in the middle has to complete one exchange with each laptop. The joiner commits to its key
/// before it sees the inviter's, so both keys of one exchange are fixed before he knows both keys
/// of the other: the four symbols of the two agree with probability 2⁻²⁴, once for each yes. This is
/// the short authentication string of S. Vaudenay (Crypto 2005), as ZRTP (RFC 6189, 4.4.1.1) uses
/// it.
package struct KnockTranscript {
    package var session: SessionID
    package var door: Door
    package var joiner: KnockingLaptop
    package var commitment: [UInt8]
    package var inviterKey: [UInt8]
    package var joinerKey: [UInt8]

    package init(
        session: SessionID,
        door: Door,
        joiner: KnockingLaptop,
        commitment: [UInt8],
        inviterKey: [UInt8],
        joinerKey: [UInt8]
    ) {
        (self.session, self.door, self.joiner) = (session, door, joiner)
        (self.commitment, self.inviterKey) = (commitment, inviterKey)
        self.joinerKey = joinerKey
    }

    /// Returns the commitment to a key, which reveals nothing about it: keys are random.
    package static func commitment(to key: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        try SHA256.digest(of: Array("scoresync commitment 1".utf8) + key)
    }

    /// The SHA-256 digest of a label and the fields, each after its length in four bytes.
    fileprivate func digest() throws(CryptoFailure) -> [UInt8] {
        let fields = [
            Array("scoresync knock 1".utf8), Array(session.description.utf8),
            Array(door.device.description.utf8), Array(door.laptop.utf8),
            Array(door.title.utf8), Array(door.game.utf8),
            Array(joiner.device.description.utf8), Array(joiner.name.utf8),
            commitment, inviterKey, joinerKey,
        ]
        return try SHA256.digest(
            of: fields.flatMap { field in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: field.count >> $0) } + field
            }
        )
    }
}

/// The result of an exchange, equal on both laptops unless somebody is between them.
package struct AgreedKnock {
    package let id: KnockID
    package let symbols: [KnockSymbol]
    private let secret: Secret
    private let digest: [UInt8]

    /// Derives the result from one's own key pair and the transcript.
    ///
    /// Throws if the other laptop's key does not match its commitment, or is not a usable key.
    package init(_ transcript: KnockTranscript, own: AgreementKey) throws(CryptoFailure) {
        guard
            try KnockTranscript.commitment(to: transcript.joinerKey) == transcript.commitment
        else { throw CryptoFailure("knock", reason: "the key does not match its commitment") }
        let isJoiner = own.publicKey == transcript.joinerKey
        let other = isJoiner ? transcript.inviterKey : transcript.joinerKey
        secret = try own.secret(with: other)
        digest = try transcript.digest()
        let symbols = try HKDF.derive(from: [secret], salt: digest, info: "symbols", length: 3)
        self.symbols = KnockSymbol.symbols(of: symbols.bytes)
        let id = try SHA256.digest(of: Array("scoresync knock id 1".utf8) + digest)
        self.id = KnockID(
            high: id.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: id[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }

    /// Returns the key of the link on which the joiner waits to be admitted.
    ///
    /// With the key of an earlier game the link opens only between these two laptops, so nobody
    /// needs to compare symbols.
    package func admissionKey(known pair: Secret?) throws(CryptoFailure) -> Secret {
        try HKDF.derive(
            from: [secret] + (pair.map { [$0] } ?? []),
            salt: digest,
            info: pair == nil ? "admission" : "admission of a known laptop"
        )
    }
}
