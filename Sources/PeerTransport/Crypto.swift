internal import COpenSSL
internal import SessionCRDT

/// An OpenSSL function that failed outside a handshake: out of memory, or invalid parameters.
package struct CryptoFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let operation: String
    /// OpenSSL's explanation, which never contains a secret.
    package let reason: String

    init(_ operation: String, reason: String) {
        (self.operation, self.reason) = (operation, reason)
    }

    /// Describes the failure by the error queue of the thread, and empties that queue.
    init(_ operation: String) { self.init(operation, reason: OpenSSLErrors.removeFirst().text) }

    package var description: String { "\(operation) failed: \(reason)" }
}

/// The error queue that OpenSSL keeps for each thread.
enum OpenSSLErrors {
    /// Returns the oldest error, which caused the later ones, and empties the queue.
    static func removeFirst() -> (reason: Int32, text: String) {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return (0, "no reason given") }
        let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return (shim_ERR_GET_REASON(code), text ?? "error \(code)")
    }
}

/// Cryptographic randomness for keys, ids and codes.
package enum SecureRandom {
    /// Returns `count` bytes from OpenSSL's generator, which is seeded by the kernel.
    package static func bytes(_ count: Int) throws(CryptoFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        ERR_clear_error()
        guard unsafe RAND_bytes(&bytes, Int32(clamping: count)) == 1 else {
            throw CryptoFailure("RAND_bytes")
        }
        return bytes
    }
}

/// SHA-256 (FIPS 180-4), computed by OpenSSL.
package enum SHA256 {
    package static func digest(of message: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        ERR_clear_error()
        let result = unsafe EVP_Digest(message, message.count, &digest, &length, EVP_sha256(), nil)
        guard result == 1, length == 32 else { throw CryptoFailure("SHA-256") }
        return digest
    }

    /// Returns the digest as 64 lowercase hexadecimal digits.
    package static func hexadecimal(of message: [UInt8]) throws(CryptoFailure) -> String {
        Hexadecimal.text(of: try digest(of: message))
    }
}

/// The password-based key derivation function of RFC 7914, computed by OpenSSL.
package enum Scrypt {
    /// Derives `length` bytes from a password.
    ///
    /// It takes about 128·n·r bytes of memory and, for n = 2¹⁷ and r = 8, half a second: never call
    /// it on the event queue. `n` must be a power of two.
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
        // OpenSSL's own count of memory: p blocks, and n + 2 for mixing. Its default limit is 32
        // MiB.
        let memory = UInt64(128 * r * (n + p + 2) + 1024)
        // OpenSSL takes a null pointer as a request to check only the parameters, so append a byte.
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

/// The bytes of a key, in a buffer with a single owner that is zeroed when it is freed.
///
/// Arrays of bytes leave copies in memory; a key that must not remain there is created in such a
/// buffer and passed by reference. `bytes` makes a copy, for a key that is to be stored or sent.
/// Invariant for `@unchecked Sendable`: the buffer is written only in `init` and zeroed only in
/// `deinit`.
@safe
package final class Secret: @unchecked Sendable, Equatable, CustomStringConvertible,
    CustomReflectable
{
    private let buffer: UnsafeMutableRawBufferPointer
    private let free: (UnsafeMutableRawBufferPointer) -> Void

    /// Creates a secret of `count` bytes, which `fill` must write.
    package convenience init<Failure: Error>(
        count: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        unsafe try self.init(count: count, freedBy: { unsafe $0.deallocate() }, filledBy: fill)
    }

    /// Creates a secret whose buffer is passed to `free` after it was zeroed.
    init<Failure: Error>(
        count: Int,
        freedBy free: @escaping (UnsafeMutableRawBufferPointer) -> Void,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        unsafe self.free = free
        unsafe buffer = .allocate(byteCount: count, alignment: 16)
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe try fill(buffer)
    }

    /// Creates a secret from the bytes of an array; the array itself is not zeroed.
    package convenience init(_ bytes: [UInt8]) {
        unsafe self.init(count: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    deinit {
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        unsafe free(buffer)
    }

    package var count: Int { unsafe buffer.count }

    /// A copy of the bytes, which is not zeroed; for a key that is to be stored or sent.
    package var bytes: [UInt8] { unsafe Array(buffer) }

    /// Calls `body` with the bytes, without copying them.
    func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(buffer))
    }

    /// Compares two secrets in constant time.
    package static func == (left: Secret, right: Secret) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.read { one in
            unsafe right.read { other in
                unsafe CRYPTO_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
            }
        }
    }

    package var description: String { "a secret of \(count) bytes" }

    /// An empty mirror, so that no dump of a value prints the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
