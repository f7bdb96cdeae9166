import ScoreSheets
import Testing

@Suite("Serving and changing ends")
struct SportServiceTests {
    @Test("table tennis: two serves each, one each from 10–10 on (ITTF 2.13)")
    func tableTennis() {
        let stand = SportMatch(.tableTennis)
        #expect(stand.servers(of: "9a") == "aabbaabbaa")
        #expect(SportMatch(.tableTennis, "10a 10b").servers(of: "ababb") == "ababab")
        #expect(SportMatch(.tableTennis, "9a 9b").servers(of: "ab") == "bba")
        // The first receiver of a game serves first in the next one.
        #expect(SportMatch(.tableTennis, "11a").servers(of: "aa") == "bba")
        #expect(SportMatch(.tableTennis, "11a 11b").servers(of: "aa") == "aab")
    }

    @Test("table tennis to 21: five serves each, and the second seat begins where it won the toss")
    func fives() {
        let stand = SportMatch(.tableTennis) { options, service in
            options.points = 21
            (service.serves, service.first) = (5, .second)
        }
        #expect(stand.servers(of: "5a 5b") == "bbbbbaaaaab")
    }

    @Test("table tennis: ends after each game, and at 5 in the last possible one (ITTF 2.13)")
    func tableTennisEnds() {
        #expect(SportMatch(.tableTennis).endChanges(of: "11a 11b 11a 11b") == [11, 22, 33, 44])
        let last = SportMatch(.tableTennis, "11a 11b 11a 11b")
        #expect(last.endChanges(of: "4a 4b a b a a") == [9])
        #expect(last.endChanges(of: "11b") == [5])
        let single = SportMatch(.tableTennis) { options, _ in options.best = 1 }
        #expect(single.endChanges(of: "11b") == [5])
    }

    @Test("tennis: a game each by turns over all sets (ITF 14)")
    func tennis() {
        var stand = SportMatch(.tennis)
        #expect(stand.servers(of: "4a 4a") == "aaaabbbba")
        stand.playGames("6a")
        #expect(stand.server == .first)
        stand.playGames("5a b")
        #expect(stand.server == .first)
    }

    @Test("tennis: in a tie-break one serve, then two each; who began receives next (ITF 5)")
    func tieBreak() {
        var stand = SportMatch(.tennis)
        stand.playGames("5a 5b a b")
        #expect(stand.server == .first)
        #expect(stand.servers(of: "3a 3b 3a") == "abbaabbaab")
        stand.play("7b")
        #expect(stand.server == .second)
    }

    @Test("tennis: ends after odd games, and every six points of a tie-break (ITF 10)")
    func tennisEnds() {
        func changes(_ games: String) -> [Int] {
            SportMatch(.tennis).endChanges(
                of: SportMatch.sides(games).map { $0 == .first ? "4a" : "4b" }.joined()
            ).map { $0 / 4 }
        }
        #expect(changes("6a 2b") == [1, 3, 5, 7])
        #expect(changes("6a b b") == [1, 3, 5, 7])
        // A set of seven games: at its end, and after the first of the next.
        #expect(changes("5a b a a a") == [1, 3, 5, 7, 8])
        var stand = SportMatch(.tennis)
        stand.playGames("5a 5b a b")
        #expect(stand.endChanges(of: "6b 6a b b") == [6, 12, 14])
    }

    @Test("badminton and squash: the winner of the rally serves, also after a game (BWF 10, WSF 5)")
    func rallies() {
        for sport in [KnownSport.badminton, .squash] {
            #expect(SportMatch(sport).servers(of: "abba") == "aabba")
        }
        #expect(SportMatch(.badminton, "21b").servers(of: "a") == "ba")
        #expect(SportMatch(.squash, "11b").server == .second)
    }

    @Test("badminton: ends after each game, and at 11 in the third (BWF 8)")
    func badmintonEnds() {
        #expect(SportMatch(.badminton).endChanges(of: "21a 21b 10a 11b b b") == [21, 42, 63])
        #expect(SportMatch(.squash).endChanges(of: "11a 11b 11a 11b 11a") == [])
    }

    @Test("volleyball: the rally's winner; sets begin by turns, the fifth by a toss (FIVB 12)")
    func volleyball() {
        #expect(SportMatch(.volleyball).servers(of: "abba") == "aabba")
        #expect(SportMatch(.volleyball, "25a").server == .second)
        #expect(SportMatch(.volleyball, "25a 25b").server == .first)
        let fifth = "25a 25b 25a 25b"
        #expect(SportMatch(.volleyball, fifth).server == .first)
        let tossed = SportMatch(.volleyball, fifth) { _, service in service.last = .second }
        #expect(tossed.server == .second)
    }

    @Test("volleyball: ends after each set, and at 8 in the fifth (FIVB 18)")
    func volleyballEnds() {
        let stand = SportMatch(.volleyball)
        #expect(stand.endChanges(of: "25a 25b 25a 25b 7a 8b a") == [25, 50, 75, 100, 115])
    }

    @Test("petanque: the winner of the end throws the jack, and ends are kept (FIPJP 6)")
    func petanque() {
        var stand = SportMatch(.petanque)
        #expect(stand.server == .first)
        stand.add(2, by: .second)
        #expect(stand.server == .second)
        #expect(!stand.changesEnds)
    }

    @Test("without an order no one serves")
    func none() {
        #expect(SportMatch(SportOptions()).server == nil)
    }
}
