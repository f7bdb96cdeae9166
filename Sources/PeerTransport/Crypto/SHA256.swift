internal import COpenSSL
internal import SessionCRDT

/// The hash function of FIPS 180-4 with 256 bits, by OpenSSL.
package enum SHA256 {
    /// The 32 bytes of the digest of a message.
    package static func digest(of message: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        ERR_clear_error()
        let result = unsafe EVP_Digest(
            message,
            message.count,
            &digest,
            &length,
            EVP_sha256(),
            nil
        )
        guard result == 1, length == 32 else { throw CryptoFailure("SHA-256") }
        return digest
    }

    /// The digest of a message as 64 lower-case hexadecimal digits.
    package static func hexadecimal(of message: [UInt8]) throws(CryptoFailure) -> String {
        Hexadecimal.text(of: try digest(of: message))
    }
}
