import CPlatform

/// The result of `scorectl doctor` on a laptop.
package struct Checkup: Sendable {
    package let status: Int32
    package let checks: [Check]

    package struct Check: Decodable, Hashable, Sendable {
        package let id: String
        package let subject: String?
        package let state: String
        package let text: String
        package let cause: String?
        package let cure: String?
        package let commands: [String]?
    }

    private struct Document: Decodable {
        let schema: Int
        let checks: [Check]
    }

    /// Decodes the output of `doctor --json`.
    package init(_ outcome: Outcome) throws {
        guard [0, 10].contains(outcome.status) else { throw Failure("\(outcome)") }
        status = outcome.status
        checks = try outcome.decoded(as: Document.self).checks
    }

    /// The checks that are not ok, as `id state`.
    package var complaints: [String] {
        checks.filter { $0.state != "ok" }.map { "\($0.id) \($0.state)" }
    }

    /// The first check of an id that is not ok.
    package func complaint(_ id: String) -> Check? {
        checks.first { $0.id == id && $0.state != "ok" }
    }
}

extension Laptop {
    /// Runs `scorectl doctor`.
    package func checkUp() throws -> Checkup { try Checkup(attempt("doctor", "--json")) }
}

/// A pipe that only intended children inherit; both ends are closed with this object.
final class Channel {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let result = ends.withUnsafeMutableBufferPointer { platform_pipe($0.baseAddress) }
        guard result >= 0 else { throw Failure("a pipe: errno \(-result)") }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if reading >= 0 { platform_close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { platform_close(writing) }
        writing = -1
    }

    /// Reads available bytes; nil at the end.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes {
            platform_read(reading, $0.baseAddress, $0.count)
        }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Writes a line; a closed pipe is ignored.
    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = platform_write_all(writing, bytes, bytes.count)
    }
}
