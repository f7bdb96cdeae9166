import ControlSocket
import SyncProtocol

/// Finished plays, a line of JSON each, in the import format of the app BG Stats (bgstatsapp.com,
/// “Push plays to BG Stats from other apps or websites”).
enum Plays {
    /// Writes the plays of sessions, with `--all` also those of sessions that were left, and returns
    /// their number.
    static func write(
        _ options: ExportOptions,
        _ client: ControlClient,
        _ call: Invocation,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        let all = try client.call(.results, .init()).items
        let ids = try options.isAll ? nil : options.ids(client)
        var count = 0
        for result in all where ids?.contains(result.session) ?? true {
            guard let play = document(result) else { continue }
            let json = try ControlJSON.encode(play)
            try target.write((options.isOfLinks ? link(json) : json) + [0x0A])
            count += 1
        }
        if count == 0 { call.inform("No finished plays to export.") }
        return count
    }

    /// Returns the link by which BG Stats imports a play: on a phone it opens the app.
    private static func link(_ play: [UInt8]) -> [UInt8] {
        // The unreserved characters of RFC 3986.
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var link = Array("https://app.bgstatsapp.com/createPlay.html?data=".utf8)
        for byte in play {
            if plain.contains(byte) {
                link.append(byte)
            } else {
                link += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return link
    }

    /// Returns the play of a result, with the field names of BG Stats; nil if its time is unknown.
    ///
    /// The app fails if one of the truth values is missing, and on an id of BoardGameGeek that is
    /// not a number. It expects the time in UTC.
    private static func document(_ result: ResultSummary) -> JSONDocument? {
        guard let at = result.at else { return nil }
        let hasPoints = result.players.contains { $0.total != 0 }
        var game: JSONDocument = [
            "name": result.name, "sourceGameId": result.game,
            "highestWins": !(result.lowestWins ?? isLowestFirst(result)), "noPoints": !hasPoints,
        ]
        game["bggId"] = result.bggId
        let lines = Dictionary(result.players.map { ($0.id, $0) }) { first, _ in first }
        let seats = result.seats ?? result.players.map { ResultSeat(id: $0.id, name: $0.name) }
        let players = seats.enumerated().map { index, seat -> JSONDocument in
            let line = lines[seat.id]
            let team = result.teams.first { $0.players.contains(seat.id) }?.name ?? seat.team
            var player: JSONDocument = [
                "name": seat.name, "sourcePlayerId": seat.id, "startPlayer": index == 0,
                "winner": line?.winner ?? false, "role": "",
            ]
            player["rank"] = line?.rank
            player["score"] = hasPoints ? line?.total : nil
            player["team"] = team
            return player
        }
        // A date has a fixed form up to the year 9999: 2026-11-28T19:30:00.000Z.
        let time = String(at.description.prefix(19)).replacing("T", with: " ")
        var play: JSONDocument = [
            "sourceName": "ScoreSync", "sourcePlayId": "\(result.session)-\(result.number)",
            "playDate": time, "comments": result.title, "game": game, "players": players,
        ]
        play["durationMin"] = StatisticsPage.minutes(of: result)
        return play
    }

    /// Returns whether the first of the ranking has the least, for results whose rules are gone.
    private static func isLowestFirst(_ result: ResultSummary) -> Bool {
        let ranked = result.players.filter { $0.rank != nil }
            .sorted { ($0.rank ?? 0, $0.id) < ($1.rank ?? 0, $1.id) }
        return (ranked.first?.total ?? 0) < (ranked.last?.total ?? 0)
    }
}
