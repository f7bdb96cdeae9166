internal import COpenSSL

/// The password-based key derivation of RFC 7914, by OpenSSL.
package enum Scrypt {
    /// Derives `length` bytes from a password.
    ///
    /// It takes about 128·n·r bytes of memory and, for n = 2¹⁷ and r = 8, half a second: never call
    /// it on the queue of the links. `n` must be a power of two; OpenSSL refuses what RFC 7914
    /// does.
    package static func derive(
        password: [UInt8],
        salt: [UInt8],
        n: Int,
        r: Int,
        p: Int,
        length: Int
    ) throws(CryptoFailure) -> Secret {
        guard n > 1, r > 0, p > 0, length > 0, n <= 1 << 24, r <= 64, p <= 64 else {
            throw CryptoFailure("scrypt", reason: "parameters out of range")
        }
        // What OpenSSL counts: p blocks, and n + 2 of the mixing. Its own default is 32 MiB.
        let memory = UInt64(128 * r * (n + p + 2) + 1024)
        // OpenSSL takes a missing password for the wish to check the parameters only.
        let terminated = Secret(password + [0])
        ERR_clear_error()
        return unsafe try Secret(count: length) { key throws(CryptoFailure) in
            let result = unsafe terminated.read { secret in
                unsafe EVP_PBE_scrypt(
                    secret.baseAddress?.assumingMemoryBound(to: CChar.self),
                    password.count,
                    salt,
                    salt.count,
                    UInt64(n),
                    UInt64(r),
                    UInt64(p),
                    memory,
                    key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    length
                )
            }
            guard result == 1 else { throw CryptoFailure("scrypt") }
        }
    }
}
