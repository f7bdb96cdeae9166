/// What a connection has to send and the kernel has not taken yet.
struct ControlOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// How many bytes wait.
    var count: Int { bytes.count - sent }
    /// Whether none wait.
    var isEmpty: Bool { count == 0 }

    /// Adds bytes; from `limit` sent ones on their room is used again.
    mutating func append(_ frame: [UInt8], reusing limit: Int) {
        if sent > limit {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes.append(contentsOf: frame)
    }

    /// Hands out what waits; `send` says how many bytes were taken, or a negated errno.
    mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
        let count = bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if count > 0 { sent += count }
        return count
    }

    /// Forgets everything; small room is kept.
    mutating func removeAll(keeping limit: Int) {
        bytes.removeAll(keepingCapacity: bytes.count <= limit)
        sent = 0
    }
}
