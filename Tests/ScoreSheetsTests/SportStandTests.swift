import ScoreSheets
import Testing

@Suite("Points of matches: games, sets, caps and tie-breaks")
struct SportStandTests {
    @Test("table tennis: 11 points and two ahead, best of five games (ITTF 2.11, 2.12)")
    func tableTennis() {
        #expect(SportMatch(.tableTennis, "10a").parts.isEmpty)
        #expect(SportMatch(.tableTennis, "11a").partScores == ["11–0"])
        var stand = SportMatch(.tableTennis, "9b 11a")
        #expect(stand.partScores == ["11–9"])
        stand.play("10a 10b a b a")
        #expect(stand.partScores == ["11–9"])
        #expect(stand.score == .points("12", "11"))
        stand.play("a")
        #expect(stand.partScores == ["11–9", "13–11"])
        stand.play("11b 11a")
        #expect(stand.partScores == ["11–9", "13–11", "0–11", "11–0"])
        #expect(stand.winner == .first)
        #expect(stand.allPoints == SideCount(35, 31))
        stand.play("b")
        #expect(stand.allPoints == SideCount(35, 31))
        #expect(stand.server == nil)
    }

    @Test("badminton: 21 points and two ahead, 30 at most, best of three (BWF 7)")
    func badminton() {
        var stand = SportMatch(.badminton, "20a 20b a")
        #expect(stand.parts.isEmpty)
        stand.play("b a b a b a b a b a b a b a b a b a")
        #expect(stand.partScores == ["30–29"])
        stand.play("19a 21b")
        #expect(stand.partScores == ["30–29", "19–21"])
        #expect(stand.isLastPart)
        stand.play("20b 22a")
        #expect(stand.partScores == ["30–29", "19–21", "22–20"])
        #expect(stand.winner == .first)
    }

    @Test("volleyball: 25 points, 15 in the fifth set, two ahead without a cap (FIVB 6)")
    func volleyball() {
        var stand = SportMatch(.volleyball, "24a 24b")
        for _ in 0..<10 { stand.play("ab") }
        #expect(stand.score == .points("34", "34"))
        stand.play("aa 25b 25b 25a")
        #expect(stand.partScores == ["36–34", "0–25", "0–25", "25–0"])
        #expect(stand.target.points == 15)
        stand.play("14a 14b a a")
        #expect(stand.partScores.last == "16–14")
        #expect(stand.winner == .first)
    }

    @Test("squash: 11 points and two ahead, best of five (WSF 2)")
    func squash() {
        var stand = SportMatch(.squash, "11a 10b 10a")
        stand.play("a a")
        #expect(stand.partScores == ["11–0", "12–10"])
        stand.play("11a")
        #expect(stand.winner == .first)
    }

    @Test("petanque: 13 points, several at an end; more than that are not counted (FIPJP 5)")
    func petanque() {
        var stand = SportMatch(.petanque)
        stand.add(3, by: .first)
        stand.add(5, by: .second)
        #expect(stand.score == .points("3", "5"))
        stand.add(6, by: .second)
        stand.add(6, by: .second)
        #expect(stand.partScores == ["3–13"])
        #expect(stand.allPoints == SideCount(3, 13))
        #expect(stand.winner == .second)
    }

    @Test("tennis: 15, 30, 40, deuce and advantage (ITF 5)")
    func tennisPoints() {
        let calls: [(String, SportScore)] = [
            ("", .points("0", "0")), ("a", .points("15", "0")), ("aab", .points("30", "15")),
            ("3a b", .points("40", "15")), ("2a 3b", .points("30", "40")), ("3a 3b", .deuce),
            ("3a 3b a", .advantage(.first)), ("3a 3b ab", .deuce),
            ("3a 3b ab b", .advantage(.second)),
        ]
        for (points, score) in calls {
            #expect(SportMatch(.tennis, points).score == score, "\(points)")
        }
        #expect(SportMatch(.tennis, "3a 3b a").cell(of: .first) == "Ad")
        #expect(SportMatch(.tennis, "3a 3b a").cell(of: .second) == "40")
        #expect(SportMatch(.tennis, "3a 3b ab ab ab bb").games == SideCount(0, 1))
        #expect(SportMatch(.tennis, "4a").games == SideCount(1, 0))
    }

    @Test("tennis without advantage: at deuce the next point decides (ITF, Appendix)")
    func noAdvantage() {
        var stand = SportMatch(.tennis, "3a 3b") { options, _ in options.lead = 1 }
        #expect(stand.score == .decidingPoint)
        stand.play("b")
        #expect(stand.games == SideCount(0, 1))
    }

    @Test("tennis: six games and two ahead, at six all a tie-break to seven (ITF 5, 6)")
    func tennisSets() {
        var stand = SportMatch(.tennis)
        stand.playGames("5a 5b a")
        #expect(stand.parts.isEmpty)
        stand.playGames("a")
        #expect(stand.partScores == ["7–5"])
        stand.playGames("5a 5b a b")
        #expect(stand.phase == .tieBreak)
        stand.play("6b 6a")
        #expect(stand.score == .points("6", "6"))
        stand.play("b a b")
        #expect(stand.parts.count == 1)
        stand.play("b")
        #expect(stand.partScores == ["7–5", "6–7(7)"])
        stand.playGames("6a")
        #expect(stand.partScores == ["7–5", "6–7(7)", "6–0"])
        #expect(stand.winner == .first)
    }

    @Test("the final set of tennis: as the others, longer tie-break, none, or only that")
    func finals() {
        func last(_ final: SportOptions.Final) -> SportMatch {
            var stand = SportMatch(.tennis) { options, _ in options.final = final }
            stand.playGames("6a 6b")
            return stand
        }
        var same = last(.same)
        same.playGames("5a 5b a b")
        #expect(same.target.points == 7)
        same.play("7b")
        #expect(same.partScores.last == "6–7(0)")
        var long = last(.long)
        long.playGames("5a 5b a b")
        #expect(long.target.points == 10)
        long.play("9b 11a")
        #expect(long.partScores.last == "7–6(9)")
        var advantage = last(.advantage)
        advantage.playGames("5a 5b ab ab ab ab b")
        #expect(advantage.games == SideCount(9, 10))
        advantage.playGames("b")
        #expect(advantage.partScores.last == "9–11")
        var short = last(.short)
        #expect(short.phase == .tieBreak)
        short.play("9a 9b a a")
        #expect(short.partScores.last == "11–9")
        #expect(short.winner == .first)
    }

    @Test("short sets of tennis: four games, a tie-break at four all (ITF, Appendix)")
    func shortSets() {
        var stand = SportMatch(.tennis) { options, _ in options.games = 4 }
        stand.playGames("3a 3b a")
        #expect(stand.parts.isEmpty)
        stand.playGames("b")
        #expect(stand.phase == .tieBreak)
        stand.play("7a")
        #expect(stand.partScores == ["5–4(0)"])
    }

    @Test("the longest run of points continues across games")
    func runs() {
        let stand = SportMatch(.tableTennis, "a 10b b 3b 2a")
        #expect(stand.longestRun == SideCount(2, 14))
    }

    @Test("game, set and match point are shown for one side")
    func stakes() {
        #expect(SportMatch(.tableTennis, "10a 3b").stake?.side == .first)
        #expect(SportMatch(.tableTennis, "10a 3b").stake?.stake == .part)
        #expect(SportMatch(.tableTennis, "11a 11a 10a").stake?.stake == .match)
        #expect(SportMatch(.tableTennis, "9a 3b").stake == nil)
        // With 29 all either side has it.
        var golden = SportMatch(.badminton, "20a 20b")
        for _ in 0..<9 { golden.play("ab") }
        #expect(golden.score == .points("29", "29"))
        #expect(golden.stake == nil)
        #expect(SportMatch(.petanque).stake == nil)
    }

    @Test("strange modes never trap", arguments: [1, 2, 4, 999])
    func strange(number: Int) {
        for sport in KnownSport.allCases {
            var stand = SportMatch(sport) { options, service in
                (options.best, options.points, options.lead, options.cap) = (
                    number, number, number, 1
                )
                (options.games, options.tieBreak, options.last) = (number % 3, number % 2, number)
                (service.serves, service.endsAt) = (number % 2, number)
            }
            for point in 0..<500 {
                stand.add(number, by: point.isMultiple(of: 3) ? .first : .second)
                _ = (stand.server, stand.score, stand.stake)
            }
            #expect(stand.parts.count <= 999)
        }
    }
}
