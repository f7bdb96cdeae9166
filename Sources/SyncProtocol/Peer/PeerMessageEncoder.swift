import JSONCoding
import SessionCRDT

/// Makes the payloads of the frames that carry a message, one when asked for one.
///
/// A delta is cut into parts of about `Limits.deltaPartBytes`; every other message has one payload.
/// Only the current part is in memory, so pull the next when the socket has taken the last. The
/// same message gives the same bytes in every process.
package struct PeerMessageEncoder: Sequence, IteratorProtocol, Sendable {
    private var payload: [UInt8]?
    private var parts: DeltaEncoder?

    /// The encoder of a message.
    package init(_ message: PeerMessage) {
        if case .delta(let delta) = message {
            parts = DeltaEncoder(delta)
        } else {
            payload = PeerMessageEncoder.payload(message)
        }
    }

    /// The payload of the next frame; nil when the message has been given whole.
    package mutating func next() -> [UInt8]? {
        if let part = parts?.next() { return part }
        defer { payload = nil }
        return payload
    }

    private static func payload(_ message: PeerMessage) -> [UInt8] {
        var json = JSONWriter()
        json.object { write(message, to: &$0) }
        return json.bytes
    }

    private static func write(_ message: PeerMessage, to json: inout JSONWriter) {
        switch message {
        case .hello(let hello): write(hello, to: &json)
        case .delta: break
        case .ack(let ack):
            json.field("digest", ack.digest.description)
            json.field("type", "ack")
            json.field("vector", ack.vector)
        case .need(let vector):
            json.field("type", "need")
            json.field("vector", vector)
        case .ping(let number):
            json.field("number", number)
            json.field("type", "ping")
        case .pong(let number):
            json.field("number", number)
            json.field("type", "pong")
        case .clock(let milliseconds):
            json.field("clock", Swift.min(milliseconds, Stamp.lastMillisecond))
            json.field("type", "clock")
        case .addresses(let endpoints):
            json.field("addresses", endpoints.prefix(Limits.addresses).map(\.description))
            json.field("type", "addresses")
        case .links(let instances):
            write(instances, to: &json)
            json.field("type", "links")
        case .reached(let reach):
            write(reach.instances, to: &json)
            json.field("type", "reached")
            json.field("vector", reach.vector)
        case .bye(let reason):
            json.field("reason", reason.rawValue)
            json.field("type", "bye")
        case .error(let error):
            json.field("code", printable: error.code, limit: Limits.errorCodeBytes)
            json.field("text", printable: error.text, limit: Limits.errorTextBytes)
            json.field("type", "error")
        case .welcome(let welcome): write(welcome, to: &json)
        }
    }

    private static func write(_ instances: [InstanceID], to json: inout JSONWriter) {
        let named = instances.prefix(Limits.linkedInstances)
        json.field("instances", named.map(\.description))
    }

    private static func write(_ hello: Hello, to json: inout JSONWriter) {
        json.field("clock", Swift.min(hello.wallMilliseconds, Stamp.lastMillisecond))
        json.field("device", hello.device)
        json.field("digest", hello.digest.description)
        json.field("features", hello.features.prefix(Limits.features).sorted())
        json.field("instance", hello.instance)
        json.field("name", printable: hello.name, limit: Limits.nameBytes)
        json.field("port", hello.port)
        json.field("protocol", hello.versions)
        json.field("session", hello.session)
        json.field("type", "hello")
        json.field("vector", hello.vector)
    }

    private static func write(_ welcome: Welcome, to json: inout JSONWriter) {
        json.field("game", printable: welcome.game, limit: Limits.nameBytes)
        json.field("inviter", printable: welcome.inviter, limit: Limits.nameBytes)
        json.field("key", Hexadecimal.text(of: welcome.key))
        json.field("port", welcome.port)
        json.field("session", welcome.session)
        json.field("title", printable: welcome.title, limit: Limits.textBytes)
        json.field("type", "welcome")
    }
}
