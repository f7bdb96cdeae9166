import CPlatform
import Testing

/// Both ends of a pipe, of which one belongs to another object.
struct Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws {
        platform_ignore_broken_pipes()
        var ends: [Int32] = [-1, -1]
        try #require(platform_pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    /// Whether the reading end is open, seen from the other end: its number may be reused.
    var isReadingOpen: Bool { write(0) }

    /// Whether the writing end is open, seen from the other end; the pipe must be empty.
    var isWritingOpen: Bool {
        var byte: UInt8 = 0
        return platform_wait(reading, false, -1, 0) == 0 || platform_read(reading, &byte, 1) != 0
    }

    @discardableResult
    func write(_ byte: UInt8) -> Bool {
        var byte = byte
        return platform_write_all(writing, &byte, 1) == 0
    }

    func read() -> UInt8 {
        var byte: UInt8 = 0
        _ = platform_read(reading, &byte, 1)
        return byte
    }
}
