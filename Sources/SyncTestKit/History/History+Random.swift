/// Histories by chance: one seed makes one.
extension History {
    /// The history of a seed.
    package static func random(seed: UInt64) -> History {
        var chance = SeededGenerator(seed: seed)
        var scenario = Scenario(seed: seed, laptops: [2, 3, 3, 3, 4, 4, 5][chance.index(below: 7)])
        scenario.sessions = chance.happens(15) ? 2 : 1
        scenario.hasBroadcast = chance.happens(80)
        scenario.lasting = chance.happens(50) ? 0 : chance.index(below: 25)
        scenario.trouble = chance.number(5_000...40_000)
        var author = HistoryAuthor(chance: chance.branch())
        // Few of them: they take as long as hundreds of others.
        switch chance.index(below: 4_000) {
        case 0: author.stretch(&scenario, toDays: chance.number(1...2))
        case 1...12: scenario.laptops = Int(chance.number(7...24))
        default: break
        }
        if chance.happens(12) {
            scenario.usesBytes = true
            scenario.bytesPerMillisecond = [200, 1_000, 10_000][chance.index(below: 3)]
        }
        if chance.happens(10) { scenario.walls = author.walls(among: scenario.laptops) }
        if chance.happens(10) { scenario.firewalled = [scenario.laptops - 1] }
        if chance.happens(20) { scenario.lateWrites = chance.number(2_000...20_000) }
        if chance.happens(25) { scenario.broken = author.broken(in: scenario) }
        scenario.isStrict = true
        return History(scenario, author.happenings(in: scenario))
    }
}
