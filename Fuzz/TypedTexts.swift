import SyncProtocol

/// Texts from users and unknown senders: join codes, addresses, identities of links, endpoints.
func fuzzTypedTexts(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let code = try? JoinCode(parsing: text) {
        precondition((try? JoinCode(parsing: code.text)) == code, "a code is spelled wrong")
        precondition(LinkIdentity(LinkIdentity(code).description) == LinkIdentity(code))
    }
    if let address = try? PeerAddress(parsing: text) {
        precondition((try? PeerAddress(parsing: address.description)) == address)
    }
    if let identity = LinkIdentity(text) { precondition(identity.description == text) }
    if let endpoint = Endpoint(text) {
        precondition(Endpoint(endpoint.description) == endpoint, "an endpoint is spelled wrong")
    }
    if let address = IPAddress(text) {
        precondition(IPAddress(address.description) == address, "an address is spelled wrong")
        let sent = address.sent(to: .loopback)?.received(from: .loopback)
        precondition(address.isLinkLocal ? sent == nil : sent == address)
    }
    let cleaned = PrintableText.cleaned(text, limit: 128)
    precondition(cleaned.utf8.count <= 128, "a name is too long")
    precondition(PrintableText.cleaned(cleaned, limit: 128) == cleaned)
}
