import SyncProtocol

/// How a number of players is written.
enum PlayerCountWords {
    /// In a sentence: `2 to 4 players`, `1 player`, `any number of players`.
    static func of(_ count: PlayerCount) -> String {
        switch (count.from, count.to) {
        case (1, 1): "1 player"
        case (let from, .some(let to)) where from == to: "\(from) players"
        case (let from, .some(let to)): "\(from) to \(to) players"
        case (...1, nil): "any number of players"
        case (let from, nil): "\(from) players or more"
        }
    }

    /// In a table: `2–4`, `1`, `3+`.
    static func short(_ count: PlayerCount) -> String {
        switch (count.from, count.to) {
        case (let from, .some(let to)) where from == to: "\(from)"
        case (let from, .some(let to)): "\(from)–\(to)"
        case (let from, nil): "\(from)+"
        }
    }
}
