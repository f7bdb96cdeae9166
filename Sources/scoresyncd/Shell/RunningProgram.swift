import CPlatform

/// The file that this process was started from.
struct RunningProgram: Sendable {
    /// Where it was at the start; nil where the system does not tell.
    let path: String?
    private let state: State?

    /// Which file stands at a path, and as of when.
    private struct State: Hashable {
        let number: UInt64
        let changed: Int64

        init?(_ path: String) {
            var content = platform_content()
            guard platform_content_status(path, &content) == 0 else { return nil }
            number = content.number
            changed = content.changed
        }
    }

    /// The program as it is now: to be made at the start.
    init() {
        var bytes = [CChar](repeating: 0, count: 4096)
        let length = platform_own_path(&bytes, bytes.count)
        let text = bytes.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        path = length > 0 ? String(decoding: text, as: UTF8.self) : nil
        state = path.flatMap { State($0) }
    }

    /// Whether another file, or none, is there by now.
    var isReplaced: Bool {
        guard let path, let state else { return false }
        return State(path) != state
    }
}
