import FoundationEssentials
import JSONCoding

/// Any bytes: what is read here, Foundation's decoder must read as the same, and must not die of.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSONScan(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let root = try? JSONText(input).root else { return 0 }
    do {
        let ours = try root.decode(Anything.self)
        let theirs = try JSONDecoder().decode(Anything.self, from: Data(input))
        demand(ours == theirs, "it is read as something else")
        var json = JSONWriter()
        try json.document(ours)
        demand(try JSONText(json.bytes).root.decode(Anything.self) == ours, "it is lost in writing")
    } catch {
        preconditionFailure("what was accepted is refused by a decoder: \(error)")
    }
    return 0
}

/// Any JSON.
private indirect enum Anything: Codable, Equatable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case array([Anything])
    case object([String: Anything])

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let flag = try? single.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else if let text = try? single.decode(String.self) {
            self = .text(text)
        } else if let array = try? single.decode([Anything].self) {
            self = .array(array)
        } else {
            self = .object(try single.decode([String: Anything].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch self {
        case .null: try single.encodeNil()
        case .flag(let flag): try single.encode(flag)
        case .number(let number): try single.encode(number)
        case .text(let text): try single.encode(text)
        case .array(let array): try single.encode(array)
        case .object(let object): try single.encode(object)
        }
    }
}
