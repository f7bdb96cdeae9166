internal import COpenSSL
internal import SessionCRDT

/// A call of OpenSSL that failed outside a handshake: memory, or parameters that it refuses.
package struct CryptoFailure: Error, Hashable, Sendable {
    /// The function that failed.
    package let operation: String
    /// What OpenSSL says about it; never a secret.
    package let reason: String

    init(_ operation: String, reason: String) {
        self.operation = operation
        self.reason = reason
    }

    /// The failure that the thread's error queue describes; empties the queue.
    init(_ operation: String) {
        self.init(operation, reason: OpenSSLErrors.takeFirst().text)
    }
}

extension CryptoFailure: CustomStringConvertible {
    package var description: String { "\(operation) failed: \(reason)" }
}

/// The error queue that OpenSSL keeps for each thread.
enum OpenSSLErrors {
    /// The oldest error, which is the cause of those after it; empties the queue.
    static func takeFirst() -> (reason: Int32, text: String) {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return (0, "no reason given") }
        let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return (shim_ERR_GET_REASON(code), text ?? "error \(code)")
    }
}

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

/// The bytes of a key, in one buffer that nobody else owns and that is zeroed when it goes.
///
/// Arrays of bytes are copied and left behind wherever they were; what must not stay in memory is
/// made in such a buffer and handed on by reference. `bytes` makes a copy, for what has to be
/// stored or sent. Invariant for `@unchecked Sendable`: the buffer is written in `init` and zeroed
/// in `deinit`, and only read in between.
@safe package final class Secret: @unchecked Sendable {
    private let buffer: UnsafeMutableRawBufferPointer
    private let free: (UnsafeMutableRawBufferPointer) -> Void

    /// A secret of so many bytes, which `fill` writes.
    package convenience init<Failure: Error>(
        count: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        unsafe try self.init(count: count, freedBy: { unsafe $0.deallocate() }, filledBy: fill)
    }

    /// A secret whose buffer `free` gets once it is zeroed.
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

    /// A secret with the same bytes as an array, which stays what it is.
    package convenience init(_ bytes: [UInt8]) {
        unsafe self.init(count: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    deinit {
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
        unsafe free(buffer)
    }

    /// How many bytes it has.
    package var count: Int { unsafe buffer.count }

    /// Its bytes as an array that is not zeroed: for what has to be stored or sent.
    package var bytes: [UInt8] { unsafe Array(buffer) }

    /// Lets a function read the bytes in their place.
    func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(buffer))
    }
}

extension Secret: Equatable {
    /// Whether two secrets are equal, in a time that does not tell where they differ.
    package static func == (left: Secret, right: Secret) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.read { one in
            unsafe right.read { other in
                unsafe CRYPTO_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
            }
        }
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    package var description: String { "a secret of \(count) bytes" }

    /// Shows nothing, so that no dump of a value prints the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
