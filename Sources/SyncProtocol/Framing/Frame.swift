/// The frame that carries every message, between peers and on the control socket: a length of four
/// bytes, most significant first, then that many bytes of UTF-8 JSON.
package enum Frame {
    /// The bytes before the payload.
    package static let headerBytes = 4

    /// The payload with its length before it, or an error when it is longer than a frame may be.
    package static func encode(
        _ payload: [UInt8],
        limit: Int = Limits.frameBytes
    ) throws(FrameError) -> [UInt8] {
        guard !payload.isEmpty else { throw .empty }
        guard payload.count <= limit else {
            throw .tooLong(bytes: payload.count, limit: limit)
        }
        let length = UInt32(payload.count)
        var frame: [UInt8] = []
        frame.reserveCapacity(headerBytes + payload.count)
        for shift in [24, 16, 8, 0] {
            frame.append(UInt8(truncatingIfNeeded: length >> UInt32(shift)))
        }
        frame.append(contentsOf: payload)
        return frame
    }
}

/// Why a frame was refused.
///
/// The stream that it came on cannot be read any further.
package enum FrameError: Error, Hashable, Sendable {
    /// The length says more bytes than the limit; nothing was allocated for them.
    case tooLong(bytes: Int, limit: Int)
    /// A frame without payload, which no message has.
    case empty
}

extension FrameError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let bytes, let limit):
            "a frame of \(bytes) bytes is longer than the limit of \(limit)"
        case .empty: "a frame without content"
        }
    }
}
