package import SessionCRDT

/// Why there is no sheet to play by.
package enum SheetError: Error, Hashable, Sendable {
    /// The JSON is not a sheet: where (`rows[2].kind`, empty for the whole) and why.
    case unreadable(path: String, reason: String)
    /// The JSON is longer than a sheet may be, in bytes.
    case tooLong(Int)
    /// The session does not say yet what is played.
    case noGame
    /// No sheet of this name is here.
    case unknownGame(String, candidates: [Symbol])
    /// Several sheets could be meant.
    case ambiguousGame(String, candidates: [Symbol])

    /// What could have been meant.
    package var candidates: [String] {
        switch self {
        case .unknownGame(_, let candidates), .ambiguousGame(_, let candidates):
            candidates.map(\.description)
        case .unreadable, .tooLong, .noGame: []
        }
    }
}

extension SheetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable("", let reason): "this is not a sheet: \(reason)"
        case .unreadable(let path, let reason): "this is not a sheet: \(path): \(reason)"
        case .tooLong(let bytes):
            "a sheet of \(bytes) bytes is too long: at most \(Sheet.longest) bytes"
        case .noGame: "the session does not say which game it is yet"
        case .unknownGame(let name, _): "there is no game \(name.quoted)"
        case .ambiguousGame(let name, let candidates):
            "\(name.quoted) could be any of: \(candidates.list)"
        }
    }
}
