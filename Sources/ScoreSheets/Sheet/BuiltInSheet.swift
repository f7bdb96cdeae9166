private import CResources
import SessionCRDT

/// A sheet that is part of the program: a file of `Games`, such as a user could write.
struct BuiltInSheet {
    private let file: ArraySlice<UInt8>

    /// Every sheet that every device has, in the order of their files.
    static let all: [BuiltInSheet] = {
        let games = resource_games()
        // The embedded bytes are never written and live as long as the program.
        return Array(UnsafeBufferPointer(start: games.bytes, count: games.length))
            .split(separator: 0)
            .map(BuiltInSheet.init)
    }()

    /// The id of the sheet, with which the file begins: it is known without reading the rest.
    var id: Symbol {
        let start = "{\n  \"id\": \"".utf8.count
        let bytes = file.dropFirst(start).prefix { $0 != UInt8(ascii: "\"") }
        guard let id = Symbol(String(decoding: bytes, as: UTF8.self)) else {
            preconditionFailure("a built-in sheet does not begin with its id")
        }
        return id
    }

    /// The text of the file.
    var json: String { String(decoding: file, as: UTF8.self) }

    /// The sheet; that the file is one is our own affair, and tested.
    var sheet: Sheet {
        do {
            return try Sheet(json: json)
        } catch {
            preconditionFailure("a built-in sheet is broken: \(error)")
        }
    }
}
