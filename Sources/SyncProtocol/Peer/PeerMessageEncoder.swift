import SessionCRDT

/// Makes the payloads of the frames that carry a message, one when asked for one.
///
/// A delta is cut into parts of about `Limits.deltaPartBytes`; every other message has one payload.
/// Only the current part is in memory, so pull the next when the socket has taken the last. The
/// same message gives the same bytes in every process.
package struct PeerMessageEncoder: Sequence, IteratorProtocol, Sendable {
    private var payload: [UInt8]?
    private var parts: DeltaParts?

    /// The encoder of a message.
    package init(_ message: PeerMessage) {
        if case .delta(let delta) = message {
            parts = DeltaParts(delta)
        } else {
            payload = PeerMessageEncoder.tree(message).bytes
        }
    }

    /// The payload of the next frame; nil when the message has been given whole.
    package mutating func next() -> [UInt8]? {
        if let part = parts?.next() { return part }
        defer { payload = nil }
        return payload
    }

    private static func tree(_ message: PeerMessage) -> JSONTree {
        switch message {
        case .hello(let hello): tree(hello)
        case .delta: .null
        case .ack(let ack):
            [
                "type": "ack", "digest": .text(ack.digest.description),
                "vector": .vector(ack.vector),
            ]
        case .need(let vector): ["type": "need", "vector": .vector(vector)]
        case .ping(let number): ["type": "ping", "number": .integer(limited: number)]
        case .pong(let number): ["type": "pong", "number": .integer(limited: number)]
        case .addresses(let endpoints):
            [
                "type": "addresses",
                "addresses": .array(
                    endpoints.prefix(Limits.addresses).map { .text($0.description) }
                ),
            ]
        case .bye(let reason): ["type": "bye", "reason": .text(reason.rawValue)]
        case .error(let error):
            [
                "type": "error",
                "code": .text(PrintableText.cleaned(error.code, limit: Limits.errorCodeBytes)),
                "text": .text(PrintableText.cleaned(error.text, limit: Limits.errorTextBytes)),
            ]
        case .welcome(let welcome): tree(welcome)
        }
    }

    private static func tree(_ hello: Hello) -> JSONTree {
        [
            "type": "hello",
            "clock": .integer(Int64(Swift.min(hello.wallMilliseconds, Stamp.lastMillisecond))),
            "device": .text(hello.device.description),
            "digest": .text(hello.digest.description),
            "features": .array(
                hello.features.prefix(Limits.features).sorted().map { .text($0) }
            ),
            "instance": .text(hello.instance.description),
            "name": .text(PrintableText.cleaned(hello.name, limit: Limits.nameBytes)),
            "port": .integer(Int64(hello.port)),
            "protocol": .versions(hello.versions),
            "session": .text(hello.session.description),
            "vector": .vector(hello.vector),
        ]
    }

    private static func tree(_ welcome: Welcome) -> JSONTree {
        [
            "type": "welcome",
            "game": .text(PrintableText.cleaned(welcome.game, limit: Limits.nameBytes)),
            "inviter": .text(PrintableText.cleaned(welcome.inviter, limit: Limits.nameBytes)),
            "key": .text(Hexadecimal.text(of: welcome.key)),
            "port": .integer(Int64(welcome.port)),
            "session": .text(welcome.session.description),
            "title": .text(PrintableText.cleaned(welcome.title, limit: Limits.textBytes)),
        ]
    }
}
