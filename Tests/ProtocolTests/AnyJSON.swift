/// Any JSON value, decoded without a schema; the fuzz target of the scanner compiles it, too.
indirect enum AnyJSON: Codable, Hashable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let boolean = try? single.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else if let text = try? single.decode(String.self) {
            self = .text(text)
        } else if let array = try? single.decode([AnyJSON].self) {
            self = .array(array)
        } else {
            self = .object(try single.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch self {
        case .null: try single.encodeNil()
        case .boolean(let boolean): try single.encode(boolean)
        case .number(let number): try single.encode(number)
        case .text(let text): try single.encode(text)
        case .array(let array): try single.encode(array)
        case .object(let object): try single.encode(object)
        }
    }
}
