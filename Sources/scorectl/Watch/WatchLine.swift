import SyncProtocol

/// One line of `watch --json`: the document of `show`, or what differs in it, with its number and
/// type.
struct WatchLine: Encodable {
    let seq: Int
    let news: WatchEvent.News

    private enum CodingKeys: String, CodingKey {
        case schema
        case seq
        case type
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        switch news {
        case .snapshot(let show):
            try show.document.encode(to: encoder)
            try container.encode("snapshot", forKey: .type)
        case .change(let change):
            try change.document.encode(to: encoder)
            try container.encode("change", forKey: .type)
            try container.encode(1, forKey: .schema)
        }
    }
}
