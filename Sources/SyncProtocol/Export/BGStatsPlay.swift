import SessionCRDT

/// A finished game in the import format of the app BG Stats (bgstatsapp.com, “Push plays to BG Stats
/// from other apps or websites”).
///
/// The app fails if one of the truth values is missing, and on an id of BoardGameGeek that is not a
/// number. It expects the time in UTC. What it has matched once, such as a player, it finds again by
/// the id of the source.
package struct BGStatsPlay: Encodable, Hashable, Sendable {
    package struct Game: Encodable, Hashable, Sendable {
        let name: String
        let sourceGameId: String
        let bggId: Int64?
        let highestWins: Bool
        let noPoints: Bool
    }

    package struct Player: Encodable, Hashable, Sendable {
        let name: String
        let sourcePlayerId: String
        let startPlayer: Bool
        let winner: Bool
        let role: String
        let team: String?
        let rank: Int?
        let score: Points?
    }

    let sourceName: String
    let sourcePlayId: String
    let playDate: String
    let durationMin: Int64?
    let comments: String
    let game: Game
    let players: [Player]

    /// Returns nil if the time of the result is unknown.
    package init?(_ result: ResultSummary) {
        guard let at = result.at else { return nil }
        let hasPoints = result.players.contains { $0.total != 0 }
        game = Game(
            name: result.name,
            sourceGameId: result.game,
            bggId: result.bggId,
            highestWins: !(result.lowestWins ?? Self.isLowestFirst(result)),
            noPoints: !hasPoints
        )
        let lines = Dictionary(result.players.map { ($0.id, $0) }) { first, _ in first }
        let seats = result.seats ?? result.players.map { ResultSeat(id: $0.id, name: $0.name) }
        let names = seats.map { $0.name.lowercased() }
        players = seats.enumerated().map { index, seat in
            let line = lines[seat.id]
            let name = names[index]
            return Player(
                name: seat.name,
                // People are known by their names: their ids differ from session to session.
                sourcePlayerId: names.count { $0 == name } == 1 ? name : seat.id,
                startPlayer: index == 0,
                winner: line?.winner ?? false,
                role: "",
                team: result.teams.first { $0.players.contains(seat.id) }?.name ?? seat.team,
                rank: line?.rank,
                score: hasPoints ? line?.total : nil
            )
        }
        (sourceName, sourcePlayId) = ("ScoreSync", "\(result.session)-\(result.number)")
        // A date has a fixed form up to the year 9999: 2026-11-28T19:30:00.000Z.
        playDate = String(at.description.prefix(19).map { $0 == "T" ? " " : $0 })
        (durationMin, comments) = (result.minutes, result.title)
    }

    /// Returns whether the first of the ranking has the least, for results whose rules are gone.
    private static func isLowestFirst(_ result: ResultSummary) -> Bool {
        let ranked = result.players.filter { $0.rank != nil }
            .sorted { ($0.rank ?? 0, $0.id) < ($1.rank ?? 0, $1.id) }
        return (ranked.first?.total ?? 0) < (ranked.last?.total ?? 0)
    }

    package var json: [UInt8] { get throws(ControlError) { try ControlJSON.encode(self) } }

    /// The link by which BG Stats imports the play: on a phone it opens the app.
    package var link: String {
        get throws(ControlError) {
            // The unreserved characters of RFC 3986, and those without a meaning in a query, so that
            // the QR code stays small.
            let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            let plain = Set((alphabet + "-._~:,").utf8)
            let digits = Array("0123456789ABCDEF".utf8)
            var link = Array("https://app.bgstatsapp.com/createPlay.html?data=".utf8)
            for byte in try json {
                if plain.contains(byte) {
                    link.append(byte)
                } else {
                    link += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
            return String(decoding: link, as: UTF8.self)
        }
    }
}

extension ResultSummary {
    /// The minutes from the first entry to the end, rounded; nil if they are unknown, less than one,
    /// or more than a day.
    package var minutes: Int64? {
        ResultSummary.minutes(from: began?.milliseconds, to: at?.milliseconds)
    }

    package static func minutes(from began: Int64?, to end: Int64?) -> Int64? {
        guard let began, let end, end > began else { return nil }
        let minutes = (end - began + 30_000) / 60_000
        return (1..<1440).contains(minutes) ? minutes : nil
    }

    /// Returns minutes in words: `42 min`, `1 h 5 min`.
    package static func words(ofMinutes minutes: Int64) -> String {
        minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
