import FoundationEssentials

/// JSON as it is, for looking at a schema and for judging by it.
indirect enum JSONTree: Decodable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(_ json: String) throws {
        self = try JSONDecoder().decode(JSONTree.self, from: Data(json.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([JSONTree].self) {
            self = .array(items)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    subscript(name: String) -> JSONTree? {
        guard case .object(let fields) = self else { return nil }
        return fields[name]
    }

    var fields: [String: JSONTree] {
        guard case .object(let fields) = self else { return [:] }
        return fields
    }

    var items: [JSONTree] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}
