import SyncProtocol

/// One line of `watch --json`: the document of `show` with its number and type.
struct WatchLine: Encodable {
    let seq: Int
    let type: WatchEvent.Kind
    let document: ShowDocument

    private enum CodingKeys: String, CodingKey {
        case seq
        case type
    }

    func encode(to encoder: any Encoder) throws {
        try document.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seq, forKey: .seq)
        try container.encode(type, forKey: .type)
    }
}
