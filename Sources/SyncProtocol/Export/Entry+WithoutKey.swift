package import SessionCRDT

extension LiveSet {
    /// The same without keys of next sessions, of which only their ids are left.
    ///
    /// Dots and stamps stay, so that what says less than the original is never taken for it where
    /// both meet: of two forms of one dot the longer one stays everywhere.
    package func withoutKeys(under key: Key) -> LiveSet {
        guard key == .session(Field.next) else { return self }
        return LiveSet(map { $0.withoutKeys(under: key) }) ?? self
    }
}

extension Entry {
    /// The same without the key of a next session.
    package func withoutKeys(under key: Key) -> Entry {
        guard key == .session(Field.next) else { return self }
        let text: String
        switch value {
        case .null, .boolean, .integer: return self
        case .text(let value):
            // Whatever is no id may be a key, however it is spelled.
            let first = value.string.prefix { $0 != " " }
            text = SessionID(first).map(\.description) ?? ""
        case .foreign: text = ""
        }
        return Entry(dot: dot, stamp: stamp, author: author, value: .text(text))
    }
}
