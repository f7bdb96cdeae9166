import JSONCoding
package import SessionCRDT

package enum KnockTag {}
/// Identifies a knock: the first 128 bits of a digest over its exchange.
package typealias KnockID = ID<KnockTag>

/// A message of the exchange by which a laptop without a join code asks to be admitted.
///
/// The link is encrypted with a public key, so it proves nothing: only people who compare the
/// symbols on both screens know that nobody is between the two laptops. The inviter opens with
/// `door`; then follow `knock`, `key`, `open` and `ready`. `Documentation/PROTOCOL.md` describes the
/// JSON of each message.
package enum KnockMessage: Hashable, Sendable {
    /// The inviting laptop and its game.
    case door(Door)
    /// The joining laptop, and the commitment to its key.
    case knock(KnockingLaptop, commitment: [UInt8])
    /// The inviter's key, which is sent only after the joiner has committed to its own.
    case key([UInt8])
    /// The joiner's key, which must match the commitment.
    case open([UInt8])
    /// The inviter waits for a link with the agreed key; `isKnown` if it also has a key of an
    /// earlier game with the joiner.
    case ready(isKnown: Bool)
}

/// The inviting laptop and its game, as shown to a joiner before it knocks.
///
/// The texts are cleaned as on the wire, because both laptops derive the symbols from them.
package struct Door: Hashable, Sendable {
    package let device: DeviceID
    package let laptop: String
    package let title: String
    /// The name of the game.
    package let game: String

    package init(device: DeviceID, laptop: String, title: String, game: String) {
        self.device = device
        self.laptop = PrintableText.cleaned(laptop, limit: Limits.nameBytes)
        self.title = PrintableText.cleaned(title, limit: Limits.textBytes)
        self.game = PrintableText.cleaned(game, limit: Limits.nameBytes)
    }
}

/// A laptop that asks to be admitted, as it names itself; the name is cleaned as on the wire.
package struct KnockingLaptop: Hashable, Sendable {
    package let device: DeviceID
    package let name: String

    package init(device: DeviceID, name: String) {
        self.device = device
        self.name = PrintableText.cleaned(name, limit: Limits.nameBytes)
    }
}

extension KnockMessage {
    /// The length of X25519 keys and of commitments, in bytes.
    package static let keyBytes = 32

    package var payload: [UInt8] {
        var json = JSONWriter()
        json.object { write(to: &$0) }
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .door(let door):
            json.field("device", door.device)
            json.field("game", door.game)
            json.field("laptop", door.laptop)
            json.field("title", door.title)
            json.field("type", "door")
        case .knock(let laptop, let commitment):
            json.field("commitment", Hexadecimal.text(of: commitment))
            json.field("device", laptop.device)
            json.field("laptop", laptop.name)
            json.field("type", "knock")
        case .key(let key):
            json.field("key", Hexadecimal.text(of: key))
            json.field("type", "key")
        case .open(let key):
            json.field("key", Hexadecimal.text(of: key))
            json.field("type", "open")
        case .ready(let isKnown):
            json.name("known")
            json.boolean(isKnown)
            json.field("type", "ready")
        }
    }

    /// Decodes an untrusted payload; nil if it is no valid message, after which the link is cut.
    package init?(_ payload: [UInt8]) {
        guard let fields = try? JSONText(payload).root, let type = fields["type"]?.string,
            let message = try? KnockMessage.message(type, fields)
        else { return nil }
        self = message
    }

    private static func message(
        _ type: String,
        _ fields: JSONValue
    ) throws(JSONFieldError) -> KnockMessage {
        switch type {
        case "door":
            .door(
                Door(
                    device: try fields.id("device"),
                    laptop: try fields.printable("laptop", limit: Limits.nameBytes),
                    title: try fields.printable("title", limit: Limits.textBytes),
                    game: try fields.printable("game", limit: Limits.nameBytes)
                )
            )
        case "knock":
            .knock(
                KnockingLaptop(
                    device: try fields.id("device"),
                    name: try fields.printable("laptop", limit: Limits.nameBytes)
                ),
                commitment: try fields.key("commitment")
            )
        case "key": .key(try fields.key("key"))
        case "open": .open(try fields.key("key"))
        case "ready": .ready(isKnown: try fields.boolean("known"))
        default: throw JSONFieldError("unknown type")
        }
    }
}

extension JSONValue {
    /// Returns a key of 32 bytes.
    func key(_ name: String) throws(JSONFieldError) -> [UInt8] {
        guard let key = Hexadecimal.bytes(of: try text(name, limit: 64)),
            key.count == KnockMessage.keyBytes
        else { throw JSONFieldError("\(name) is not 32 bytes in hexadecimal digits") }
        return key
    }
}

/// One of 64 symbols that are easy to tell apart and to name across a table.
///
/// Both laptops of a knock show the same four, which stand for 24 bits of the agreed key.
package struct KnockSymbol: Document {
    package var name: String
    /// The symbol as one emoji.
    package var picture: String

    private init(_ name: String, _ picture: String) {
        (self.name, self.picture) = (name, picture)
    }

    /// The number of symbols that are compared.
    package static let shown = 4

    /// Returns the symbols for the first 24 bits, six bits for each.
    package static func symbols(of bytes: [UInt8]) -> [KnockSymbol] {
        let bits = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        return (1...shown).map { all[bits >> (24 - 6 * $0) & 63] }
    }

    package static let all: [KnockSymbol] = [
        .init("anchor", "⚓"), .init("apple", "🍎"), .init("ball", "⚽"), .init("banana", "🍌"),
        .init("bee", "🐝"), .init("bell", "🔔"), .init("bicycle", "🚲"), .init("boat", "⛵"),
        .init("book", "📖"), .init("bread", "🍞"), .init("bus", "🚌"), .init("butterfly", "🦋"),
        .init("cactus", "🌵"), .init("cake", "🎂"), .init("camel", "🐪"), .init("carrot", "🥕"),
        .init("castle", "🏰"), .init("cat", "🐱"), .init("cheese", "🧀"), .init("cherry", "🍒"),
        .init("clock", "⏰"), .init("cloud", "☁️"), .init("corn", "🌽"), .init("crab", "🦀"),
        .init("crown", "👑"), .init("dog", "🐶"), .init("duck", "🦆"), .init("egg", "🥚"),
        .init("elephant", "🐘"), .init("fire", "🔥"), .init("fish", "🐟"), .init("flag", "🚩"),
        .init("frog", "🐸"), .init("ghost", "👻"), .init("gift", "🎁"), .init("guitar", "🎸"),
        .init("hammer", "🔨"), .init("hat", "🎩"), .init("heart", "❤️"), .init("horse", "🐴"),
        .init("house", "🏠"), .init("key", "🔑"), .init("leaf", "🍁"), .init("lemon", "🍋"),
        .init("moon", "🌙"), .init("mushroom", "🍄"), .init("octopus", "🐙"), .init("owl", "🦉"),
        .init("panda", "🐼"), .init("penguin", "🐧"), .init("pizza", "🍕"), .init("rocket", "🚀"),
        .init("rose", "🌹"), .init("scissors", "✂️"), .init("snail", "🐌"), .init("snake", "🐍"),
        .init("snowman", "⛄"), .init("star", "⭐"), .init("sun", "☀️"), .init("train", "🚂"),
        .init("tree", "🌳"), .init("trumpet", "🎺"), .init("turtle", "🐢"), .init("umbrella", "☂️"),
    ]
}
