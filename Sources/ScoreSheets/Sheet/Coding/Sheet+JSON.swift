import FoundationEssentials

extension Sheet {
    /// How long the JSON of a sheet may be, in bytes: what a value of a session can hold.
    package static let longest = 256 * 1024

    /// How deep the JSON of a sheet may nest; Foundation's decoder stops the process on deep input.
    private static let deepest = 32

    /// Reads a sheet from its JSON, whoever wrote it.
    package init(json: String) throws(SheetError) {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.longest else { throw .tooLong(bytes.count) }
        guard Sheet.depth(of: bytes) <= Sheet.deepest else {
            throw .unreadable(path: "", reason: "it nests deeper than \(Sheet.deepest)")
        }
        do {
            self = try JSONDecoder().decode(Sheet.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw SheetError(error)
        } catch {
            throw .unreadable(path: "", reason: "\(error)")
        }
    }

    /// The sheet as JSON, the same bytes in every process.
    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// How deep objects and arrays nest, whether or not the rest is JSON.
    private static func depth(of json: [UInt8]) -> Int {
        var depth = 0
        var deepest = 0
        var isText = false
        var isEscaped = false
        for byte in json {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isText { depth += 1 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if !isText { depth -= 1 }
            default: break
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }
}

extension SheetError {
    /// The place and the reason of what Foundation's decoder refused.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(context.codingPath + [key], "it is missing")
        case .valueNotFound(_, let context): self.init(context.codingPath, "it is null")
        case .typeMismatch(_, let context):
            self.init(context.codingPath, context.debugDescription)
        case .dataCorrupted(let context):
            let cause = context.underlyingError.map { " (\($0))" } ?? ""
            self.init(context.codingPath, context.debugDescription + cause)
        @unknown default: self = .unreadable(path: "", reason: "\(error)")
        }
    }

    private init(_ path: [any CodingKey], _ reason: String) {
        let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        let text = steps.joined()
        self = .unreadable(
            path: text.hasPrefix(".") ? String(text.dropFirst()) : text,
            reason: reason
        )
    }
}
