import JSONCoding
import SessionCRDT

/// Encodes a message as the payloads of frames, one at a time.
///
/// A delta has parts of about `Limits.deltaPartBytes`, every other message has one payload. Only
/// the current part is in memory: the caller requests a part after the previous one is sent. Equal
/// messages have equal bytes in every process.
package struct PeerMessageEncoder: Sequence, IteratorProtocol, Sendable {
    private var payload: [UInt8]?
    private var parts: DeltaEncoder?

    package init(_ message: PeerMessage) {
        if case .delta(let delta) = message {
            parts = DeltaEncoder(delta)
        } else {
            payload = PeerMessageEncoder.payload(message)
        }
    }

    /// Returns the payload of the next frame; nil at the end of the message.
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
        case .storage(let problem):
            if let problem { json.field("problem", problem.rawValue) }
            json.field("type", "storage")
        case .knocks(let knocks):
            json.name("knocks")
            json.array { json in
                for knock in knocks.prefix(Limits.knocks) { json.object { write(knock, to: &$0) } }
            }
            json.field("type", "knocks")
        case .admit(let knock, let answer):
            json.field("answer", answer.rawValue)
            json.field("knock", knock)
            json.field("type", "admit")
        case .bye(let reason):
            json.field("reason", reason.rawValue)
            json.field("type", "bye")
        case .error(let error):
            json.field("code", printable: error.code, limit: Limits.errorCodeBytes)
            json.field("text", printable: error.text, limit: Limits.errorTextBytes)
            json.field("type", "error")
        case .welcome(let welcome): write(welcome, to: &json)
        case .guest(let guest):
            json.field("device", guest.device)
            json.field("laptop", guest.name)
            json.field("type", "guest")
        }
    }

    private static func write(_ knock: Knock, to json: inout JSONWriter) {
        json.field("id", knock.id)
        json.field("laptop", printable: knock.laptop, limit: Limits.nameBytes)
        if let lastPlayed = knock.lastPlayed { json.field("played", lastPlayed) }
        json.field("symbols", knock.symbols.map(\.name))
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
        if let pair = welcome.pair { json.field("device", pair.device) }
        json.field("game", printable: welcome.game, limit: Limits.nameBytes)
        json.field("inviter", printable: welcome.inviter, limit: Limits.nameBytes)
        json.field("key", Hexadecimal.text(of: welcome.key))
        if let pair = welcome.pair { json.field("pair", Hexadecimal.text(of: pair.key)) }
        json.field("port", welcome.port)
        json.field("session", welcome.session)
        json.field("title", printable: welcome.title, limit: Limits.textBytes)
        json.field("type", "welcome")
    }
}

/// Decodes the messages of one link from the payloads of its frames.
///
/// It collects the parts of a delta; other messages may come between them. A decoded delta is valid
/// and within all limits, so merging it cannot trap.
package struct PeerMessageDecoder: Sendable {
    private var isSkipping = false
    private var assembly: DeltaDecoder?

    package init() {}

    /// Whether some but not all parts of a delta have arrived.
    package var isAssembling: Bool { assembly != nil }

    /// The canonical bytes of the incomplete delta; 0 if there is none.
    package var unfinishedBytes: Int { assembly?.bytes ?? 0 }

    /// Returns the message that the payload completes; nil if a delta needs further parts.
    ///
    /// After an error, further payloads can still be decoded.
    package mutating func receive(_ payload: [UInt8]) throws(PeerMessageError) -> PeerMessage? {
        let fields: JSONValue
        do {
            fields = try JSONText(payload).root
        } catch {
            // It may have been a part of a delta, which later parts must not complete.
            isSkipping = isSkipping || assembly != nil
            assembly = nil
            throw .notJSON(error)
        }
        guard let type = fields["type"]?.string else {
            throw .badMessage(type: "message", reason: "it is not an object with a type")
        }
        if type == "delta" { return try receivePart(fields) }
        let message: PeerMessage?
        do {
            message = try PeerMessageDecoder.message(type, fields)
        } catch {
            throw .badMessage(type: type, reason: error.reason)
        }
        guard let message else {
            throw .unknownType(PrintableText.cleaned(type, limit: Limits.errorCodeBytes))
        }
        return message
    }

    // MARK: Deltas

    private mutating func receivePart(
        _ fields: JSONValue
    ) throws(PeerMessageError) -> PeerMessage? {
        let isLast = fields["last"]?.boolean == true
        let isFirst = fields["part"]?.integer == 0
        if isSkipping, !isFirst {
            isSkipping = !isLast
            return nil
        }
        var current = DeltaDecoder()
        do {
            current = try removeAssembly(isFirst: isFirst)
            try current.add(fields)
            guard isLast else {
                assembly = current
                return nil
            }
            return .delta(try current.finish())
        } catch {
            isSkipping = !isLast
            guard current.isTooLong else { throw .badDelta(reason: error.reason) }
            throw .longDelta(reason: error.reason)
        }
    }

    /// Removes and returns the incomplete delta to which the next part belongs.
    ///
    /// Removing it avoids a copy, and drops the delta if the part is rejected.
    private mutating func removeAssembly(isFirst: Bool) throws(JSONFieldError) -> DeltaDecoder {
        defer {
            assembly = nil
            isSkipping = false
        }
        if isFirst {
            try require(assembly == nil, "a new delta started before the last part of another")
            return DeltaDecoder()
        }
        guard let assembly else { throw JSONFieldError("a part without the parts before it") }
        return assembly
    }

    // MARK: Messages of one payload

    private static func message(
        _ type: String,
        _ fields: JSONValue
    ) throws(JSONFieldError) -> PeerMessage? {
        switch type {
        case "hello": .hello(try hello(fields))
        case "ack":
            .ack(
                Acknowledgement(
                    vector: try fields.vector("vector"),
                    digest: try fields.digest("digest")
                )
            )
        case "need": .need(try fields.vector("vector"))
        case "ping": .ping(try number(fields))
        case "pong": .pong(try number(fields))
        case "clock": .clock(try clock(fields))
        case "addresses": .addresses(try addresses(fields))
        case "links": .links(try instances(fields))
        case "reached":
            .reached(
                Reach(instances: try instances(fields), vector: try fields.vector("vector"))
            )
        case "storage": .storage(try storageProblem(fields))
        case "bye":
            .bye(ByeReason(rawValue: try fields.text("reason", limit: 64)) ?? .other)
        case "error":
            .error(
                PeerError(
                    code: try fields.printable("code", limit: Limits.errorCodeBytes),
                    text: try fields.printable("text", limit: Limits.errorTextBytes)
                )
            )
        case "knocks": .knocks(try knocks(fields))
        case "admit":
            .admit(
                try fields.id("knock"),
                KnockAnswer(rawValue: try fields.text("answer", limit: 64)) ?? .no
            )
        case "welcome": .welcome(try welcome(fields))
        case "guest":
            .guest(
                KnockingLaptop(
                    device: try fields.id("device"),
                    name: try fields.printable("laptop", limit: Limits.nameBytes)
                )
            )
        default: nil
        }
    }

    private static func number(_ fields: JSONValue) throws(JSONFieldError) -> UInt64 {
        UInt64(try fields.integer("number", in: 0...Limits.largestInteger))
    }

    private static func clock(_ fields: JSONValue) throws(JSONFieldError) -> UInt64 {
        UInt64(try fields.integer("clock", in: 0...Int64(Stamp.lastMillisecond)))
    }

    private static func hello(_ fields: JSONValue) throws(JSONFieldError) -> Hello {
        Hello(
            versions: try fields.versions("protocol"),
            features: try features(fields),
            session: try fields.id("session"),
            device: try fields.id("device"),
            instance: try fields.id("instance"),
            name: try fields.printable("name", limit: Limits.nameBytes),
            port: try fields.port("port"),
            wallMilliseconds: try clock(fields),
            vector: try fields.vector("vector"),
            digest: try fields.digest("digest")
        )
    }

    private static func storageProblem(
        _ fields: JSONValue
    ) throws(JSONFieldError) -> StorageProblem? {
        guard fields["problem"] != nil else { return nil }
        return StorageProblem(rawValue: try fields.text("problem", limit: 64)) ?? .failed
    }

    private static func features(_ fields: JSONValue) throws(JSONFieldError) -> [String] {
        var features: [String] = []
        for feature in try fields.array("features", limit: Limits.features) {
            guard let symbol = feature.string.flatMap(Symbol.init) else {
                throw JSONFieldError("features contains an invalid name")
            }
            features.append(symbol.description)
        }
        return features.sorted()
    }

    private static func instances(_ fields: JSONValue) throws(JSONFieldError) -> [InstanceID] {
        let elements = try fields.array("instances", limit: Limits.linkedInstances)
        return try elements.map { (id) throws(JSONFieldError) in try JSONValue.id(id, "instances") }
    }

    /// Returns the valid addresses; invalid ones are ignored, because they may be of a later
    /// version.
    private static func addresses(_ fields: JSONValue) throws(JSONFieldError) -> [Endpoint] {
        try fields.array("addresses", limit: Limits.addresses)
            .compactMap { $0.string.flatMap { Endpoint($0) } }
    }

    private static func knocks(_ fields: JSONValue) throws(JSONFieldError) -> [Knock] {
        try fields.array("knocks", limit: Limits.knocks).map { knock throws(JSONFieldError) in
            let isKnown = knock["played"] != nil
            return Knock(
                id: try knock.id("id"),
                laptop: try knock.printable("laptop", limit: Limits.nameBytes),
                symbols: try symbols(knock),
                lastPlayed: isKnown
                    ? UInt64(try knock.integer("played", in: 0...Limits.largestInteger)) : nil
            )
        }
    }

    private static func symbols(_ knock: JSONValue) throws(JSONFieldError) -> [KnockSymbol] {
        let names = try knock.array("symbols", limit: KnockSymbol.shown)
        return try names.map { name throws(JSONFieldError) in
            guard let symbol = KnockSymbol.all.first(where: { $0.name == name.string }) else {
                throw JSONFieldError("symbols has an unknown one")
            }
            return symbol
        }
    }

    private static func welcome(_ fields: JSONValue) throws(JSONFieldError) -> Welcome {
        var pair: Welcome.Pair?
        if fields["pair"] != nil {
            pair = Welcome.Pair(device: try fields.id("device"), key: try fields.key("pair"))
        }
        return Welcome(
            session: try fields.id("session"),
            key: try fields.key("key"),
            title: try fields.printable("title", limit: Limits.textBytes),
            game: try fields.printable("game", limit: Limits.nameBytes),
            inviter: try fields.printable("inviter", limit: Limits.nameBytes),
            port: try fields.port("port"),
            pair: pair
        )
    }
}
