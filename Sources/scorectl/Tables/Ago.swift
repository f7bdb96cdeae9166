import SyncProtocol

/// How long ago something was, as people say it.
enum Ago {
    /// "just now", "3 min ago", "2 h ago", "5 days ago"; a moment to come is "just now" too,
    /// because clocks differ.
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
