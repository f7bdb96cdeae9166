internal import JSONCoding
import SessionCRDT

/// The plays in an export of the app BG Stats.
///
/// The export is a JSON object with `games`, `players` and `plays`, whose `playerScores` refer to the
/// others by number. A score is a text and may be a sum, truth values may be 0 and 1, and times are in
/// UTC, as in what the app imports.
package enum PlayFile {
    /// The maximum size of a file.
    package static let bytes = 64 << 20
    /// The maximum number of players of a play.
    package static let players = 64

    /// Returns the plays that count for the statistics of the app, and the number of others; nil if
    /// the content is no such export.
    package static func plays(
        in content: [UInt8]
    ) throws(PlayFileError) -> (plays: [PlayedGame], others: Int)? {
        guard content.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{"),
            let root = try? JSONText(content, numbers: .any).root,
            let plays = root["plays"], plays.isArray
        else { return nil }
        guard content.count <= bytes else { throw .tooLarge }
        let games = byNumber(root["games"])
        let people = byNumber(root["players"]).compactMapValues { $0["name"]?.string }
        let read = plays.elements.map { play($0, games, people) }
        let counted = read.compactMap(\.self)
        return (counted, read.count - counted.count)
    }

    private static func byNumber(_ list: JSONValue?) -> [Int64: JSONValue] {
        guard let list, list.isArray else { return [:] }
        let pairs = list.elements.compactMap { item in item["id"]?.integer.map { ($0, item) } }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func play(
        _ play: JSONValue,
        _ games: [Int64: JSONValue],
        _ people: [Int64: String]
    ) -> PlayedGame? {
        guard !isTrue(play["ignored"]),
            let id = play["uuid"]?.string.flatMap(id),
            let game = play["gameRefId"]?.integer.flatMap({ games[$0] }),
            let name = game["name"]?.string.map(cleaned), !name.isEmpty,
            let date = play["playDate"]?.string,
            let at = Timestamp(String(date.prefix(19).map { $0 == " " ? "T" : $0 }) + ".000Z"),
            let scores = play["playerScores"], scores.isArray,
            (1...players).contains(scores.elements.count)
        else { return nil }
        let hasTeams = isTrue(play["usesTeams"])
        let seats = scores.elements.enumerated().sorted { left, right in
            (left.element["seatOrder"]?.integer ?? 0, left.offset)
                < (right.element["seatOrder"]?.integer ?? 0, right.offset)
        }
        let players = seats.compactMap { seat -> PlayedGame.Player? in
            let score = seat.element
            guard let name = score["playerRefId"]?.integer.flatMap({ people[$0] }).map(cleaned),
                !name.isEmpty
            else { return nil }
            let total =
                score["score"]?.string.flatMap(total)
                ?? score["score"]?.integer.map { Points($0) }
            let team = hasTeams ? score["team"]?.string.map(cleaned) : nil
            var player = PlayedGame.Player(
                name: name,
                total: total ?? 0,
                winner: isTrue(score["winner"])
            )
            player.rank = score["rank"]?.integer.flatMap { 1...64 ~= $0 ? Int($0) : nil }
            player.team = team?.isEmpty == true ? nil : team
            return player
        }
        guard players.count == seats.count else { return nil }
        return PlayedGame(
            id: id,
            game: name,
            at: at,
            players: players
        ).with {
            $0.bggId = game["bggId"]?.integer.flatMap { $0 > 0 ? $0 : nil }
            $0.minutes = play["durationMin"]?.integer.flatMap { 1..<1440 ~= $0 ? $0 : nil }
        }
    }

    /// Returns the digits of a UUID; nil for any other text.
    private static func id(_ uuid: String) -> String? {
        ID<Void>(uuid.lowercased().filter { $0 != "-" })?.description
    }

    private static func isTrue(_ value: JSONValue?) -> Bool {
        value?.boolean ?? value?.integer.map { $0 != 0 } ?? false
    }

    /// Returns a name without dangerous characters and spaces around it, of at most the length of
    /// one.
    private static func cleaned(_ text: String) -> String {
        var name = Substring(PrintableText.cleaned(text, limit: Limits.nameBytes))
        name = name.drop(while: \.isWhitespace)
        while name.last?.isWhitespace == true { name.removeLast() }
        return String(name)
    }

    /// Returns a score, which may be a sum such as `12+9-2.5`, rounded to a half; nil if it is
    /// anything else.
    private static func total(_ text: String) -> Points? {
        let signed = text.filter { !$0.isWhitespace }.map { $0 == "-" ? "+-" : String($0) }
        let terms = signed.joined().split(separator: "+").map { Double($0) }
        guard !terms.isEmpty, !terms.contains(nil) else { return nil }
        let sum = terms.compactMap(\.self).reduce(0, +)
        guard abs(sum) <= Double(Limits.largestInteger) else { return nil }
        // Rounded by truncation, because `rounded` would need the mathematical library.
        return Points(halves: Int64(sum < 0 ? 2 * sum - 0.5 : 2 * sum + 0.5))
    }
}

package enum PlayFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge

    package var description: String { "larger than \(PlayFile.bytes >> 20) MiB" }
}
