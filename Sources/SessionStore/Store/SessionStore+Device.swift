package import SessionCRDT

extension SessionStore {
    package func setting(_ name: String) throws(StoreError) -> String? {
        connection.action = "read a setting"
        return try connection.firstText("SELECT value FROM setting WHERE name = ?", [.text(name)])
    }

    /// Changes a setting of this device; nil removes it.
    package func set(_ name: String, to value: String?) throws(StoreError) {
        try transaction(to: "change a setting") { () throws(StoreError) in
            guard let value else {
                return try connection.run("DELETE FROM setting WHERE name = ?", [.text(name)])
            }
            let sql = "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)"
            try connection.run(sql, [.text(name), .text(value)])
        }
    }

    package func setting(_ name: String, of session: SessionID) throws(StoreError) -> String? {
        connection.action = "read a session's setting"
        let query = "SELECT value FROM session_setting WHERE session = ? AND name = ?"
        return try connection.firstText(query, [.integer(try number(of: session)), .text(name)])
    }

    /// Changes this device's setting for a session; nil removes it.
    package func set(_ name: String, of session: SessionID, to value: String?) throws(StoreError) {
        try transaction(to: "change a session's setting") { () throws(StoreError) in
            let key: [SQLValue] = [.integer(try number(of: session)), .text(name)]
            guard let value else {
                let sql = "DELETE FROM session_setting WHERE session = ? AND name = ?"
                return try connection.run(sql, key)
            }
            let sql =
                "INSERT OR REPLACE INTO session_setting (session, name, value) VALUES (?, ?, ?)"
            try connection.run(sql, key + [.text(value)])
        }
    }
}

extension SessionStore {
    package func people() throws(StoreError) -> [Person] {
        connection.action = "read the people"
        return try connection.all("SELECT name, selected FROM person ORDER BY place") {
            row throws(StoreError) in
            Person(try row.text(0), isSelected: try row.integer(1) != 0)
        }
    }

    /// Changes the list of people of this device; returns the changed list.
    package func changePeople(_ change: (inout [Person]) -> Void) throws(StoreError) -> [Person] {
        try transaction(to: "change the people") { () throws(StoreError) in
            let before = try people()
            var people = before
            change(&people)
            guard people != before else { return people }
            try connection.run("DELETE FROM person")
            for (index, person) in people.enumerated() {
                try connection.run(
                    "INSERT INTO person (place, name, selected) VALUES (?, ?, ?)",
                    [.integer(Int64(index)), .text(person.name), person.isSelected ? 1 : 0]
                )
            }
            return people
        }
    }
}

extension SessionStore {
    /// Returns the games that the user added, sorted by id.
    package func sheets() throws(StoreError) -> [StoredSheet] {
        connection.action = "list the games of this device"
        let query = "SELECT id, source FROM sheet ORDER BY id"
        return try connection.all(query) { row throws(StoreError) in
            guard let id = Symbol(try row.text(0)) else { throw row.unreadable(0) }
            return StoredSheet(id: id, text: try row.text(1))
        }
    }

    /// Stores a game, in place of one with the same id.
    package func save(_ sheet: StoredSheet) throws(StoreError) {
        try transaction(to: "store a game") { () throws(StoreError) in
            let sql = "INSERT OR REPLACE INTO sheet (id, source) VALUES (?, ?)"
            try connection.run(sql, [.text(sheet.id.description), .text(sheet.text)])
        }
    }

    package func removeSheet(_ id: Symbol) throws(StoreError) -> Bool {
        try transaction(to: "remove a game") { () throws(StoreError) in
            try connection.run("DELETE FROM sheet WHERE id = ?", [.text(id.description)])
            return connection.changedRows == 1
        }
    }
}

extension SessionStore {
    /// Stores the results of a session, in place of earlier ones.
    ///
    /// Results remain when the session is removed; use `atomically` to store them together with the
    /// removal.
    package func save(_ results: [ResultRecord], of session: SessionID) throws(StoreError) {
        try transaction(to: "store the results of a session") { () throws(StoreError) in
            try connection.run("DELETE FROM result WHERE session = ?", [.id(session)])
            for result in results where result.session == session { try insert(result) }
        }
    }

    /// Returns all results, in the order in which they were stored.
    package func results() throws(StoreError) -> [ResultRecord] {
        connection.action = "read the results"
        let players = try playersByResult()
        let query = """
            SELECT number, session, outcome, game, title, ended, began, verdict, sides
            FROM result ORDER BY number
            """
        return try connection.all(query) { row throws(StoreError) in
            ResultRecord(
                session: try row.id(1),
                number: Int(try row.integer(2)),
                game: try row.text(3),
                title: try row.text(4),
                beganAt: row.isNull(6) ? nil : try row.word(6),
                endedAt: row.isNull(5) ? nil : try row.word(5),
                verdict: row.isNull(7) ? nil : Verdict(try row.text(7)),
                isOfSides: row.isNull(8) ? false : try row.integer(8) != 0,
                players: players[try row.integer(0)] ?? []
            )
        }
    }

    private func insert(_ result: ResultRecord) throws(StoreError) {
        try connection.run(
            """
            INSERT OR REPLACE INTO result
            (session, outcome, game, title, ended, began, verdict, sides)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .id(result.session), .integer(Int64(result.number)), .text(result.game),
                .text(result.title), result.endedAt.map { .word($0) } ?? .null,
                result.beganAt.map { .word($0) } ?? .null,
                result.verdict.map { .text($0.description) } ?? .null,
                result.isOfSides ? 1 : 0,
            ]
        )
        let number = try connection.firstNumber(
            "SELECT number FROM result WHERE session = ? AND outcome = ?",
            [.id(result.session), .integer(Int64(result.number))]
        )
        guard let number else { return }
        for (seat, line) in result.players.enumerated() {
            try connection.run(
                """
                INSERT INTO result_player
                (result, seat, player, name, winner, place, total, computer, tally, team, half)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(number), .integer(Int64(seat)), .id(line.player), .text(line.name),
                    line.isWinner ? 1 : 0, line.rank.map { .integer(Int64($0)) } ?? .null,
                    .integer(line.total.roundedDown), line.isComputer ? 1 : 0,
                    .text(WordPairs.text(line.tally)),
                    line.team.map { .text($0) } ?? .null,
                    line.total.whole == nil ? 1 : 0,
                ]
            )
        }
    }

    private func playersByResult() throws(StoreError) -> [Int64: [ResultPlayer]] {
        var players: [Int64: [ResultPlayer]] = [:]
        let query = """
            SELECT result, player, name, winner, place, total, computer, tally, team, half
            FROM result_player ORDER BY result, seat
            """
        try connection.each(query, []) { row throws(StoreError) in
            let whole = Points(try row.integer(5))
            let hasHalf = row.isNull(9) ? false : try row.integer(9) != 0
            let line = ResultPlayer(
                player: try row.id(1),
                name: try row.text(2),
                isWinner: try row.integer(3) != 0,
                rank: row.isNull(4) ? nil : Int(try row.integer(4)),
                total: hasHalf ? Points(halves: whole.halves + 1) : whole,
                team: row.isNull(8) ? nil : try row.text(8),
                isComputer: try row.integer(6) != 0,
                tally: WordPairs.read(try row.text(7)) { Symbol(String($0)) }
            )
            players[try row.integer(0), default: []].append(line)
        }
        return players
    }
}
