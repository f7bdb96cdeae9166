extension Schema {
    /// The games that users add to their devices.
    static let sheets = Migration([
        "CREATE TABLE sheet (id TEXT PRIMARY KEY NOT NULL, source ANY NOT NULL) STRICT"
    ])
}
