internal import COpenSSL

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
