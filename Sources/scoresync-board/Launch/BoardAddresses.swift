/// Where a board is, as `scorectl board --json` prints it.
struct BoardAddresses: Encodable {
    /// The version of the JSON documents.
    let schema = 1
    /// The address for this laptop.
    let url: String
    /// The addresses for the room; none where it serves this laptop only.
    let lan: [BoardAddress]
}

/// An address for the room.
struct BoardAddress: Encodable {
    /// The interface, such as `wlan0`.
    let interface: String
    /// The address.
    let url: String
}
