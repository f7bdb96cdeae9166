internal import COpenSSL

/// Randomness for keys, ids and codes.
package enum SecureRandom {
    /// `count` bytes of OpenSSL's generator, which the kernel seeds.
    package static func bytes(_ count: Int) throws(CryptoFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        ERR_clear_error()
        guard unsafe RAND_bytes(&bytes, Int32(clamping: count)) == 1 else {
            throw CryptoFailure("RAND_bytes")
        }
        return bytes
    }
}
