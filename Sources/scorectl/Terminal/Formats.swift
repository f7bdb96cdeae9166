import SyncProtocol

/// Ages in words.
enum Ago {
    /// "just now", "3 min ago", "2 h ago", "5 days ago"; a time in the future is "just now" too,
    /// since clocks differ.
    static func text(_ moment: Timestamp, now: Int64) -> String {
        let seconds = max(0, now - moment.milliseconds) / 1000
        return switch seconds {
        case ..<10: "just now"
        case ..<60: "\(seconds) s ago"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<86_400: "\(seconds / 3600) h ago"
        case ..<172_800: "yesterday"
        default: "\(seconds / 86_400) days ago"
        }
    }
}

/// Sizes in words.
enum ByteCount {
    /// "712 bytes", "4 KiB", "1.2 MiB", "31 MiB", "2.0 GiB".
    static func text(_ bytes: Int) -> String {
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        for (unit, size) in units where bytes >= size {
            let tenths = (bytes * 10 + size / 2) / size
            let isShort = unit != "KiB" && tenths < 100
            let number = isShort ? "\(tenths / 10).\(tenths % 10)" : "\((bytes + size / 2) / size)"
            return "\(number) \(unit)"
        }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}
