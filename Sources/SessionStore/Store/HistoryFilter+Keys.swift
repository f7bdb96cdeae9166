internal import SessionCRDT

extension HistoryFilter {
    /// What the subject asks of the column `key`, and its values; nil for nothing.
    ///
    /// Keys are found by ranges of their text form, which the index of the keys serves; a key with
    /// a zero byte is stored as a blob and in no range, and no known key has one.
    var keys: (condition: String, values: [SQLValue])? {
        switch subject {
        case .anything:
            return nil
        case .key(let key):
            return ("key = ?", [.text(key.description)])
        case .player(let player):
            let ranges = within("cell/\(player)/") + within("player/\(player)/")
            let condition = "\(isWithin) OR \(isWithin) OR key = ?"
            return (condition, ranges + [.text(Key.membership(player).description)])
        case .cells(nil, nil):
            return (isWithin, within("cell/"))
        case .cells(let player?, nil):
            return (isWithin, within("cell/\(player)/"))
        case .cells(let player?, let row?):
            let cell = Key.cell(Cell(player: player, row: row)).description
            return ("key = ? OR \(isWithin)", [.text(cell)] + within(cell + "/"))
        case .cells(nil, let row?):
            // After "cell/" and the 32 digits of the player: the row, whole.
            let rest = "/\(row)/"
            let condition = "\(isWithin) AND substr(key || '/', 38, ?) = ?"
            let length = SQLValue.integer(Int64(rest.utf8.count))
            return (condition, within("cell/") + [length, .text(rest)])
        }
    }

    private var isWithin: String { "(key >= ? AND key < ?)" }

    /// The texts that start with `prefix`, which ends with a slash: up to the character after it.
    private func within(_ prefix: String) -> [SQLValue] {
        [.text(prefix), .text(prefix.dropLast() + "0")]
    }
}
