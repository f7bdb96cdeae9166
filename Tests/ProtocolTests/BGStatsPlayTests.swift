import SyncProtocol
import Testing

@Suite("Plays for BG Stats")
struct BGStatsPlayTests {
    private func play(of names: [String]) throws -> String {
        var result = ResultSummary(session: "5", title: "Friday", game: "r", name: "R", number: 1)
        result.at = Timestamp(milliseconds: 0)
        result.seats = names.enumerated().map { ResultSeat(id: "id\($0.offset)", name: $0.element) }
        let play = try #require(BGStatsPlay(result))
        return String(decoding: try play.json, as: UTF8.self)
    }

    @Test("know people by their names, except those of the same name")
    func identities() throws {
        let play = try play(of: ["Ann", "Bob", "ann"])
        for id in ["id0", "bob", "id2"] { #expect(play.contains(#""sourcePlayerId":"\#(id)""#)) }
    }

    @Test("are links with as few encoded characters as a query allows")
    func link() throws {
        var result = ResultSummary(session: "5", title: "a+b & ü", game: "r", name: "R", number: 1)
        result.at = Timestamp(milliseconds: 0)
        let link = try #require(BGStatsPlay(result)).link
        #expect(link.contains("%22comments%22:%22a%2Bb%20%26%20%C3%BC%22,"))
    }
}
